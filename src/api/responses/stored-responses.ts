// Stores responses with their versions. The store has a maximum size in bytes, and evicts the least recently used responses
// first.

import type { Representation } from './representation.ts'

export interface Recalled<Known> {
  /** The version of the response. */
  version: string
  known: Known
  /** Use the response only if this version was confirmed after the request arrived. */
  use(): Representation
  forget(): void
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

export function createStoredResponses<Known>(
  maxBytes: number,
  counts: { hits: number; evictions: number; bytes: number; entries: number },
) {
  const entries = new Map<string, Entry>()
  const remembered = new Map<string, Recalled<Known>>()

  function remove(cacheKey: string) {
    const entry = entries.get(cacheKey)
    if (!entry) return
    for (const name of entry.names) remembered.delete(name)
    counts.bytes -= entry.bytes
    entries.delete(cacheKey)
    counts.entries = entries.size
  }

  function grow(bytes: number) {
    counts.bytes += bytes
    for (const cacheKey of entries.keys()) {
      if (counts.bytes <= maxBytes) return
      remove(cacheKey)
      counts.evictions++
    }
  }

  function addBytes(entry: Entry, bytes: number) {
    entry.bytes += bytes
    grow(bytes)
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

  return {
    get: (cacheKey: string) => entries.get(cacheKey),
    use,
    addBytes,

    /** Replaces the response for another version. One that is larger than the store is not stored. */
    store(cacheKey: string, version: string, representation: Representation) {
      remove(cacheKey)
      const bytes = representation.bytes + 2 * cacheKey.length + entryOverheadBytes
      if (bytes > maxBytes) return
      entries.set(cacheKey, { cacheKey, version, representation, bytes, names: new Set() })
      counts.entries = entries.size
      grow(bytes)
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
