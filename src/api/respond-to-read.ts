// Responds to reads: from the cache or with a new response, in the representation that the client prefers.

import type { Database } from '../db/database.ts'
import { ownerOfKey } from '../db/pool/owner.ts'
import { ownedBy } from '../db/pool/pool.ts'
import type { Caller, ParsedRead } from './endpoint.ts'
import type { Incoming } from './incoming.ts'
import { ClientDisconnected } from './problems/problem.ts'
import { createRepresentation } from './responses/representation.ts'
import type { ResponseCache } from './responses/response-cache.ts'
import type { SentResponse } from './responses/response.ts'

export function createReadResponder<Services>(db: Database, cache: ResponseCache, services: Services) {
  return async function respondToRead(
    { cacheKey, respond, longPoll }: ParsedRead<Services>,
    caller: Caller,
    incoming: Incoming,
    linkToNext: (cursor: string) => string,
  ): Promise<SentResponse> {
    if (incoming.isDisconnected()) throw new ClientDisconnected()
    const { version, at } = caller.confirmed
    const owner = ownerOfKey(caller.key.id)
    const found = cache.find(cacheKey, version, owner, (onStart) =>
      respond(at.slice(0, 10), ownedBy(db, owner, onStart)),
    )
    const representation = found instanceof Promise ? await found : found
    const changed = longPoll && (await longPoll(representation.text(), caller, services))
    if (changed)
      return createRepresentation(changed.response).respond(incoming.headers, { 'x-observed-at': changed.at })
    const { nextCursor } = representation
    return representation.respond(incoming.headers, {
      'x-observed-at': at,
      ...(nextCursor !== null && { link: linkToNext(nextCursor) }),
    })
  }
}
