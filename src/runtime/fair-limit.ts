// Divides a number of places fairly among owners. An owner may take another place only while it holds fewer than are
// free: one greedy owner gets half of the places, and two get a third each.

/** `minFree` is the number of places that must be free for each one that an owner holds, before it takes another. */
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
