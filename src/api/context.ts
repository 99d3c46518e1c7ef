// Defines the context of one request in the pipeline of app.ts, and chooses its request id.

import { randomUUID } from 'node:crypto'
import type { Key } from './access/key.ts'
import type { KeyDetector } from './access/key-detector.ts'
import type { Allowance } from './access/rate-limit.ts'
import type { Incoming } from './incoming.ts'
import type { Headers } from './responses/response.ts'

export interface Context {
  readonly incoming: Incoming
  readonly requestId: string
  /** Normalized, still percent-encoded. Contains ids in place of names once these are resolved. */
  path: string
  key?: Key
  allowance?: Allowance | undefined
  /** Set if the request uses anything that is deprecated. */
  deprecation?: Headers | undefined
  /** The template of the path: /projects/:projectId/users. */
  route?: string
}

export const requestIdPattern = /^[\w.:-]{1,64}$/

export function chooseRequestId({ headers }: Incoming, isKey: KeyDetector): string {
  const given = headers['x-request-id']
  const [id] = given ?? []
  const isValid = given?.length === 1 && id !== undefined && requestIdPattern.test(id)
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
