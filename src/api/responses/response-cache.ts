// Caches responses until their data changes. Requests share the reads that create them.

import type { Owner } from '../../db/pool/connection-shares.ts'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import { createPendingReads, type PendingReads } from './pending-reads.ts'
import type { ApiResponse } from './response.ts'
import { createRepresentation, type Representation } from './representation.ts'
import { createStoredResponses } from './stored-responses.ts'

export type ResponseCache<Known> = ReturnType<typeof createResponseCache<Known>>

/** Calls `onStart` when its statement gets a connection. From then on, requests of all owners share it. */
type Create = (onStart: () => void) => Promise<ApiResponse>

/** The reads that are creating the response for one version. */
interface Pending {
  version: string
  reads: PendingReads<Representation>
}

const noCounts = { hits: 0, shared: 0, misses: 0, evictions: 0, bytes: 0, entries: 0 }

export function createResponseCache<Known>(maxBytes: number) {
  const pending = new Map<string, Pending>()
  const counts = { ...noCounts }
  const stored = createStoredResponses<Known>(maxBytes, counts)

  async function findNew(cacheKey: string, version: string, owner: Owner, create: Create): Promise<Representation> {
    let current = pending.get(cacheKey)
    if (current?.version !== version) {
      current = { version, reads: createPendingReads() }
      pending.set(cacheKey, current)
    }
    const { reads } = current
    const shared = reads.find(owner)
    if (shared) {
      counts.shared++
      return shared
    }
    counts.misses++
    // A request for another version may have replaced the reads. Their responses are not stored, even if they finish
    // last.
    const isCurrent = () => pending.get(cacheKey) === current
    const isStored = () => stored.get(cacheKey)?.version === version
    try {
      return await reads.add(owner, async (onStart) => {
        const representation = await createFor(cacheKey, () => create(onStart))
        if (isCurrent() && !isStored()) stored.store(cacheKey, version, representation)
        return representation
      })
    } finally {
      if (isCurrent() && reads.isEmpty()) pending.delete(cacheKey)
    }
  }

  async function createFor(cacheKey: string, create: () => Promise<ApiResponse>) {
    const response = await create()
    const representation: Representation = createRepresentation(response, (bytes) => {
      // A compressed form, which is created on first use and cached as well.
      const entry = stored.get(cacheKey)
      if (entry?.representation === representation) stored.addBytes(entry, bytes)
    })
    return representation
  }

  return {
    counts,
    metrics: () => metricsOf(counts),

    /**
     * Returns the response for this version, cached or new. Read the version before the call: a response is then never
     * older than its version. Without a version, the response is always new, and not stored.
     */
    async find(cacheKey: string, version: string | undefined, owner: Owner, create: Create): Promise<Representation> {
      if (version === undefined) {
        counts.misses++
        return createFor(cacheKey, () => create(() => {}))
      }
      const entry = stored.get(cacheKey)
      return entry?.version === version ? stored.use(entry) : findNew(cacheKey, version, owner, create)
    },

    remember: stored.remember,
    recall: stored.recall,
  }
}

const metricsOf = ({ hits, shared, misses, evictions, bytes, entries }: typeof noCounts): Metric[] => [
  catalogMetric('workgate_cache_hits_total', hits),
  catalogMetric('workgate_cache_shared_total', shared),
  catalogMetric('workgate_cache_misses_total', misses),
  catalogMetric('workgate_cache_evictions_total', evictions),
  catalogMetric('workgate_cache_bytes', bytes),
  catalogMetric('workgate_cache_entries', entries),
]
