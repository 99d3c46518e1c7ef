// Caches responses until their data changes. The cache has a maximum size in bytes and evicts the least recently used
// responses first.

import type { Owner } from '../../db/pool/owner.ts'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import { createPendingReads, type PendingReads } from './pending-reads.ts'
import type { ApiResponse } from './response.ts'
import { createRepresentation, type Representation } from './representation.ts'

export type ResponseCache<Known> = ReturnType<typeof createResponseCache<Known>>

/** Calls `onStart` when its statement gets a connection. From then on, requests of all owners share it. */
type Create = (onStart: () => void) => Promise<ApiResponse>

export interface Recalled<Known> {
  /** The version of the response. */
  version: string
  known: Known
  /** Use the response only if this version was confirmed after the request arrived. */
  use(): Representation
  forget(): void
}

/** The reads that are creating the response for one version. */
interface Pending {
  version: string
  reads: PendingReads<Representation>
}

interface Entry {
  cacheKey: string
  version: string
  representation: Representation
  bytes: number
  /** Those under which something is remembered. */
  names: Set<string>
}

/** The approximate size of a cache entry without its body and key. */
const entryOverheadBytes = 1_000

export function createResponseCache<Known>(maxBytes: number) {
  const entries = new Map<string, Entry>()
  const remembered = new Map<string, Recalled<Known>>()
  const pending = new Map<string, Pending>()
  const counts = { hits: 0, shared: 0, misses: 0, evictions: 0, bytes: 0, entries: 0 }

  function remove(cacheKey: string) {
    const entry = entries.get(cacheKey)
    if (!entry) return
    for (const name of entry.names) remembered.delete(name)
    counts.bytes -= entry.bytes
    entries.delete(cacheKey)
    counts.entries = entries.size
  }

  function store(cacheKey: string, version: string, representation: Representation) {
    remove(cacheKey)
    const bytes = representation.bytes + 2 * cacheKey.length + entryOverheadBytes
    if (bytes > maxBytes) return
    entries.set(cacheKey, { cacheKey, version, representation, bytes, names: new Set() })
    counts.bytes += bytes
    counts.entries = entries.size
    evict()
  }

  function evict() {
    for (const cacheKey of entries.keys()) {
      if (counts.bytes <= maxBytes) return
      remove(cacheKey)
      counts.evictions++
    }
  }

  function addBytes(entry: Entry, bytes: number) {
    entry.bytes += bytes
    counts.bytes += bytes
    evict()
  }

  function use(entry: Entry): Representation {
    counts.hits++
    // A newer response may have replaced it since it was recalled.
    if (entries.get(entry.cacheKey) === entry) {
      // Reinserting the entry keeps the map in order of last use.
      entries.delete(entry.cacheKey)
      entries.set(entry.cacheKey, entry)
    }
    return entry.representation
  }

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
    const isStored = () => entries.get(cacheKey)?.version === version
    try {
      return await reads.add(owner, async (onStart) => {
        const representation = await createFor(cacheKey, () => create(onStart))
        if (isCurrent() && !isStored()) store(cacheKey, version, representation)
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
      const entry = entries.get(cacheKey)
      if (entry?.representation === representation) addBytes(entry, bytes)
    })
    return representation
  }

  return {
    counts,
    metrics: (): Metric[] => [
      catalogMetric('workgate_cache_hits_total', counts.hits),
      catalogMetric('workgate_cache_shared_total', counts.shared),
      catalogMetric('workgate_cache_misses_total', counts.misses),
      catalogMetric('workgate_cache_evictions_total', counts.evictions),
      catalogMetric('workgate_cache_bytes', counts.bytes),
      catalogMetric('workgate_cache_entries', counts.entries),
    ],

    /**
     * Returns the response for this version, cached or new. Read the version before the call: a response is then never
     * older than its version. Without a version, the response is always new, and not stored.
     */
    async find(cacheKey: string, version: string | undefined, owner: Owner, create: Create): Promise<Representation> {
      if (version === undefined) {
        counts.misses++
        return createFor(cacheKey, () => create(() => {}))
      }
      const entry = entries.get(cacheKey)
      return entry?.version === version ? use(entry) : findNew(cacheKey, version, owner, create)
    },

    /**
     * Remembers, with the cached response for this version, what a request has found out, under a name for equal
     * requests. Does nothing if the response is not cached.
     */
    remember(name: string, cacheKey: string, version: string, known: Known) {
      const entry = entries.get(cacheKey)
      if (entry?.version !== version) return
      remembered.set(name, { version, known, use: () => use(entry), forget: () => remembered.delete(name) })
      if (entry.names.has(name)) return
      entry.names.add(name)
      addBytes(entry, 2 * name.length + entryOverheadBytes)
    },

    /** Returns undefined once the response is no longer cached. */
    recall: (name: string) => remembered.get(name),
  }
}
