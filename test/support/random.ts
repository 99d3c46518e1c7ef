/** Generates numbers from 0 to 1 that are the same in each run (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Makes random choices for generated data and requests. They are the same in each run. */
export function chooser(seed: number) {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const chance = (share: number) => next() < share
  const times = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at))
  return {
    below,
    pick,
    chance,
    times,
    /** Picks up to this many different elements of the list. */
    some: <T>(list: readonly T[], most: number): T[] =>
      list.length === 0 ? [] : [...new Set(times(below(most + 1), () => pick(list)))],
    maybe: <T>(share: number, make: () => T): T | null => (chance(share) ? make() : null),
    /** Makes a UUID. Half of them start with the same eight digits, so that they sort close to each other. */
    id(): string {
      const hex = (digits: number) => times(digits, () => below(16).toString(16)).join('')
      return `019a${chance(0.5) ? '0000' : hex(4)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`
    },
  }
}
