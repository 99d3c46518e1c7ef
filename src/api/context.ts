// One request in the pipeline of app.ts. Each stage adds what it finds out.

import type { Key } from './access/key.ts'
import type { Allowance } from './access/rate-limit.ts'
import type { Incoming } from './incoming.ts'

export interface Context {
  readonly incoming: Incoming
  readonly requestId: string
  /** Normalised, still percent-encoded. */
  readonly path: string
  key?: Key
  allowance?: Allowance | undefined
  /** The template of the path: /projects/:projectId/users. */
  route?: string
}

export const requestIdForm = /^[\w.:-]{1,64}$/

export function requestIdOf({ headers }: Incoming): string {
  const given = headers['x-request-id']
  const [id] = given ?? []
  const sane = given?.length === 1 && id !== undefined && requestIdForm.test(id)
  return sane && !isCredential(id, headers) ? id : crypto.randomUUID()
}

/** An id is logged and sent back; a key that went into its header must not be. */
function isCredential(id: string, headers: Incoming['headers']): boolean {
  const credentials = [...(headers['authorization'] ?? []), ...(headers['x-api-key'] ?? [])]
  return id.startsWith('wg_') || credentials.some((value) => value.trim() === id || value.endsWith(` ${id}`))
}
