// The bytes of a body as they come from a socket: not too many, not too slowly, and not half of them.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../api/problems/problem.ts'

// From the first look at it; with the time for the headers it stays below the server's requestTimeout.
const bodyTimeoutMs = 15_000

// Bodies that cannot come whole any more, and how to tell those who read them.
const brokenBodies = new WeakSet<IncomingMessage>()
const bodyReaders = new WeakMap<IncomingMessage, (problem: Problem) => void>()

export function failBody(request: IncomingMessage) {
  brokenBodies.add(request)
  bodyReaders.get(request)?.(new Problem('MALFORMED_REQUEST', 'The body ended before its end, or is not HTTP.'))
}

export function receiveBody(request: IncomingMessage, response: ServerResponse, maxBytes: number) {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined)
  if (request.headers.expect !== undefined) response.writeContinue()
  return new Promise<Uint8Array | undefined>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const late = () => reject(new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.'))
    const timer = setTimeout(late, bodyTimeoutMs)
    bodyReaders.set(request, reject)
    const done = () => {
      clearTimeout(timer)
      bodyReaders.delete(request)
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) return void chunks.push(chunk)
      request.pause()
      resolve(undefined)
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request
      .once('end', done)
      .once('close', done)
      .once('error', () => failBody(request))
    if (brokenBodies.has(request)) failBody(request)
  })
}
