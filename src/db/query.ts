// Turns a .sql file into a function: ":name" becomes a numbered parameter of a prepared statement.

import type { Runner } from './pool.ts'

export type Value = string | number | boolean | null | readonly string[]
export type Params = Readonly<Record<string, Value>>

export interface Statement {
  text: string
  names: readonly string[]
}

export type Query<Row> = ((db: Runner, params: Params) => Promise<Row[]>) & { statement: Statement }

export function query<Row>(sql: string): Query<Row> {
  const statement = prepare(sql)
  const run = (db: Runner, params: Params) =>
    db.run<Row>(statement.text, bind(statement, params), { projectId: String(params['projectId'] ?? '') })
  return Object.assign(run, { statement })
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

// Throws on a missing or unknown name. Otherwise, a misspelled filter would silently not be applied.
export function bind({ names }: Statement, params: Params): (string | number | boolean | null)[] {
  const unknown = Object.keys(params).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`the statement has no parameter ${unknown.join(', ')}`)
  return names.map((name) => {
    const value = params[name]
    if (value === undefined) throw new Error(`the statement needs the parameter ${name}`)
    return value !== null && typeof value === 'object' ? arrayLiteral(value) : value
  })
}

function arrayLiteral(values: readonly string[]): string {
  return '{' + values.map((value) => '"' + value.replace(/["\\]/g, '\\$&') + '"').join(',') + '}'
}
