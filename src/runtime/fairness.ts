// Shares among owners: a number of places, and turns.

/**
 * Divides a number of places. An owner may take another place only while it holds fewer than are free: one greedy owner gets
 * half of the places, and two get a third each. `minFree` is the number of places that must be free for each one that an
 * owner holds, before it takes another.
 */
export function createFairLimit(max: number, minFree = 1) {
  const places = new Map<string, number>()
  let taken = 0
  const held = (owner: string) => places.get(owner) ?? 0

  return {
    get free() {
      return max - taken
    },
    held,
    /** True if the owner holds so few places, compared with the free ones, that it may take another, or several. */
    mayTake: (owner: string, count = 1) => (held(owner) + count - 1) * minFree < max - taken - count + 1,
    take(owner: string, count = 1) {
      places.set(owner, held(owner) + count)
      taken += count
    },
    release(owner: string, count = 1) {
      const left = held(owner) - count
      if (left === 0) places.delete(owner)
      else places.set(owner, left)
      taken -= count
    },
    releaseAll() {
      places.clear()
      taken = 0
    },
  }
}

export type RoundRobinQueue<Item> = ReturnType<typeof createRoundRobinQueue<Item>>

/** Holds waiting items of several owners, which take turns: an owner with many items does not delay the others. */
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
