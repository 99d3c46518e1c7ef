// Prepared statements: ":name" becomes a numbered parameter.

export type Value = string | number | boolean | null | readonly string[]
export type Params = Readonly<Record<string, Value>>

export interface Statement {
  text: string
  names: readonly string[]
}

export function prepare(sql: string): Statement {
  const names: string[] = []
  // Skips comments, quoted text and casts; any other ":name" is a parameter.
  const text = sql.replace(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"|::|:([a-zA-Z]\w*)/g, (match, name?: string) => {
    if (name === undefined) return match
    if (!names.includes(name)) names.push(name)
    return '$' + (names.indexOf(name) + 1)
  })
  return { text, names }
}

/** Throws on a missing parameter. */
export function bind({ names }: Statement, params: Params): (string | number | boolean | null)[] {
  return names.map((name) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the statement needs the parameter ${name}`)
    return value !== null && typeof value === 'object' ? arrayLiteral(value) : value
  })
}

function arrayLiteral(values: readonly string[]): string {
  return '{' + values.map((value) => '"' + value.replace(/["\\]/g, '\\$&') + '"').join(',') + '}'
}
