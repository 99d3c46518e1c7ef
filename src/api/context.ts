// Defines the context of one request in the pipeline of app.ts, and chooses its request id.

import type { Key } from './access/key.ts'
import type { Allowance } from './access/rate-limit.ts'
import type { Incoming } from './incoming.ts'

export interface Context {
  readonly incoming: Incoming
  readonly requestId: string
  /** Normalized, still percent-encoded. */
  readonly path: string
  key?: Key
  allowance?: Allowance | undefined
  /** The template of the path: /projects/:projectId/users. */
  route?: string
}

export const requestIdPattern = /^[\w.:-]{1,64}$/

export function chooseRequestId({ headers }: Incoming): string {
  const given = headers['x-request-id']
  const [id] = given ?? []
  const isValid = given?.length === 1 && id !== undefined && requestIdPattern.test(id)
  return isValid && !isCredential(id, headers) ? id : crypto.randomUUID()
}

/** The request id is logged and sent back, so a key sent in X-Request-Id by mistake must not become the id. */
function isCredential(id: string, headers: Incoming['headers']): boolean {
  const credentials = [...(headers['authorization'] ?? []), ...(headers['x-api-key'] ?? [])]
  return id.startsWith('wg_') || credentials.some((value) => value.trim() === id || value.endsWith(` ${id}`))
}
