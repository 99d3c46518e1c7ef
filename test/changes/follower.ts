// A follower keeps a copy of a project by its changes, and goes back to earlier copies at random.

import type { Instance } from '../freshness/instances.ts'
import type { Copy } from '../support/lists-copy.ts'
import type { Choice } from './random-writes.ts'

interface Item {
  kind: string
  op: string
  id: string
  object: object | null
}

export interface Follower {
  /** Reads some pages, unless it is told to stop. */
  readWhile(isWriting: () => boolean): Promise<void>
  /** Reads until there is no more, and returns the copy. Undefined: there is no end. */
  catchUp(): Promise<Copy | undefined>
}

export interface FollowerCounts {
  pages: number
  items: number
  deletions: number
  starts: number
  expired: number
  rewinds: number
}

const maxPages = 12
/** More than any project has, as long as nothing is written. */
const mostPages = 3_000

export function createFollower(
  instances: Instance[],
  key: string,
  project: string,
  kinds: readonly string[] | undefined,
  counts: FollowerCounts,
  choice: Choice,
): Follower {
  let copy: Copy = new Map()
  let cursor: string | undefined
  const kept: { copy: Copy; cursor: string | undefined }[] = []

  /** Returns whether there is more. */
  async function readPage(limit: number): Promise<boolean> {
    const parameters = new URLSearchParams({
      limit: String(limit),
      ...(kinds && { kinds: kinds.join() }),
      ...(cursor && { cursor }),
    })
    const path = `/projects/${project}/changes?${parameters}`
    const reply = await choice.pick(instances).ask('GET', path, { authorization: `Bearer ${key}` })
    counts.pages++
    if (cursor === undefined) counts.starts++
    if (reply.status === 404) {
      // The project does not exist, and its end was a change before.
      return false
    }
    if (reply.status === 410) {
      counts.expired++
      copy = new Map()
      cursor = undefined
      return true
    }
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${String(reply.body)}`)
    const { data, meta } = JSON.parse(String(reply.body)) as {
      data: Item[]
      meta: { cursor: string; hasMore: boolean }
    }
    if (data.length > limit) throw new Error(`${data.length} items instead of ${limit}`)
    for (const item of data) apply(item)
    cursor = meta.cursor
    return meta.hasMore
  }

  function apply({ kind, op, id, object }: Item) {
    counts.items++
    if (op === 'upsert') copy.set(`${kind} ${id}`, JSON.stringify(object))
    else {
      counts.deletions++
      if (kind === 'project') copy.clear()
      else copy.delete(`${kind} ${id}`)
    }
  }

  return {
    async readWhile(isWriting) {
      for (let pages = choice.below(maxPages); pages > 0 && isWriting(); pages--) {
        if (choice.chance(0.1)) kept.push({ copy: new Map(copy), cursor })
        if (kept.length > 5) kept.splice(choice.below(kept.length), 1)
        if (kept.length > 0 && choice.chance(0.05)) {
          const earlier = choice.pick(kept)
          counts.rewinds++
          copy = new Map(earlier.copy)
          cursor = earlier.cursor
        }
        await readPage(choice.pick([1, 2, 3, 7, 20, 100]))
      }
    },
    async catchUp() {
      const limit = choice.pick([30, 200, 1_000])
      for (let pages = 1; await readPage(limit); pages++) if (pages > mostPages) return undefined
      return copy
    },
  }
}
