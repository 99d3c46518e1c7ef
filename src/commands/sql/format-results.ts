// Formats the results of statements: as a table for people, as CSV, or as JSON.

import type { Result } from '../../db/pool/connection.ts'
import { escapeText } from '../../runtime/text-lines.ts'
import { formatTable } from '../format-table.ts'

export type Format = (result: Result) => string | undefined

/** Right for people: characters that a terminal would obey are escaped. */
export const asTable: Format = ({ command, columns, rows }) => {
  if (columns.length === 0) return command
  const cells = rows.map((row) => row.map((value) => escapeText(value ?? '')))
  const rule = columns.map(({ name }, n) => '-'.repeat(Math.max(name.length, ...cells.map((row) => row[n]!.length))))
  const count = `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`
  return `${formatTable([columns.map(({ name }) => escapeText(name)), rule, ...cells])}\n${count}\n`
}

export const asCsv: Format = ({ columns, rows }) => {
  if (columns.length === 0) return undefined
  const lines = [columns.map(({ name }) => name), ...rows]
  return lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')
}

/** Without quotes, an empty cell is null. */
function csvCell(value: string | null): string {
  if (value === null) return ''
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/** An array of objects on one line. */
export const asJson: Format = ({ columns, rows }) => {
  if (columns.length === 0) return undefined
  const objects = rows.map((row) => {
    const members = row.map((value, n) => `${JSON.stringify(columns[n]!.name)}:${jsonValue(value, columns[n]!.type)}`)
    return `{${members.join(',')}}`
  })
  return `[${objects.join(',')}]`
}

/** The numbers of PostgreSQL's types. */
const types = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  json: 114,
  float4: 700,
  float8: 701,
  numeric: 1700,
  jsonb: 3802,
}
const numbers = [types.int2, types.int4, types.int8, types.float4, types.float8, types.numeric]

function jsonValue(value: string | null, type: number): string {
  if (value === null) return 'null'
  if (type === types.bool) return value === 't' ? 'true' : 'false'
  if (type === types.json || type === types.jsonb) return value
  // Neither NaN nor Infinity is a number in JSON.
  return numbers.includes(type) && /\d$/.test(value) ? value : JSON.stringify(value)
}
