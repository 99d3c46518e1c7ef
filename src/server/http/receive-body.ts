// Receives the body of a request, with limits on its size and its time, and checks that it is complete.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../api/problems/problem.ts'

// Starts when the body is first read. Together with headersTimeout, it is less than requestTimeout.
const bodyTimeoutMs = 15_000
// Each part takes some time, however small it is.
const maxParts = 4_000

// Bodies that will never be complete, and functions that fail their pending reads.
const failedBodies = new WeakSet<IncomingMessage>()
const failReader = new WeakMap<IncomingMessage, (problem: Problem) => void>()

export function failBody(request: IncomingMessage) {
  failedBodies.add(request)
  failReader.get(request)?.(new Problem('MALFORMED_REQUEST', 'The body is incomplete or not valid HTTP.'))
}

export function receiveBody(request: IncomingMessage, response: ServerResponse, maxBytes: number) {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined)
  if (request.headers.expect !== undefined) response.writeContinue()
  return new Promise<Uint8Array | undefined>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onTimeout = () => reject(new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.'))
    const timer = setTimeout(onTimeout, bodyTimeoutMs)
    failReader.set(request, reject)
    const cleanUp = () => {
      clearTimeout(timer)
      failReader.delete(request)
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes && chunks.length < maxParts) return void chunks.push(chunk)
      request.pause()
      if (size > maxBytes) resolve(undefined)
      else reject(new Problem('MALFORMED_REQUEST', `The body arrived in more than ${maxParts} parts.`))
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request
      .once('end', cleanUp)
      .once('close', cleanUp)
      .once('error', () => failBody(request))
    if (failedBodies.has(request)) failBody(request)
  })
}
