// Caches responses until their data changes. The cache has a maximum size in bytes and evicts the least recently used
// responses first.

import type { Owner } from '../../db/pool/owner.ts'
import { createPendingReads, type PendingReads } from './pending-reads.ts'
import type { ApiResponse } from './response.ts'
import { createRepresentation, type Representation } from './representation.ts'

export interface ResponseCache {
  /**
   * Returns the response for this version, cached or new. Read the version before the call: a response is then never
   * older than its version. Without a version, the response is always new, and not stored. For a cached response, there
   * is no promise.
   *
   * `create` calls `onStart` when its statement gets a connection. From then on, requests of all owners share it.
   */
  find(
    cacheKey: string,
    version: string | undefined,
    owner: Owner,
    create: (onStart: () => void) => Promise<ApiResponse>,
  ): Promise<Representation> | Representation
  readonly counts: { hits: number; shared: number; misses: number; evictions: number; bytes: number; entries: number }
}

/** The reads that are creating the response for one version. */
interface Pending {
  version: string
  reads: PendingReads<Representation>
}

interface Entry {
  version: string
  representation: Representation
  bytes: number
}

/** The approximate size of a cache entry without its body and key. */
const entryOverheadBytes = 1_000

export function createResponseCache(maxBytes: number): ResponseCache {
  const entries = new Map<string, Entry>()
  const pending = new Map<string, Pending>()
  const counts = { hits: 0, shared: 0, misses: 0, evictions: 0, bytes: 0, entries: 0 }

  function remove(cacheKey: string) {
    counts.bytes -= entries.get(cacheKey)?.bytes ?? 0
    entries.delete(cacheKey)
    counts.entries = entries.size
  }

  function store(cacheKey: string, version: string, representation: Representation) {
    remove(cacheKey)
    const bytes = representation.bytes + 2 * cacheKey.length + entryOverheadBytes
    if (bytes > maxBytes) return
    entries.set(cacheKey, { version, representation, bytes })
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

  /** Adds the size of a compressed form, which is created on first use and cached as well. */
  function addBytes(cacheKey: string, representation: Representation, bytes: number) {
    const entry = entries.get(cacheKey)
    if (entry?.representation !== representation) return
    entry.bytes += bytes
    counts.bytes += bytes
    evict()
  }

  async function findNew(
    cacheKey: string,
    version: string,
    owner: Owner,
    create: (onStart: () => void) => Promise<ApiResponse>,
  ): Promise<Representation> {
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
    const representation: Representation = createRepresentation(response, (bytes) =>
      addBytes(cacheKey, representation, bytes),
    )
    return representation
  }

  return {
    counts,
    find(cacheKey, version, owner, create) {
      if (version === undefined) {
        counts.misses++
        return createFor(cacheKey, () => create(() => {}))
      }
      const entry = entries.get(cacheKey)
      if (entry?.version === version) {
        counts.hits++
        // Reinserting the entry keeps the map in order of last use.
        entries.delete(cacheKey)
        entries.set(cacheKey, entry)
        return entry.representation
      }
      return findNew(cacheKey, version, owner, create)
    },
  }
}
