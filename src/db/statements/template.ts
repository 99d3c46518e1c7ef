// The language of .sql files: ":name" is a parameter. "{{#name}} … {{/name}}" is part of the statement if the parameter is
// given, and "{{^name}} … {{/name}}" if it is null or absent.
//
// "any (:name::type[])" becomes a comparison with one value if the parameter has only one: this preserves the index order
// of later columns, "= any" does not.

type Part = string | Section

interface Section {
  condition: number
  isInverted: boolean
  parts: Part[]
}

const [absent, one, several] = ['0', '1', 'n']

export function parseTemplate(sql: string) {
  const conditionNames: string[] = []
  const parts = parseParts(sql, (name) => {
    if (!conditionNames.includes(name)) conditionNames.push(name)
    return conditionNames.indexOf(name)
  })

  return {
    /** The text with all parts. */
    everything: print(parts, () => true),
    /** The parameters that decide which parts are needed. */
    conditionNames,
    /** Identifies the statement that these parameters need. */
    shapeOf(params: Params) {
      let shape = ''
      for (const name of conditionNames) {
        const value = params[name]
        shape +=
          value === undefined || value === null ? absent : Array.isArray(value) && value.length === 1 ? one : several
      }
      return shape
    },
    textOf(shape: string) {
      const text = print(parts, ({ condition, isInverted }) => (shape[condition] === absent) === isInverted)
      return text.replace(/\bany \((:(\w+)::[\w.]+\[\])\)/g, (comparison, values: string, name: string) =>
        shape[conditionNames.indexOf(name)] === one ? `(${values})[1]` : comparison,
      )
    },
  }
}

function parseParts(sql: string, indexOf: (name: string) => number): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { 0: section, 1: kind, 2: name, 3: content, index } of sql.matchAll(
    /\{\{([#^])(\w+)\}\}(.*?)\{\{\/\2\}\}/gs,
  )) {
    parts.push(sql.slice(at, index))
    parts.push({ condition: indexOf(name!), isInverted: kind === '^', parts: parseParts(content!, indexOf) })
    at = index + section.length
  }
  parts.push(sql.slice(at))
  const [unmatched] = parts.flatMap((part) => (typeof part === 'string' ? (/\{\{.*?\}\}/.exec(part) ?? []) : []))
  if (unmatched !== undefined) throw new Error(`the statement has an unmatched ${unmatched}`)
  return parts
}

function print(parts: readonly Part[], isIncluded: (section: Section) => boolean): string {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part
    return isIncluded(part) ? print(part.parts, isIncluded) : ''
  })
  return texts.join('')
}

/**
 * Statements can include others: "{{name}}" is replaced by the fragment of that name, which can include others, too. Other
 * placeholders remain, and can be replaced later.
 */
export function include(sql: string, fragments: Readonly<Record<string, string>>): string {
  return sql.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const fragment = fragments[name]
    return fragment === undefined ? placeholder : include(fragment.trim(), fragments)
  })
}

/** Returns the part of a file that begins with "-- name: …", without this line. */
export function partsOf(sql: string): (name: string) => string {
  const [, ...parts] = sql.split(/^-- name: /m)
  const byName = new Map(parts.map((part) => part.split(/\n(.*)/s, 2) as [name: string, text: string]))
  return (name) => {
    const part = byName.get(name)
    if (part === undefined) throw new Error(`the file has no part ${name}`)
    return part.trim()
  }
}

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
