// Describes unknown names of parameters and fields, and suggests the most similar known name.

export function describeUnknownName(name: string, names: readonly string[]): { name: string; message: string } {
  const nearest = findNearest(name, names)
  const known = names.length === 0 ? 'none are allowed here' : `valid names are ${names.join(', ')}`
  return { name, message: nearest ? `is unknown; did you mean ${nearest}?` : `is unknown; ${known}` }
}

export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const normalized = normalize(word)
  const [best] = candidates
    // The distance is at least the difference of the lengths. Computing it is slow.
    .filter((candidate) => Math.abs(normalized.length - normalize(candidate).length) <= maxDistance(candidate))
    .map((candidate) => ({ candidate, distance: distance(normalized, normalize(candidate)) }))
    .filter(({ candidate, distance }) => distance <= maxDistance(candidate))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** The maximum distance of a similar name. Names of one or two letters are similar to too many others. */
const maxDistance = ({ length }: string) => (length < 3 ? 0 : Math.ceil(length / 3))

function normalize(word: string): string {
  return word.slice(0, 40).toLowerCase().replaceAll(/[_-]/g, '')
}

/** The Levenshtein distance: the number of letters to add, remove or change. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
