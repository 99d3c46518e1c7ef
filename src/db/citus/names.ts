// Statements name the tables and functions of the schema workgate. In a place, they have other names.

import { setNewest } from '../../runtime/newest-entries.ts'

/** Statements have many forms, because of their optional parts, and few are used. */
const maxTexts = 2_000

/** Returns a function that rewrites statements for a place. */
export function createRenaming(names: ReadonlyMap<string, string>): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const renamed = text.replace(/\bworkgate\.(\w+)/g, (name, own: string) => names.get(own) ?? name)
    setNewest(known, text, renamed, maxTexts)
    return renamed
  }
}
