// Chooses the id of a request: that of the client, or a new one.

import { randomUUID } from 'node:crypto'
import type { KeyDetector } from './access/key-detector.ts'
import type { Incoming } from './incoming.ts'

export const requestIdPattern = /^[\w.:-]{1,64}$/

export function chooseRequestId({ headers }: Incoming, isKey: KeyDetector): string {
  const given = headers['x-request-id']
  if (given === undefined) return randomUUID()
  const [id] = given
  const isValid = given.length === 1 && id !== undefined && requestIdPattern.test(id)
  // The request id is logged and sent back, so a key sent in X-Request-Id by mistake must not become the id.
  return isValid && !isKey(id) && !containsCredential(id, headers) ? id : randomUUID()
}

/** Recognizes even a key that is unknown or mistyped. */
function containsCredential(id: string, headers: Incoming['headers']): boolean {
  const contains = (value: string) => {
    // With any scheme, such as Bearer.
    const credential = value.trim().replace(/^\S+ +/, '')
    return credential !== '' && id.includes(credential)
  }
  return headers['authorization']?.some(contains) || headers['x-api-key']?.some(contains) || false
}
