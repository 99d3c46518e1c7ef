// A follower keeps a copy by the changes of a project, or of everything that a key can access, and goes back to earlier
// copies at random.

import type { Instance } from '../freshness/instances.ts'
import type { Copy } from '../support/lists-copy.ts'
import type { Choice } from './random-writes.ts'

interface Item {
  kind: string
  op: string
  projectId: string
  id: string
  object: object | null
}

export interface Follower {
  /** Reads some pages, unless it is told to stop. */
  readWhile(isWriting: () => boolean): Promise<void>
  /** Waits for changes until it is told to stop. Returns false if the last response had to come, and did not. */
  waitWhile(isWriting: () => boolean): Promise<boolean>
  /** Reads until there is no more, and returns the copies by project. Undefined: there is no end. */
  catchUp(): Promise<ReadonlyMap<string, Copy> | undefined>
}

export interface FollowerCounts {
  pages: number
  items: number
  deletions: number
  departures: number
  starts: number
  expired: number
  rewinds: number
}

const maxPages = 12
/** More than there are, as long as nothing is written. */
const mostPages = 3_000

/** The path ends with /changes. The key can change: it may have been rotated. */
export function createFollower(
  instances: Instance[],
  key: () => string,
  path: string,
  kinds: readonly string[] | undefined,
  counts: FollowerCounts,
  choice: Choice,
): Follower {
  let copies = new Map<string, Copy>()
  let cursor: string | undefined
  const kept: { copies: Map<string, Copy>; cursor: string | undefined }[] = []

  async function readPage(limit: number, wait = '0'): Promise<{ hasMore: boolean; isEmpty: boolean }> {
    const parameters = new URLSearchParams({
      limit: String(limit),
      wait,
      ...(kinds && { kinds: kinds.join() }),
      ...(cursor && { cursor }),
    })
    const target = `${path}?${parameters}`
    const reply = await choice.pick(instances).ask('GET', target, { authorization: `Bearer ${key()}` })
    counts.pages++
    if (cursor === undefined) counts.starts++
    // The project does not exist, and its end was a change before.
    if (reply.status === 404) return { hasMore: false, isEmpty: false }
    if (reply.status === 410) {
      counts.expired++
      copies = new Map()
      cursor = undefined
      return { hasMore: true, isEmpty: false }
    }
    if (reply.status !== 200) throw new Error(`${target}: ${reply.status} ${String(reply.body)}`)
    const { data, meta } = JSON.parse(String(reply.body)) as {
      data: Item[]
      meta: { cursor: string; hasMore: boolean }
    }
    if (data.length > limit) throw new Error(`${data.length} items instead of ${limit}`)
    for (const item of data) apply(item)
    cursor = meta.cursor
    return { hasMore: meta.hasMore, isEmpty: data.length === 0 && !meta.hasMore }
  }

  function apply({ kind, op, projectId, id, object }: Item) {
    counts.items++
    const copy = copies.get(projectId) ?? new Map<string, string>()
    if (op === 'upsert') copies.set(projectId, copy.set(`${kind} ${id}`, JSON.stringify(object)))
    else if (kind === 'project') copies.delete(projectId)
    else copy.delete(`${kind} ${id}`)
    if (op === 'delete') counts.deletions++
    if (op === 'out_of_scope') counts.departures++
  }

  return {
    async readWhile(isWriting) {
      for (let pages = choice.below(maxPages); pages > 0 && isWriting(); pages--) {
        if (choice.chance(0.1)) kept.push({ copies: copyOf(copies), cursor })
        if (kept.length > 5) kept.splice(choice.below(kept.length), 1)
        if (kept.length > 0 && choice.chance(0.05)) {
          counts.rewinds++
          const earlier = choice.pick(kept)
          copies = copyOf(earlier.copies)
          cursor = earlier.cursor
        }
        await readPage(choice.pick([1, 2, 3, 7, 20, 100]))
      }
    },
    async waitWhile(isWriting) {
      let last
      do last = await readPage(200, '30')
      while (isWriting())
      return !last.isEmpty
    },
    async catchUp() {
      const limit = choice.pick([30, 200, 1_000])
      for (let pages = 1; (await readPage(limit)).hasMore; pages++) if (pages > mostPages) return undefined
      return copies
    },
  }
}

const copyOf = (copies: ReadonlyMap<string, Copy>) =>
  new Map([...copies].map(([project, copy]) => [project, new Map(copy)]))
