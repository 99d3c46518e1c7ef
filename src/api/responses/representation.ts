// Sends the response to a read in the form that the client accepts: with an entity tag, compressed if the client
// prefers that, or as a 304 if the client already has it. Each form is created once.

import { createHash } from 'node:crypto'
import { fieldsOf, type Headers, type SentResponse } from './response.ts'
import type { Incoming } from '../incoming.ts'
import { chooseEncoding, compress, type Encoding } from './encodings.ts'

export type Representation = ReturnType<typeof createRepresentation>

type EncodedForm = ReturnType<typeof createForm>

/** Smaller bodies fit into one or two packets uncompressed. */
const minBytesToCompress = 1_024

// Destructured in the signature, so that the body is not also kept in memory as text. A brotli form that is passed in
// is used as is.
export function createRepresentation(
  { status, headers: originalHeaders, body, nextCursor = null, isPending = false }: SentResponse,
  onGrowth: (bytes: number) => void = () => {},
  brotli?: Uint8Array,
) {
  // A separate buffer: Buffer.from would place a short string in a shared block of 8 KiB and keep the whole block
  // alive.
  const plainBytes = typeof body === 'string' ? Buffer.from(new TextEncoder().encode(body).buffer) : Buffer.from(body)
  const etag = originalHeaders['etag'] ?? contentTag(plainBytes)
  const plain = createForm(status, originalHeaders, plainBytes, etag)
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
    return createForm(
      status,
      { ...originalHeaders, 'content-encoding': encoding },
      bytes,
      `${etag.slice(0, -1)}-${encoding}"`,
    )
  }

  const choose = ({ etag, full, notModified }: EncodedForm, headers: Incoming['headers']): SentResponse =>
    matchesTag(headers['if-none-match'], etag) ? notModified : full

  return {
    /** The size of the uncompressed body. */
    bytes: plainBytes.length,
    /** Kept because parsing the body of a cached page for it would take long. */
    nextCursor,
    isPending,
    respond(headers: Incoming['headers']): Promise<SentResponse> | SentResponse {
      const acceptEncoding = headers['accept-encoding']
      const encoding =
        acceptEncoding && plainBytes.length > minBytesToCompress ? chooseEncoding(acceptEncoding) : undefined
      if (encoding === undefined) return choose(plain, headers)
      return findForm(encoding).then((form) => choose(form, headers))
    },
  }
}

function createForm(status: number, originalHeaders: Headers, body: Uint8Array, etag: string) {
  const headers = { ...originalHeaders, etag, vary: 'Accept-Encoding' }
  const { 'content-type': _, 'content-encoding': __, ...headersWithoutBody }: Record<string, string> = headers
  return {
    etag,
    full: { status, headers, fields: fieldsOf(headers), body },
    notModified: { status: 304, headers: headersWithoutBody, fields: fieldsOf(headersWithoutBody), body: '' },
  }
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

const tagPattern = /(W\/)?"([!#-~]*)"/g
const tagsPattern = /^(\s*(W\/)?"[!#-~]*"\s*(,|$))+$/

/** Returns the tags of a header without their quotes, "*" for any, null if it is absent, undefined if it is malformed. */
export function readTags(values: readonly string[] | undefined) {
  const text = values?.join(',').trim()
  if (text === undefined) return null
  if (text === '*') return '*'
  if (!tagsPattern.test(text)) return undefined
  return [...text.matchAll(tagPattern)].map(([, weak, opaque]) => ({ weak: weak !== undefined, opaque: opaque! }))
}
