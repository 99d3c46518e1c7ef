// The last stages of a read: the answer that is kept or a new one, in the form that the client wants.

import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { ResponseCache } from './responses/response-cache.ts'
import type { Waiting } from '../resources/work-packets/waiting.ts'
import type { SentResponse } from './responses/response.ts'
import type { Incoming } from './incoming.ts'
import type { Held, Read } from './endpoint.ts'
import { ClientDisconnected } from './problems/client-disconnected.ts'
import { createRepresentation } from './responses/representation.ts'

export interface Reading extends Omit<Held<unknown>, 'today' | 'onDisconnect'> {
  incoming: Incoming
  /** Path and query in one form. */
  question: string
}

export function createReader(db: Database, answers: ResponseCache, waiting: Waiting) {
  return async function read(endpoint: Read, { incoming, question, ...request }: Reading): Promise<SentResponse> {
    const { key, projectId, path, params, confirmed } = request
    if (incoming.isDisconnected()) throw new ClientDisconnected()
    const query = request.query as never
    const today = confirmed.at.slice(0, 10)
    // Whoever reaches a project is shown the same of it.
    const view = (projectId === null ? endpoint.view(key) : null) as never
    const asked = view === null ? question : `${question} ${digestOf(view)}`
    const representation = await answers.find(asked, confirmed.version, () =>
      endpoint.read({ projectId, path, params, query, view, today }, db),
    )
    const later = await endpoint.hold?.(
      representation.text(),
      { ...request, query, today, onDisconnect: incoming.onDisconnect },
      waiting,
    )
    if (later) return createRepresentation(later.answer).answer(incoming.headers, later.at)
    return representation.answer(incoming.headers, confirmed.at)
  }
}

const digests = new WeakMap<object, string>()

/** Short, however many projects a key reaches. What a view is made of is the same object while the key is the same. */
function digestOf(view: object): string {
  let digest = digests.get(view)
  if (digest === undefined) {
    digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url')
    digests.set(view, digest)
  }
  return digest
}
