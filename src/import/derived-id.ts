// Derives ids of rows from the ids that another tool uses: the same in every database.

import { createHash } from 'node:crypto'
import { uuidOf } from '../api/input/values.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

const namespaces = new Map<string, Buffer>()

/**
 * Returns a version 8 UUID. It begins with 6 bytes that only depend on the source, so all rows of a source are a range of
 * ids. The other bytes remain the same if the project of the tool is renamed, and with it every externalId.
 */
export function derivedId(source: string, kind: string, externalId: string): string {
  let namespace = namespaces.get(source)
  if (!namespace) namespaces.set(source, (namespace = sha256(source).subarray(0, 6)))
  const bytes = Buffer.concat([namespace, sha256(`${kind}\0${withoutName(source, externalId)}`).subarray(0, 10)])
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOf(bytes)
}

/** Of jira:WEB, WEB-12 becomes -12, after the name of the tool. */
function withoutName(source: string, externalId: string): string {
  const at = source.indexOf(':')
  const name = source.slice(at + 1)
  const isNamed = at > 0 && name !== '' && externalId.startsWith(name)
  return isNamed ? `\0${source.slice(0, at)}\0${externalId.slice(name.length)}` : externalId
}
