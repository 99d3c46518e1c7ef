// Reads the body of an answer within limits: its size, and the values that its JSON contains.

import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { TrackerError } from './tracker-error.ts'

export const maxBodyBytes = 32 * 1_048_576
/** 32 MB of JSON can contain 16 million values, which need 900 MB; 500,000 need at most 100 MB. */
const maxValues = 500_000
/** Code that follows the values recursively must not exhaust the stack. */
const maxDepth = 100

/** Decompresses in small chunks, and ends the connection as soon as the limit is exceeded. */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const status = response.statusCode!
  // Servers can name an encoding for these, too, but nothing is not valid gzip.
  if (status === 204 || status === 304 || response.headers['content-length'] === '0') {
    response.resume()
    return Buffer.alloc(0)
  }
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw new TrackerError('the answer has another encoding than gzip', status)
  const tooLarge = new TrackerError(`the answer is larger than ${maxBodyBytes} bytes`, status)
  const chunks: Buffer[] = []
  let length = 0
  const collect = async (body: AsyncIterable<Buffer>) => {
    for await (const chunk of body) {
      length += chunk.length
      if (length > maxBodyBytes) throw tooLarge
      chunks.push(chunk)
    }
  }
  try {
    if (encoding === 'gzip') await pipeline(response, createGunzip({ chunkSize: 65_536 }), collect, { signal })
    else await pipeline(response, collect, { signal })
  } catch (error) {
    // pipeline() can throw the error of a stream that it has ended for this reason.
    throw length > maxBodyBytes ? tooLarge : error
  }
  return Buffer.concat(chunks)
}

export function parseJson(body: Buffer, status: number): unknown {
  limitValues(body, status)
  try {
    return JSON.parse(body.toString())
  } catch {
    // The error of JSON.parse() quotes the text.
    throw new TrackerError('the answer is not JSON', status)
  }
}

/** Counts before JSON.parse() allocates. Bytes of characters outside ASCII are never equal to those compared here. */
function limitValues(body: Buffer, status: number): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < body.length; at++) {
    switch (body[at]) {
      case 0x22: // "
        at = endOfString(body, at)
        break
      case 0x5b: // [
      case 0x7b: // {
        values++
        if (++depth > maxDepth) throw new TrackerError(`the answer is nested more than ${maxDepth} levels deep`, status)
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        values++
    }
    if (values > maxValues) throw new TrackerError(`the answer contains more than ${maxValues} values`, status)
  }
}

/** Returns the position of the closing quote, or the end of the body. */
function endOfString(body: Buffer, start: number): number {
  let at = start + 1
  while (at < body.length && body[at] !== 0x22) at += body[at] === 0x5c ? 2 : 1
  return at
}
