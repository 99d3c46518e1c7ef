// Receives the bodies of requests, with limits on their size, time and memory, and checks that they are complete.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, unavailable } from '../../api/problems/problem.ts'
import type { Owner } from '../../db/pool/connection-shares.ts'
import { createFairLimit } from '../../runtime/fairness.ts'

// Starts when the body is first read. Together with headersTimeout, it is less than requestTimeout.
const bodyTimeoutMs = 15_000
// Each part takes some time, however small it is.
const maxParts = 4_000
/** For all bodies of requests that have no response yet. */
export const maxBytesOfBodies = 32 * 1_048_576
const blockBytes = 4_096

// Bodies that will never be complete, and functions that fail their pending reads.
const failedBodies = new WeakSet<IncomingMessage>()
const failReader = new WeakMap<IncomingMessage, (problem: Problem) => void>()

export function failBody(request: IncomingMessage) {
  failedBodies.add(request)
  failReader.get(request)?.(new Problem('MALFORMED_REQUEST', 'The body is incomplete or not valid HTTP.'))
}

// A body that is not read yet is received if it is small, so that its connection stays open if it is not needed. A body in
// chunks is not: each chunk is an object, which can be much larger than its bytes.
const maxUnreadBytes = 16_384

export const isChunked = ({ headers }: IncomingMessage): boolean => headers['content-length'] === undefined

export function mustWaitForReader(request: IncomingMessage): boolean {
  if (request.readableFlowing) return request.readableLength >= request.readableHighWaterMark
  return isChunked(request) || Number(request.headers['content-length']) > maxUnreadBytes
}

const blocksFor = (bytes: number) => Math.ceil(bytes / blockBytes)
const tooManyBodies = () => unavailable('Too many bodies are being received. Try again in a moment.')

export function createBodyReceiver() {
  const blocks = createFairLimit(maxBytesOfBodies / blockBytes)

  /** Collects one body. No byte can be added if its owner may use no more memory. */
  function createBuffer(response: ServerResponse, owner: Owner, maxLength: number) {
    let buffer = Buffer.alloc(0)
    let size = 0
    let taken = 0
    response.once('close', () => taken > 0 && blocks.release(owner, taken))

    function hasRoomFor(bytes: number): boolean {
      if (bytes <= buffer.length) return true
      const wanted = blocksFor(Math.max(bytes, Math.min(2 * buffer.length, maxLength)))
      if (response.destroyed || !blocks.mayTake(owner, wanted - taken)) return false
      blocks.take(owner, wanted - taken)
      taken = wanted
      const larger = Buffer.allocUnsafeSlow(wanted * blockBytes)
      buffer.copy(larger, 0, 0, size)
      buffer = larger
      return true
    }

    return {
      get size() {
        return size
      },
      add(bytes: Buffer): boolean {
        if (!hasRoomFor(size + bytes.length)) return false
        size += bytes.copy(buffer, size)
        return true
      },
      received: () => buffer.subarray(0, size),
    }
  }

  return function receiveBody(request: IncomingMessage, response: ServerResponse, maxBytes: number, owner: Owner) {
    const length = Number(request.headers['content-length'] ?? 0)
    if (length > maxBytes) return Promise.resolve(undefined)
    if (!blocks.mayTake(owner, blocksFor(length))) return Promise.reject(tooManyBodies())
    if (request.headers.expect !== undefined) response.writeContinue()
    return new Promise<Uint8Array | undefined>((resolve, reject) => {
      const body = createBuffer(response, owner, length || maxBytes)
      let parts = 0
      const onTimeout = () => reject(new Problem('REQUEST_TIMEOUT', 'The body did not arrive in time.'))
      const timer = setTimeout(onTimeout, bodyTimeoutMs)
      failReader.set(request, reject)
      const cleanUp = () => {
        clearTimeout(timer)
        failReader.delete(request)
      }
      request.on('data', (part: Buffer) => {
        const isTooLarge = body.size + part.length > maxBytes
        if (!isTooLarge && ++parts <= maxParts && body.add(part)) return
        request.pause()
        if (isTooLarge) resolve(undefined)
        else if (parts > maxParts)
          reject(new Problem('MALFORMED_REQUEST', `The body arrived in more than ${maxParts} parts.`))
        else reject(tooManyBodies())
      })
      request.once('end', () => resolve(body.received()))
      request
        .once('end', cleanUp)
        .once('close', cleanUp)
        .once('error', () => failBody(request))
      if (failedBodies.has(request)) failBody(request)
    })
  }
}
