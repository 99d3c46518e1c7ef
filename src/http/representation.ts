// The form in which the answer to a read goes out: with an entity tag, compressed as the client likes it, or not at all where
// it has that form already.

import { createHash } from 'node:crypto'
import type { Answer, Headers, Sent } from './answer.ts'
import type { Incoming } from './context.ts'
import { chooseEncoding, compress, type Encoding } from './encodings.ts'
import { readTags } from './entity-tags.ts'

/** What is smaller fits into a packet or two as it is. */
const leastBytes = 1_024

export async function represent({ headers }: Incoming, answer: Answer): Promise<Sent> {
  const bytes = Buffer.from(answer.body)
  const encoding = bytes.length > leastBytes ? chooseEncoding(headers['accept-encoding']) : undefined
  const etag = tagOf(answer.headers['etag'] ?? contentTag(bytes), encoding)
  const lasting: Headers = { ...answer.headers, etag, vary: 'Accept-Encoding' }
  if (isKnown(headers['if-none-match'], etag)) {
    const { 'content-type': _, ...without } = lasting
    return { status: 304, headers: without, body: '' }
  }
  if (encoding === undefined) return { status: answer.status, headers: lasting, body: bytes }
  const body = await compress(bytes, encoding)
  return { status: answer.status, headers: { ...lasting, 'content-encoding': encoding }, body }
}

/** Of what is shown and nothing else: whoever is shown the same has the same. */
function contentTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

/** Strong tags are of bytes, so each encoding has its own. */
function tagOf(etag: string, encoding: Encoding | undefined): string {
  return encoding === undefined ? etag : `${etag.slice(0, -1)}-${encoding}"`
}

function isKnown(values: readonly string[] | undefined, etag: string): boolean {
  const known = readTags(values)
  // What is broken names no form that the client could have.
  if (!known) return false
  return known === '*' || known.some(({ opaque }) => `"${opaque}"` === etag)
}
