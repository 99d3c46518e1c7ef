// Finds what a tracker has deleted: its number of tasks, comments and time entries must be what the copy will have.

import { Drifted, type Item, type Kind, type Tracker } from './adapter.ts'
import type { Copy, KnownItem } from './copy.ts'
import { TrackerError } from './http/tracker-error.ts'

const maxAttempts = 5
/** Of more deletions since the last round, a census is as quick. */
const maxBisected = 5
/** A tracker whose lists never end must not be read for ever. */
const maxListed = 1_000_000

/** Returns whether something on the page differs from what was known before. */
type OnPage = (items: readonly Item[]) => Promise<boolean>

/** Reads all pages of everything, or of what has a stamp of `since` or later. Returns the ids that were on them. */
export async function readAll(
  tracker: Tracker,
  kind: Kind,
  since: Date | undefined,
  onPage: OnPage,
): Promise<{ ids: Set<string>; pages: number }> {
  const isBackward = since === undefined && !tracker.newestFirst[kind]
  for (let attempt = 1; ; attempt++) {
    try {
      return await (isBackward ? readBackward(tracker, kind, onPage) : readForward(tracker, kind, since, onPage))
    } catch (error) {
      if (!(error instanceof Drifted) || attempt === maxAttempts) throw error
    }
  }
}

/** What comes before a page while pages are read moves its first rows to it again. What goes moves them away. */
async function readForward(tracker: Tracker, kind: Kind, since: Date | undefined, onPage: OnPage) {
  const ids = new Set<string>()
  let known = 0
  for (let number = 1; ; number++) {
    const { items, total } = await tracker.page(kind, number, since)
    if (total < known) throw new Drifted(`a list of ${total} after one of ${known}`)
    known = checkTotal(total)
    for (const { externalId } of items) ids.add(externalId)
    await onPage(items)
    if (items.length === 0 || number * tracker.pageSize >= total) return { ids, pages: number }
  }
}

/** Where the newest are last: what is created then moves nothing, and what goes moves rows to pages that are read later. */
async function readBackward(tracker: Tracker, kind: Kind, onPage: OnPage) {
  const ids = new Set<string>()
  const { total } = await tracker.page(kind, 1)
  const pages = Math.max(Math.ceil(checkTotal(total) / tracker.pageSize), 1)
  for (let number = pages; number >= 1; number--) {
    const { items } = await tracker.page(kind, number)
    for (const { externalId } of items) ids.add(externalId)
    await onPage(items)
  }
  return { ids, pages }
}

function checkTotal(total: number): number {
  if (total > maxListed) throw new TrackerError(`the tracker lists more than ${maxListed} objects of one kind`)
  return total
}

/**
 * Returns what the copy has, or the round has read, and the tracker no longer has. `listed` are the ids on all pages, if the
 * round has read them.
 */
export async function findVanished(
  tracker: Tracker,
  copy: Copy,
  kind: Kind,
  listed: Set<string> | undefined,
): Promise<KnownItem[]> {
  let ids = listed
  // If nothing was deleted, the numbers are equal. What was created since its list was read is among the newest. Also after
  // all pages were read: what is deleted meanwhile can be listed without its labels. The newest ones can, too, so if they
  // differ, they are counted again.
  for (let attempt = 1; ; attempt++) {
    const { items, total } = await readNewest(tracker, kind, ids?.size ?? copy.count(kind))
    const wasRead = items.some(copy.wasRead)
    const differs = await copy.add(items)
    for (const { externalId } of items) ids?.add(externalId)
    // Otherwise there may be more between these and what was read.
    const isConnected = items.length === total || wasRead || items.some(copy.isKnown)
    const expected = ids?.size ?? copy.count(kind)
    const isExplained = total === expected && isConnected
    if (isExplained && !differs) break
    if (attempt === maxAttempts) throw new Drifted(`there are ${total} instead of ${expected}`)
    if (isExplained || (total > expected && attempt <= 2)) continue
    ids =
      (await bisect(tracker, kind, await copy.list(kind), total)) ??
      (await readAll(tracker, kind, undefined, copy.add)).ids
  }
  return ids ? (await copy.list(kind)).filter(({ externalId }) => !ids.has(externalId)) : []
}

/** The newest ones, from the one at position `count` in the order of creation. */
async function readNewest(tracker: Tracker, kind: Kind, count: number) {
  if (tracker.newestFirst[kind]) return tracker.page(kind, 1)
  const number = Math.max(Math.ceil(count / tracker.pageSize), 1)
  const page = await tracker.page(kind, number)
  if (page.total <= Math.max(count, number * tracker.pageSize)) return page
  const next = await tracker.page(kind, number + 1)
  return { items: [...page.items, ...next.items], total: next.total }
}

/**
 * Finds what is missing by its position: returns the ids that remain, or undefined if that does not explain the total. Few
 * requests, because the list of the copy is in the order of the tracker, and each page tells on which side of it something
 * is missing.
 */
async function bisect(tracker: Tracker, kind: Kind, known: readonly KnownItem[], total: number) {
  const ours = known.map(({ externalId }) => externalId)
  if (!tracker.isOrdered[kind]) return undefined
  if (ours.length <= total || ours.length - total > maxBisected) return undefined
  if (tracker.newestFirst[kind]) ours.reverse()
  const { pageSize } = tracker
  const pages = new Map<number, readonly string[]>()
  /** Undefined if the list changes meanwhile. */
  async function read(number: number) {
    if (!pages.has(number)) {
      const page = await tracker.page(kind, number)
      if (page.total !== total) return undefined
      pages.set(number, page.items.map(({ externalId }) => externalId)) // prettier-ignore
    }
    return pages.get(number)!
  }
  while (ours.length > total) {
    let [low, high] = [1, Math.ceil(total / pageSize) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const page = await read(middle)
      if (!page) return undefined
      if (page.at(-1) === ours[Math.min(middle * pageSize, total) - 1]) low = middle + 1
      else high = middle
    }
    const first = (low - 1) * pageSize
    const page = first < total ? await read(low) : []
    if (!page) return undefined
    const at = page.findIndex((id, n) => id !== ours[first + n])
    const [missing] = ours.splice(at < 0 ? total : first + at, 1)
    // The order is another one.
    if (at >= 0 && (missing === undefined || !ours.includes(page[at]!))) return undefined
  }
  return new Set(ours)
}
