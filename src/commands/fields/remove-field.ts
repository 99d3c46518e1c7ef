// workgate fields remove: takes back the declaration of an own field that no task has.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { UsageError } from '../command-context.ts'
import { parseOptions } from '../parse-options.ts'
import { readKey } from '../projects/usages.ts'
import { fieldsUsages, readName, tasksOf } from './usages.ts'
import countValuesSql from '../../../sql/fields/count-values.sql'
import dropIndexSql from '../../../sql/fields/drop-index.sql'
import removeFieldSql from '../../../sql/fields/remove-field.sql'

const countValues = query<{ tasks: number }>(countValuesSql)
const removeField = query<{ isLast: boolean }>(removeFieldSql)

export function remove(args: readonly string[]) {
  const { values, positionals } = parseOptions(args, { project: { type: 'string' } }, fieldsUsages.remove, true)
  const name = readName(positionals, fieldsUsages.remove)
  const key = values.project === undefined ? null : readKey('--project', values.project)

  return async (db: Database) => {
    const [{ tasks } = { tasks: 0 }] = await countValues(db, { name, key })
    if (tasks > 0)
      throw new UsageError(
        `${tasks} ${tasks === 1 ? 'task has' : 'tasks have'} a value of ${name}: take it from them first (see /docs/own-fields)`,
      )
    const [removed] = await removeField(db, { name, key })
    if (!removed)
      throw new UsageError(`${name} is not declared for ${tasksOf(key)}: "workgate fields" lists the declarations`)
    if (removed.isLast) await db.session((session) => session.script(include(dropIndexSql, { name })))
    return `${name} is no field of ${tasksOf(key)} any more.`
  }
}
