// Holds waiting items of several owners, which take turns: an owner with many items does not delay the others.

export type RoundRobinQueue<Item> = ReturnType<typeof createRoundRobinQueue<Item>>

export function createRoundRobinQueue<Item>() {
  const byOwner = new Map<string, Set<Item>>()
  let size = 0

  /** Does nothing if the item does not wait. */
  function remove(owner: string, item: Item) {
    const items = byOwner.get(owner)
    if (!items?.delete(item)) return
    size--
    if (items.size === 0) byOwner.delete(owner)
  }

  return {
    get size() {
      return size
    },
    /** The items of each owner in the order of their arrival, and the owners in the order of their turns. */
    byOwner: byOwner as ReadonlyMap<string, ReadonlySet<Item>>,
    add(owner: string, item: Item) {
      const items = byOwner.get(owner)
      if (items) items.add(item)
      else byOwner.set(owner, new Set([item]))
      size++
    },
    remove,
    /**
     * Removes the first eligible item of the owner whose turn it is, and returns it. Owners that may not take their turn
     * keep it for later.
     */
    next(mayTakeTurn: (owner: string) => boolean, isEligible: (item: Item) => boolean = () => true): Item | undefined {
      for (const [owner, items] of byOwner) {
        if (!mayTakeTurn(owner)) continue
        for (const item of items) {
          if (!isEligible(item)) continue
          remove(owner, item)
          // If it has more items, the owner waits behind all others.
          if (byOwner.delete(owner)) byOwner.set(owner, items)
          return item
        }
      }
      return undefined
    },
  }
}
