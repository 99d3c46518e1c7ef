// Makes ids of texts, for objects that have no id in the file.

const maxCharacters = 200

/** Returns a function whose ids are unique: later ones of the same text get a number. */
export function createIds(): (text: string) => string {
  const counts = new Map<string, number>()
  return (text) => {
    const id = idOf(text)
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    const suffix = count === 1 ? '' : ` (${count})`
    return cut(id, maxCharacters - suffix.length) + suffix
  }
}

/** An id contains no comma and no line break. */
export function idOf(text: string): string {
  return cut(text.replace(/[\s,]+/g, ' ').trim(), maxCharacters) || '-'
}

/** Counts characters like the database, and not UTF-16 code units. */
export function cut(text: string, characters: number): string {
  return text.length <= characters ? text : [...text].slice(0, characters).join('')
}
