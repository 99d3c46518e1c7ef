// Derives ids of rows from the ids that another tool uses: the same in every database.

import { createHash } from 'node:crypto'
import { uuidOf } from '../api/input/values.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

const namespaces = new Map<string, Buffer>()

/**
 * Returns a version 8 UUID. It begins with 6 bytes that only depend on the source, so all rows of a source are a range of
 * ids.
 */
export function derivedId(source: string, kind: string, externalId: string): string {
  let namespace = namespaces.get(source)
  if (!namespace) namespaces.set(source, (namespace = sha256(source).subarray(0, 6)))
  const bytes = Buffer.concat([namespace, sha256(`${kind}\0${externalId}`).subarray(0, 10)])
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOf(bytes)
}
