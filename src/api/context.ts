// One request on its way through the stages of app.ts. Each stage adds what it found out.

import type { Key } from './access/key.ts'
import type { Allowance } from './access/rate-limit.ts'
import type { Incoming } from './incoming.ts'

export interface Context {
  readonly incoming: Incoming
  readonly requestId: string
  /** Normalised, still percent-encoded. */
  readonly path: string
  /** It came in this very form, with no . or .. or backslash in it: nothing is found at any other spelling of a path. */
  readonly isPlain: boolean
  /** Without the question mark, still encoded. */
  readonly search: string
  key?: Key
  allowance?: Allowance | undefined
  /** The template of the path: /projects/:projectId/users. */
  route?: string
}

const base = 'http://workgate'

export function openContext(incoming: Incoming, seen?: Pick<Context, 'path' | 'search'>): Context {
  const requestId = requestIdOf(incoming)
  if (seen) return { incoming, requestId, path: seen.path, isPlain: true, search: seen.search }
  // A proxy may send the whole URL; nothing of it before the path is ours to judge.
  const target = incoming.target.replace(/^https?:\/\/[^/?]*/i, '')
  const question = target.indexOf('?')
  const beforeQuestion = question < 0 ? target : target.slice(0, question)
  const sent = beforeQuestion.startsWith('/') ? beforeQuestion : '/'
  // The router reads URLs as browsers do. What decides about scope must read the very same path.
  const path = new URL(base + sent).pathname
  return {
    incoming,
    requestId,
    path,
    isPlain: path === sent,
    search: question < 0 ? '' : target.slice(question + 1),
  }
}

export const requestIdForm = /^[\w.:-]{1,64}$/

function requestIdOf({ headers }: Incoming): string {
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
