// What the targets of reads say. It never changes, so those that come again are not taken apart again.

import type { Incoming } from './context.ts'
import type { Place } from './router.ts'

export interface SeenTarget {
  path: string
  search: string
  place: Place
  /** As the endpoint's schema gives it. */
  query: unknown
  /** Path and query in one form, however they were written. */
  question: string
}

const mostTargets = 1_000
const longestTarget = 500

export function createSeenTargets() {
  const seen = new Map<string, SeenTarget>()
  return {
    find: ({ method, target }: Incoming): SeenTarget | undefined =>
      method === 'GET' || method === 'HEAD' ? seen.get(target) : undefined,

    /** To be called when nothing was wrong with it, so that no key which went into a URL is kept. */
    keep({ target }: Incoming, { path, search, place, query }: Omit<SeenTarget, 'question'>): SeenTarget {
      const parts = { path, search, place, query, question: `${path} ${JSON.stringify(query)}` }
      if (target.length > longestTarget) return parts
      if (seen.size === mostTargets) seen.clear()
      seen.set(target, parts)
      return parts
    },
  }
}
