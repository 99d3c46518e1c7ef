// Parses the entity tags in If-Match and If-None-Match.

export interface EntityTag {
  weak: boolean
  /** The tag without its quotes. */
  opaque: string
}

const pattern = /(W\/)?"([!#-~]*)"/g
const listPattern = /^(\s*(W\/)?"[!#-~]*"\s*(,|$))+$/

/** Returns the tags of a header, "*" for any, null if it is absent, and undefined if it is malformed. */
export function readTags(values: readonly string[] | undefined): EntityTag[] | '*' | null | undefined {
  const text = values?.join(',').trim()
  if (text === undefined) return null
  if (text === '*') return '*'
  if (!listPattern.test(text)) return undefined
  return [...text.matchAll(pattern)].map(([, weak, opaque]) => ({ weak: weak !== undefined, opaque: opaque! }))
}
