// Parts of statements that name the copied fields of tasks.

import { include } from '../../db/statements/template.ts'
import taskJsonSql from '../../../sql/tasks/task-json.sql'
import { copiedFields, forms } from './copied-fields.ts'

const list = (say: (name: string, column: string, type: string) => string) =>
  Object.entries(copiedFields)
    .map(([name, { column, form }]) => say(name, column, forms[form].type))
    .join(', ')

/** The JSON of task t without the closing brace. */
export const taskJson = include(taskJsonSql, {
  copiedJson: list((name, column, type) => {
    const json = type === 'integer' ? `t.${column}::text` : `to_json(t.${column})::text`
    return `coalesce(',"${name}":' || ${json}, ',"${name}":null')`
  }),
})

/** The headings and cells of a sheet of tasks t: as in JSON, but without quotes. */
export const copiedSheet = {
  copiedNames: Object.keys(copiedFields).join(','),
  copiedCells: list((_, column) => `to_json(t.${column}) #>> '{}'`),
}

export const copiedSql = {
  copiedColumns: list((_, column) => column),
  copiedParams: list((name, _, type) => `:${name}::${type}`),
  copiedOfTask: list((_, column) => `t.${column}`),
  copiedOfImport: list((_, column) => `i.${column}`),
  copiedImport: list(
    (name, column, type) =>
      `case when i.data ? '${name}' then (i.data ->> '${name}')::${type} else t.${column} end as ${column}`,
  ),
}
