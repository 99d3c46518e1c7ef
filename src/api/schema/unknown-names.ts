// Names of parameters and fields that are not known, and what may have been meant.

/** What is wrong with a name that is none of those that there are. */
export function unknownName(name: string, names: readonly string[]): { name: string; message: string } {
  const meant = nearest(name, names)
  const known = names.length === 0 ? 'none are taken here' : `there are ${names.join(', ')}`
  return { name, message: meant ? `is unknown; did you mean ${meant}?` : `is unknown; ${known}` }
}

function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distance(fold(word), fold(candidate)) }))
    .filter(({ candidate, distance }) => distance <= likely(candidate))
    .sort((a, b) => a.distance - b.distance)
  return best?.candidate
}

/** How many letters may be wrong. Of one or two letters none: too much is near to those. */
const likely = ({ length }: string) => (length < 3 ? 0 : Math.ceil(length / 3))

function fold(word: string): string {
  return word.slice(0, 40).toLowerCase().replaceAll(/[_-]/g, '')
}

/** Levenshtein's: how many letters to add, drop or change. */
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
