// Responds to reads, from the cache or with a new response, in the representation that the client prefers. The result of
// the stages in app.ts is remembered with the cached response, so that the next request with the same key and URL needs
// only one function, respondAgain(), if nothing has changed.

import type { Database } from '../db/database.ts'
import { ownerOfKey } from '../db/pool/connection-shares.ts'
import { projectsOwnedBy } from '../db/projects.ts'
import { sha256 } from './access/key-text.ts'
import type { LimitKey } from './access/rate-limit.ts'
import type { Admission } from './access/authenticate.ts'
import type { ValidRead } from './endpoint.ts'
import type { Freshness } from './freshness/freshness.ts'
import type { Incoming } from './incoming.ts'
import { linkToNextPage } from './lists/cursor.ts'
import { ClientDisconnected } from './problems/problem.ts'
import type { FindPublicUrl } from './public-url.ts'
import type { ResponseCache } from './responses/response-cache.ts'
import type { Representation } from './responses/representation.ts'
import type { SentResponse } from './responses/response.ts'
import type { Recalled } from './responses/stored-responses.ts'
import type { CachedRead, OnProgress, Permitted, Received } from './stages.ts'
import type { Waiting, Wish } from './waiting.ts'

export interface ReadParts {
  db: Database
  cache: ResponseCache<CachedRead>
  freshness: Freshness
  limitKey: LimitKey
  findPublicUrl: FindPublicUrl
  recordUse(keyId: string): void
  waiting: Waiting
}

const maxTargetLength = 500

export function createReads(parts: ReadParts) {
  const { db, cache, freshness, limitKey, findPublicUrl, recordUse, waiting } = parts

  async function send(
    representation: Representation,
    { headers }: Incoming,
    observedAt: string,
    link: CachedRead['link'],
  ): Promise<SentResponse> {
    const chosen = representation.respond(headers)
    const form = chosen instanceof Promise ? await chosen : chosen
    const added: Record<string, string> = { 'x-observed-at': observedAt }
    if (link) added['link'] = link(findPublicUrl(headers))
    // Each repeated read makes this object. A spread would cost more.
    const { status, headers: own, fields, body } = form
    return { status, headers: own, fields, body, added }
  }

  return {
    /** Returns what is remembered for the key and the URL of a request. */
    recall: ({ name }: Received) => (name === undefined ? undefined : cache.recall(name)),

    /**
     * Returns the response, or what is known with the current version, if that is another one. What can change without a
     * new version is checked again: the times of the key, its rate limit, and what depends on the headers.
     */
    async respondAgain(
      received: Received,
      { version, known, use, forget }: Recalled<CachedRead>,
      onProgress: OnProgress,
    ): Promise<SentResponse | CachedRead> {
      const { incoming } = received
      const { target, match, path, admission, link } = known
      const { key, scope, keyScope, validUntil } = admission
      const owner = ownerOfKey(key.id)
      const confirmed = await freshness.check(scope, { keyScope, isDisconnected: incoming.isDisconnected, owner })
      const isSameKey = confirmed.keyVersion === admission.confirmed.keyVersion
      const isInTime = validUntil === null || confirmed.at < validUntil
      // Versions are random, so names that mean another project also have another version.
      if (confirmed.version !== version || !isSameKey || !isInTime) {
        forget()
        return { ...known, admission: { ...admission, confirmed } }
      }
      const state = { ...received, target, match, path, admission }
      onProgress(state)
      db.markActive(owner)
      if (keyScope !== undefined) recordUse(key.id)
      const consumed = limitKey(key)
      const allowance = consumed instanceof Promise ? await consumed : consumed
      onProgress({ ...state, allowance })
      return send(use(), incoming, confirmed.at, link)
    },

    /** `admitAgain` identifies the key as it is now, or throws the problem that a new request would get. */
    async respond(
      { incoming, name, target, match, path, admission, deprecation }: Permitted,
      read: ValidRead,
      admitAgain: () => Promise<Admission>,
    ): Promise<SentResponse> {
      if (incoming.isDisconnected()) throw new ClientDisconnected()

      async function find({ key, confirmed: { version, at, source } }: Admission) {
        const { cacheKey, needsPrimary, respond } = read(path, key)
        const owner = ownerOfKey(key.id)
        const servers = needsPrimary ? source.projects : source.reads
        const representation = await cache.find(cacheKey, version, owner, (onStart) =>
          respond(at.slice(0, 10), projectsOwnedBy(servers, owner, onStart)),
        )
        return { cacheKey, version, at, representation }
      }

      /** Returns the first response that is not pending, or the last one. */
      async function findWaiting(wish: Wish) {
        const watch = waiting.open(admission.key.id, wish, incoming.onDisconnect)
        /** Returns nothing if the request has to wait: thousands that wait must not keep their responses in memory. */
        async function findUnlessPending(admission: Admission) {
          let current = admission
          while (!(await watch.turn(current, read(path, current.key).wish!.concerns))) current = await admitAgain()
          if (incoming.isDisconnected()) throw new ClientDisconnected()
          const found = await find(current)
          return found.representation.isPending && !watch.isOver() ? undefined : found
        }
        try {
          let found = await findUnlessPending(admission)
          if (!found) await watch.begin()
          while (!found) {
            // Its version is confirmed after the watch has begun.
            found = await findUnlessPending(await admitAgain())
            if (!found) await watch.next()
          }
          return found
        } finally {
          watch.close()
        }
      }

      const { wish } = read(path, admission.key)
      const { cacheKey, version, at, representation } = await (wish ? findWaiting(wish) : find(admission))
      const { nextCursor } = representation
      const link = nextCursor === null ? undefined : linkToNextPage(target, nextCursor)
      if (name !== undefined && version !== undefined && !wish && !deprecation)
        cache.remember(name, cacheKey, version, { target, match, path, admission, read, link })
      return send(representation, incoming, at, link)
    },
  }
}

/** Names the key and the URL of a read, without the text of the key. Undefined for other requests. */
export function nameOfRead({ method, target, headers, hasBody }: Incoming): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || hasBody || target.length > maxTargetLength) return undefined
  const { authorization, 'x-api-key': apiKey } = headers
  if (!authorization && !apiKey) return undefined
  return `${sha256(`${authorization?.join('\n')}\n\n${apiKey?.join('\n')}`)} ${target}`
}
