// Sends the response to a read in the form that the client accepts: with an entity tag, compressed if the client
// prefers that, or as a 304 if the client already has it. Each form is created once.

import { createHash } from 'node:crypto'
import type { Headers, SentResponse } from './response.ts'
import type { Incoming } from '../incoming.ts'
import { chooseEncoding, compress, type Encoding } from './encodings.ts'
import { readTags } from './entity-tags.ts'

export interface Representation {
  /** The size of the uncompressed body. */
  readonly bytes: number
  /** Kept because parsing the body of a cached page for it would take long. */
  readonly nextCursor: string | null
  /** The body as text. */
  text(): string
  /** Adds headers that belong to this request only. */
  respond(headers: Incoming['headers'], added?: Headers): Promise<SentResponse> | SentResponse
}

interface EncodedForm {
  etag: string
  headers: Headers
  headersWithoutBody: Headers
  body: Uint8Array
}

/** Smaller bodies fit into one or two packets uncompressed. */
const minBytesToCompress = 1_024

// Destructured in the signature, so that the body is not also kept in memory as text. A brotli form that is passed in
// is used as is.
export function createRepresentation(
  { status, headers: originalHeaders, body, nextCursor = null }: SentResponse,
  onGrowth: (bytes: number) => void = () => {},
  brotli?: Uint8Array,
): Representation {
  // A separate buffer: Buffer.from would place a short string in a shared block of 8 KiB and keep the whole block
  // alive.
  const plainBytes = typeof body === 'string' ? Buffer.from(new TextEncoder().encode(body).buffer) : Buffer.from(body)
  const etag = originalHeaders['etag'] ?? contentTag(plainBytes)
  const plain = createForm(originalHeaders, plainBytes, etag)
  const compressed = new Map<Encoding, Promise<EncodedForm>>()

  function findForm(encoding: Encoding): Promise<EncodedForm> {
    const existing = compressed.get(encoding)
    if (existing) return existing
    const created = compressForm(encoding)
    compressed.set(encoding, created)
    // After a failure, the next request tries again.
    created.catch(() => compressed.delete(encoding))
    return created
  }

  async function compressForm(encoding: Encoding): Promise<EncodedForm> {
    const bytes = (encoding === 'br' && brotli) || (await compress(plainBytes, encoding))
    onGrowth(bytes.length)
    // A strong entity tag identifies exact bytes, so each encoding has its own.
    return createForm({ ...originalHeaders, 'content-encoding': encoding }, bytes, `${etag.slice(0, -1)}-${encoding}"`)
  }

  function respondWith(form: EncodedForm, headers: Incoming['headers'], added?: Headers): SentResponse {
    const isNotModified = matchesTag(headers['if-none-match'], form.etag)
    const formHeaders = isNotModified ? form.headersWithoutBody : form.headers
    return {
      status: isNotModified ? 304 : status,
      headers: added ? { ...formHeaders, ...added } : formHeaders,
      body: isNotModified ? '' : form.body,
    }
  }

  return {
    bytes: plainBytes.length,
    nextCursor,
    text: () => plainBytes.toString(),
    respond(headers, added) {
      const acceptEncoding = headers['accept-encoding']
      const encoding =
        acceptEncoding && plainBytes.length > minBytesToCompress ? chooseEncoding(acceptEncoding) : undefined
      if (encoding === undefined) return respondWith(plain, headers, added)
      return findForm(encoding).then((form) => respondWith(form, headers, added))
    },
  }
}

function createForm(originalHeaders: Headers, body: Uint8Array, etag: string): EncodedForm {
  const headers = { ...originalHeaders, etag, vary: 'Accept-Encoding' }
  const { 'content-type': _, ...headersWithoutBody } = headers as Record<string, string>
  delete headersWithoutBody['content-encoding']
  return { etag, headers, headersWithoutBody, body }
}

/** Derived from the body alone: two keys that see the same data get the same tag. */
function contentTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

function matchesTag(values: readonly string[] | undefined, etag: string): boolean {
  const tags = readTags(values)
  // A malformed header matches nothing.
  if (!tags) return false
  return tags === '*' || tags.some(({ opaque }) => `"${opaque}"` === etag)
}
