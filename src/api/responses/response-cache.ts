// Answers that were given, for whoever asks the same while nothing has changed. Kept in memory up to a number of bytes;
// what was not asked for the longest goes first.

import type { ApiResponse } from './response.ts'
import { createRepresentation, type Representation } from './representation.ts'

export interface ResponseCache {
  /**
   * The answer of this version: kept, being made for another request, or made now. The version was read before the call:
   * if anything is committed while the answer is made, it is newer than its version says, and only made once more.
   */
  find(question: string, version: string, make: () => Promise<ApiResponse>): Promise<Representation>
  readonly counts: { hits: number; shared: number; misses: number; evictions: number; bytes: number; entries: number }
}

interface Making {
  version: string
  representation: Promise<Representation>
}

interface Kept {
  version: string
  representation: Representation
  bytes: number
}

/** Of the objects around a kept answer, about. */
const bytesAround = 1_000

export function createResponseCache(maxBytes: number): ResponseCache {
  const kept = new Map<string, Kept>()
  const making = new Map<string, Making>()
  const counts = { hits: 0, shared: 0, misses: 0, evictions: 0, bytes: 0, entries: 0 }

  function forget(question: string) {
    counts.bytes -= kept.get(question)?.bytes ?? 0
    kept.delete(question)
    counts.entries = kept.size
  }

  function keep(question: string, version: string, representation: Representation) {
    forget(question)
    const bytes = representation.bytes + 2 * question.length + bytesAround
    if (bytes > maxBytes) return
    kept.set(question, { version, representation, bytes })
    counts.bytes += bytes
    counts.entries = kept.size
    makeRoom()
  }

  function makeRoom() {
    for (const question of kept.keys()) {
      if (counts.bytes <= maxBytes) return
      forget(question)
      counts.evictions++
    }
  }

  /** Compressed forms are made when they are asked for, and kept as well. */
  function grow(question: string, representation: Representation, bytes: number) {
    const entry = kept.get(question)
    if (entry?.representation !== representation) return
    entry.bytes += bytes
    counts.bytes += bytes
    makeRoom()
  }

  async function makeFor(question: string, make: () => Promise<ApiResponse>) {
    const answer = await make()
    const representation: Representation = createRepresentation(answer, (bytes) =>
      grow(question, representation, bytes),
    )
    return representation
  }

  return {
    counts,
    async find(question, version, make) {
      const entry = kept.get(question)
      if (entry?.version === version) {
        counts.hits++
        // Set again, the map is in the order of last use.
        kept.delete(question)
        kept.set(question, entry)
        return entry.representation
      }
      const other = making.get(question)
      if (other?.version === version) {
        counts.shared++
        return other.representation
      }
      counts.misses++
      const mine = { version, representation: makeFor(question, make) }
      making.set(question, mine)
      // Another one took its place when the version was another one: what took longer is not kept in place of it.
      const isLast = () => making.get(question) === mine
      try {
        const representation = await mine.representation
        if (isLast()) keep(question, version, representation)
        return representation
      } finally {
        if (isLast()) making.delete(question)
      }
    },
  }
}
