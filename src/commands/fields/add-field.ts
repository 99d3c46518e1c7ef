// workgate fields add: declares an own field, and creates its index.

import type { Database } from '../../db/database.ts'
import { serverError } from '../../db/errors.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { fieldTypes } from '../../api/input/values.ts'
import { UsageError } from '../command-context.ts'
import { parseOptions } from '../parse-options.ts'
import { readKey, unknownProject } from '../projects/usages.ts'
import { fieldsUsages, readName, tasksOf } from './usages.ts'
import addFieldSql from '../../../sql/fields/add-field.sql'
import createIndexSql from '../../../sql/fields/create-index.sql'
import dropIndexSql from '../../../sql/fields/drop-index.sql'
import findProjectSql from '../../../sql/projects/find-project.sql'

const addField = query<{ hasBrokenIndex: boolean }>(addFieldSql)
const findProject = query<{ id: string }>(findProjectSql)

/** The database refuses a field that is declared with another type. */
const isDeclaredOtherwise = (error: unknown) => serverError(error)?.code === 'WG014'

export function add(args: readonly string[]) {
  const types = { type: { type: 'string' }, project: { type: 'string' }, index: { type: 'boolean' } } as const
  const { values, positionals } = parseOptions(args, types, fieldsUsages.add, true)
  const name = readName(positionals, fieldsUsages.add)
  const { type } = values
  if (type === undefined) throw new UsageError(`missing --type\n\n${fieldsUsages.add}`)
  if (!fieldTypes.some((one) => one === type))
    throw new UsageError(`--type must be one of ${fieldTypes.join(', ')}, not "${type}"`)
  if (type === 'list' && values.index) throw new UsageError('--index is for a field with one value, and not for a list')
  const key = values.project === undefined ? null : readKey('--project', values.project)

  return async (db: Database) => {
    const [project] = key === null ? [] : await findProject(db, { key })
    if (key !== null && !project) throw unknownProject(key)
    const [added] = await addField(db, { name, type, projectId: project?.id ?? null }).catch((error: unknown) => {
      throw isDeclaredOtherwise(error)
        ? new UsageError(`${name} is already declared with another type: "workgate fields" lists the types`)
        : error
    })
    // Not in a transaction, so that writers do not wait for it.
    if (values.index)
      await db.session(async (session) => {
        if (added!.hasBrokenIndex) await session.script(include(dropIndexSql, { name }))
        await session.script(include(createIndexSql, { name }))
      })
    return `${name} is a field of ${tasksOf(key)}, of the type ${type}${values.index ? ', with an index' : ''}.`
  }
}
