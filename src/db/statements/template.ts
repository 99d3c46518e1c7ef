// Statements with parts that only some requests need. "{{#name}} … {{/name}}" is part of the statement if the parameter
// is not null; "{{#name.value}} … {{/name.value}}" if it has this value; "{{^…}} … {{/…}}" if the same is not true. An
// array has the value "one" if it has one element, "some" if 'none' is not among its elements, "none" if it is the only
// one, "both" if it is one of several, and "named" if an element is neither 'none' nor a UUID.
// "{{anyOf :name::type[]}}" compares with the only value of an array, or with any of several. Instead of the parameter,
// it can contain an expression with it.
//
// A comparison with one value preserves the index order of later columns; "= any" does not.

import type { Params, Value } from './statement.ts'

interface Condition {
  name: string
  value: string | undefined
}

type Part = string | Section

interface Section {
  condition: number
  isInverted: boolean
  parts: Part[]
}

export function parseTemplate(sql: string) {
  const conditions: Condition[] = []
  const indexes = new Map<string, number>()
  const parts = parseParts(expandAnyOf(sql), (condition) => {
    const known = indexes.get(condition)
    if (known !== undefined) return known
    const [, name, value] = /^(\w+)(?:\.(.+))?$/.exec(condition) ?? []
    if (name === undefined) throw new Error(`the statement has a malformed condition ${condition}`)
    indexes.set(condition, conditions.length)
    return conditions.push({ name, value }) - 1
  })

  return {
    /** The text with all parts. */
    everything: print(parts, () => true),
    /** The parameters that decide which parts are needed. */
    conditionNames: conditions.map(({ name }) => name),
    /** Identifies the parts of the statement that these parameters need. */
    shapeOf(params: Params) {
      let shape = ''
      for (const { name, value } of conditions) {
        const given = params[name]
        if (given === undefined) throw new Error(`the statement needs the parameter ${name}`)
        shape += holds(given, value) ? '1' : '0'
      }
      return shape
    },
    textOf: (shape: string) => print(parts, ({ condition, isInverted }) => (shape[condition] === '1') !== isInverted),
  }
}

const uuidLength = 36

const expandAnyOf = (sql: string) =>
  sql.replace(
    /\{\{anyOf ((?:(?!\}\}).)*?:(\w+)::[\w.]+\[\](?:(?!\}\}).)*)\}\}/gs,
    (_, values: string, name: string) =>
      `{{#${name}.one}}(${values})[1]{{/${name}.one}}{{^${name}.one}}any (${values}){{/${name}.one}}`,
  )

function parseParts(sql: string, indexOf: (condition: string) => number): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { 0: section, 1: kind, 2: condition, 3: content, index } of sql.matchAll(
    /\{\{([#^])([^}]+)\}\}(.*?)\{\{\/\2\}\}/gs,
  )) {
    parts.push(sql.slice(at, index))
    parts.push({ condition: indexOf(condition!), isInverted: kind === '^', parts: parseParts(content!, indexOf) })
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

function holds(given: Value, value: string | undefined): boolean {
  if (given === null || value === undefined) return given !== null
  if (typeof given !== 'object') return String(given) === value
  const includesNone = given.includes('none')
  switch (value) {
    case 'one':
      return given.length === 1
    case 'some':
      return !includesNone
    case 'none':
      return includesNone && given.length === 1
    case 'both':
      return includesNone && given.length > 1
    case 'named':
      return given.some((item) => item !== 'none' && item.length !== uuidLength)
    default:
      throw new Error(`an array has no value ${value}`)
  }
}

/** Statements can include others: "{{name}}" is replaced by the fragment of that name, which can include others, too. */
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
