// What the targets of reads say. It never changes, so those that come again are not taken apart again.

import type { Incoming } from './incoming.ts'
import type { RouteMatch } from './router.ts'

export interface SeenTarget {
  path: string
  search: string
  place: RouteMatch
  /** As the endpoint's schema gives it. */
  query: unknown
  /** Path and query in one form, however they were written. */
  question: string
}

const maxTargets = 1_000
const maxTargetLength = 500

export function createSeenTargets() {
  const seen = new Map<string, SeenTarget>()
  return {
    find: ({ method, target }: Incoming): SeenTarget | undefined =>
      method === 'GET' || method === 'HEAD' ? seen.get(target) : undefined,

    /** To be called when nothing was wrong with it, so that no key which went into a URL is kept. */
    keep({ target }: Incoming, { path, search, place, query }: Omit<SeenTarget, 'question'>): SeenTarget {
      const parts = { path, search, place, query, question: `${path} ${JSON.stringify(query)}` }
      if (target.length > maxTargetLength) return parts
      if (seen.size === maxTargets) seen.clear()
      seen.set(target, parts)
      return parts
    },
  }
}
