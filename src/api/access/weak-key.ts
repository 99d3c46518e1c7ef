// Recognizes plain keys that were not chosen at random because they repeat themselves.

const minDifferentTriples = 20

/**
 * Counts the different groups of three neighboring characters. Of 32 random characters, even hex digits, nearly all 30
 * groups differ; "aaaa…" has one, and "changeme-changeme-…" has nine. Sentences and names are not recognized.
 */
export function isRepetitive(key: string): boolean {
  const triples = Array.from({ length: key.length - 2 }, (_, start) => key.slice(start, start + 3))
  return new Set(triples).size < minDifferentTriples
}
