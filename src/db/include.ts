// Assembles a statement from several .sql files: "{{name}}" is replaced by the fragment of that name, which can include
// others.

export type Fragments = Readonly<Record<string, string>>

export function include(sql: string, fragments: Fragments): string {
  const placeholders = new Set<string>()
  const expand = (part: string): string =>
    part.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      placeholders.add(name)
      const fragment = fragments[name]
      if (fragment === undefined) throw new Error(`the statement needs the fragment ${name}`)
      return expand(fragment.trim())
    })
  const text = expand(sql)
  const unknown = Object.keys(fragments).filter((name) => !placeholders.has(name))
  if (unknown.length > 0) throw new Error(`the statement has no placeholder ${unknown.join(', ')}`)
  return text
}
