// Adds to the tasks of a tool's file the columns that are own fields, and those that --column names.

import { fold } from './columns.ts'
import { fieldName } from './field-names.ts'
import type { CsvFormat, OwnColumn } from './format.ts'
import type { ImportedObject, OwnFields, Task } from './objects.ts'
import type { Row } from './row.ts'
import type { MappedColumn } from './sheet-columns.ts'
import { fieldReader } from './task-fields.ts'

/** Several columns can be one field: the first that is not empty counts. `taken` are the folded names of those that are none. */
function createReader(find: CsvFormat['ownColumn'], names: readonly string[], taken: readonly string[]) {
  const fields = new Map<string, { column: string; read: NonNullable<OwnColumn['read']> }[]>()
  const seen = new Set(['', ...taken])
  for (const column of names) {
    const own = seen.has(fold(column)) ? undefined : find?.(column.trim())
    seen.add(fold(column))
    if (!own) continue
    const { name, read = (row: Row) => row.ownField(column) } = own
    fields.set(name, [...(fields.get(name) ?? []), { column, read }])
  }
  return (row: Row): OwnFields => {
    const values = [...fields].map(([name, columns]): [string, OwnFields[string]] => {
      for (const { column, read } of columns) {
        const value = read(row, column)
        if (value !== null && (!Array.isArray(value) || value.length > 0)) return [name, value]
      }
      return [name, null]
    })
    return Object.fromEntries(values)
  }
}

/** Returns a function that changes the task of a row itself, which its format may repeat with a later row. */
export function createColumnsReader(
  format: CsvFormat,
  names: readonly string[],
  mapped: readonly MappedColumn[],
  ignored: readonly string[],
) {
  const readOwn = createReader(format.ownColumn, names, [...ignored, ...mapped.map(({ column }) => fold(column))])
  return (objects: readonly ImportedObject[], row: Row): readonly ImportedObject[] => {
    const task = objects.find((object) => object.kind === 'task')
    if (!task) return objects
    const parts: Partial<Task>[] = mapped.map(({ column, field, factor }) => fieldReader(field)(row, column, factor))
    const fields = Object.assign({}, readOwn(row), task.fields, ...parts.map((part) => part.fields)) as OwnFields
    Object.assign(task, ...parts, { fields: Object.keys(fields).length === 0 ? undefined : fields })
    return objects
  }
}

/** For a file that is read like a sheet: the fields of its own columns. */
export const ownColumnsOf = (format: CsvFormat, names: readonly string[]): MappedColumn[] =>
  names.flatMap((column) => {
    const name = fieldName(format.ownColumn?.(column.trim())?.name ?? '')
    return name === undefined ? [] : [{ column, field: `fields.${name}`, factor: 1 }]
  })
