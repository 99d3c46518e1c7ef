// Entity tags, as If-Match and If-None-Match list them.

export interface EntityTag {
  weak: boolean
  /** Without its quotes. */
  opaque: string
}

const form = /(W\/)?"([!#-~]*)"/g
const list = /^(\s*(W\/)?"[!#-~]*"\s*(,|$))+$/

/** The tags of a header, "*" where it stands for any, null where there is none, and undefined where it is broken. */
export function readTags(values: readonly string[] | undefined): EntityTag[] | '*' | null | undefined {
  const text = values?.join(',').trim()
  if (text === undefined) return null
  if (text === '*') return '*'
  if (!list.test(text)) return undefined
  return [...text.matchAll(form)].map(([, weak, opaque]) => ({ weak: weak !== undefined, opaque: opaque! }))
}
