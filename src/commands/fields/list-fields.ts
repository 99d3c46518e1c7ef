// workgate fields list: lists the own fields, with their types, projects and indexes.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import type { CommandContext } from '../command-context.ts'
import { formatTable } from '../format-table.ts'
import { parseOptions } from '../parse-options.ts'
import { asTyped } from '../program.ts'
import { fieldsUsages } from './usages.ts'
import listFieldsSql from '../../../sql/fields/list-fields.sql'

interface FieldRow {
  name: string
  type: string
  /** The key of the project; null: all. */
  project: string | null
  indexed: boolean
}

const listFields = query<FieldRow>(listFieldsSql)

const noFields = 'There are no own fields. Declare one with "workgate fields add storyPoints --type number".'

export function list(args: readonly string[], { program }: CommandContext) {
  const { values } = parseOptions(args, { json: { type: 'boolean' } }, fieldsUsages.list)
  return async (db: Database) => {
    const rows = await listFields(db, {})
    if (values.json) return JSON.stringify(rows, null, 2)
    if (rows.length === 0) return asTyped(noFields, program)
    return formatTable([
      ['NAME', 'TYPE', 'PROJECT', 'INDEX'],
      ...rows.map(({ name, type, project, indexed }) => [name, type, project ?? 'all', indexed ? 'yes' : 'no']),
    ])
  }
}
