// The forms in which the answer to a read goes out: with an entity tag, compressed as the client likes it, or not at all
// where it has that form already. Each form is made once.

import { createHash } from 'node:crypto'
import type { Headers, SentResponse } from './response.ts'
import type { Incoming } from '../incoming.ts'
import { chooseEncoding, compress, type Encoding } from './encodings.ts'
import { readTags } from './entity-tags.ts'

export interface Representation {
  /** Of the form that is always there. */
  readonly bytes: number
  /** The body as text. */
  text(): string
  answer(headers: Incoming['headers'], observedAt?: string): Promise<SentResponse>
}

interface Form {
  etag: string
  headers: Headers
  withoutBody: Headers
  body: Uint8Array
}

/** What is smaller fits into a packet or two as it is. */
const minBytesToCompress = 1_024

// What it is made from is taken apart here, so that nothing holds the body a second time as text. What there is of it
// in brotli is not made again.
export function createRepresentation(
  { status, headers: given, body }: SentResponse,
  onGrowth: (bytes: number) => void = () => {},
  brotli?: Uint8Array,
): Representation {
  // Of its own: a short one made by Buffer.from is part of a piece of 8 KiB, and would keep all of it.
  const plainBytes = typeof body === 'string' ? Buffer.from(new TextEncoder().encode(body).buffer) : Buffer.from(body)
  const etag = given['etag'] ?? contentTag(plainBytes)
  const plain = formOf(given, plainBytes, etag)
  const compressed = new Map<Encoding, Promise<Form>>()

  function formIn(encoding: Encoding): Promise<Form> {
    const made = compressed.get(encoding)
    if (made) return made
    const making = makeForm(encoding)
    compressed.set(encoding, making)
    // What failed is tried again by the next request.
    making.catch(() => compressed.delete(encoding))
    return making
  }

  async function makeForm(encoding: Encoding): Promise<Form> {
    const bytes = (encoding === 'br' && brotli) || (await compress(plainBytes, encoding))
    onGrowth(bytes.length)
    // Strong tags are of bytes, so each encoding has its own.
    return formOf({ ...given, 'content-encoding': encoding }, bytes, `${etag.slice(0, -1)}-${encoding}"`)
  }

  return {
    bytes: plainBytes.length,
    text: () => plainBytes.toString(),
    async answer(headers, observedAt) {
      const encoding = plainBytes.length > minBytesToCompress ? chooseEncoding(headers['accept-encoding']) : undefined
      const form = encoding === undefined ? plain : await formIn(encoding)
      const known = isKnown(headers['if-none-match'], form.etag)
      const lasting = known ? form.withoutBody : form.headers
      return {
        status: known ? 304 : status,
        headers: observedAt === undefined ? lasting : { ...lasting, 'x-observed-at': observedAt },
        body: known ? '' : form.body,
      }
    },
  }
}

function formOf(given: Headers, body: Uint8Array, etag: string): Form {
  const headers = { ...given, etag, vary: 'Accept-Encoding' }
  const { 'content-type': _, ...withoutBody } = headers as Record<string, string>
  delete withoutBody['content-encoding']
  return { etag, headers, withoutBody, body }
}

/** Of what is shown and nothing else: whoever is shown the same has the same. */
function contentTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

function isKnown(values: readonly string[] | undefined, etag: string): boolean {
  const known = readTags(values)
  // What is broken names no form that the client could have.
  if (!known) return false
  return known === '*' || known.some(({ opaque }) => `"${opaque}"` === etag)
}
