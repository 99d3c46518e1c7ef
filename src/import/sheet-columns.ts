// The columns of a spreadsheet of tasks: a column has the name of a field, a usual heading in one of nine languages, or
// what --column says.

import { fold, Columns, ownFieldOf, type ColumnOptions } from './columns.ts'
import { rowFields, taskFields } from './task-fields.ts'
import { isName, usualField } from './words.ts'

/** A column that becomes a field, whose numbers are in a unit. */
export interface MappedColumn {
  column: string
  field: string
  factor: number
}

export const sheetFields = [...Object.keys(taskFields), ...rowFields]

const byFoldedName = new Map(sheetFields.map((field) => [fold(field), field]))

/** The columns by field. A field has one column: the one that is mapped to it, that has its name, or the first of its headings. */
function assign(names: readonly string[], mapped: readonly MappedColumn[], ignored: readonly string[]) {
  const found: ({ field: string; factor: number } | undefined)[] = names.map(() => undefined)
  const taken = new Set<string>()
  const take = (find: (folded: string, name: string) => { field: string; factor: number } | undefined) => {
    for (const [index, name] of names.entries()) {
      const meant = found[index] ? undefined : find(fold(name), name)
      if (!meant || taken.has(meant.field)) continue
      found[index] = meant
      taken.add(meant.field)
    }
  }
  take((name) => mapped.findLast(({ column }) => fold(column) === name))
  const isFree = (name: string) => !ignored.includes(name) && !mapped.some(({ column }) => fold(column) === name)
  take((name, written) => {
    const known = ownFieldOf(written) === undefined ? byFoldedName.get(name) : written.trim()
    const field = isFree(name) ? known : undefined
    return field === undefined ? undefined : { field, factor: 1 }
  })
  take((name) => (isFree(name) ? usualField(name) : undefined))
  take((name) => (isFree(name) && isName(name) ? { field: 'title', factor: 1 } : undefined))
  return found
}

/** Names of fields stand for the headings. `ignored` are folded names. */
export function sheetColumns(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  mapped: readonly MappedColumn[],
  ignored: readonly string[],
  options: ColumnOptions,
): { columns: Columns; meanings: string[] } {
  const found = assign(names, mapped, ignored)
  const keys = names.map((name, index) => found[index]?.field ?? `\0${name}`)
  const factors = found.map((one) => one?.factor ?? 1)
  const meanings = names.flatMap((name, index) => {
    const meant = found[index]
    if (!meant || fold(meant.field) === fold(name)) return []
    return [`${name.trim()} = ${meant.field}${meant.factor === 1 ? '' : ` (times ${meant.factor})`}`]
  })
  return { columns: new Columns(names, rows, options, keys, factors), meanings }
}

/**
 * Whether the columns are those of tasks. Those of a time sheet may name the task of each entry, and many tables have names
 * of something.
 */
export function isSheet(columns: ReadonlySet<string>): boolean {
  const names = [...columns]
  const fields = new Set(names.map((name) => byFoldedName.get(name) ?? usualField(name)?.field))
  const isTimeSheet = ['hours', 'duration', 'stunden', 'dauer', 'durée'].some((name) => columns.has(name))
  if (fields.has('title')) return columns.has('title') || !isTimeSheet
  const isOfTasks = ['stage', 'state', 'assignee', 'dueDate'].filter((field) => fields.has(field)).length >= 2
  return names.some(isName) && isOfTasks && !isTimeSheet
}

/** The options that say what the columns are, for somebody to complete. */
export function mappingFor(names: readonly string[]): string {
  const options = names
    .filter((name) => name.trim() !== '')
    .map((name) => `--column "${name.trim()}=${usualField(name)?.field ?? ''}"`)
  return options.join(' ')
}
