// Holds waiting items of several owners, which take turns: an owner with many items does not delay the others.

export interface RoundRobinQueue<Item> {
  readonly size: number
  add(owner: string, item: Item): void
  /** Does nothing if the item does not wait. */
  remove(owner: string, item: Item): void
  /**
   * Removes the first eligible item of the owner whose turn it is, and returns it. Owners that may not take their turn
   * keep it for later.
   */
  next(mayTakeTurn: (owner: string) => boolean, isEligible?: (item: Item) => boolean): Item | undefined
  /** True if another owner has items. One owner is exempt. */
  hasOthers(owner: string, exempt: string): boolean
  count(owner: string): number
  /** The latest item of the owner with the most items, and their number. One owner is exempt. */
  latestOfMost(exempt: string): { item: Item; count: number } | undefined
  items(): Item[]
}

export function createRoundRobinQueue<Item>(): RoundRobinQueue<Item> {
  /** In the order of turns: an owner that had its turn moves to the end. */
  const waiting = new Map<string, Set<Item>>()
  let size = 0

  function remove(owner: string, item: Item) {
    const items = waiting.get(owner)
    if (!items?.delete(item)) return
    size--
    if (items.size === 0) waiting.delete(owner)
  }

  function moveToEnd(owner: string) {
    const items = waiting.get(owner)
    if (!items) return
    waiting.delete(owner)
    waiting.set(owner, items)
  }

  return {
    get size() {
      return size
    },
    add(owner, item) {
      const items = waiting.get(owner)
      if (items) items.add(item)
      else waiting.set(owner, new Set([item]))
      size++
    },
    remove,
    next(mayTakeTurn, isEligible = () => true) {
      for (const [owner, items] of waiting) {
        if (!mayTakeTurn(owner)) continue
        for (const item of items) {
          if (!isEligible(item)) continue
          remove(owner, item)
          moveToEnd(owner)
          return item
        }
      }
      return undefined
    },
    hasOthers: (owner, exempt) =>
      waiting.size > Number(waiting.has(owner)) + Number(owner !== exempt && waiting.has(exempt)),
    count: (owner) => waiting.get(owner)?.size ?? 0,
    latestOfMost(exempt) {
      let most: Set<Item> | undefined
      for (const [owner, items] of waiting) if (owner !== exempt && items.size > (most?.size ?? 0)) most = items
      return most && { item: [...most].at(-1)!, count: most.size }
    },
    items: () => [...waiting.values()].flatMap((items) => [...items]),
  }
}
