// The tables of a backup, and the statements that read and write their rows.

import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { fetchLines } from '../fetch-lines.ts'
import insertRowsSql from '../../../sql/backup/insert-rows.sql'
import readRowsSql from '../../../sql/backup/read-rows.sql'
import settingsSql from '../../../sql/backup/settings.sql'
import tablesSql from '../../../sql/backup/tables.sql'

/** In an order in which every row follows those that it refers to, except the parents of tasks. */
export const savedTables = [
  'users',
  'user_aliases',
  'teams',
  'team_members',
  'api_keys',
  'api_key_uses',
  'projects',
  'fields',
  'import_mappings',
  'project_members',
  'project_teams',
  'boards',
  'stages',
  'tasks',
  'tags',
  'task_tags',
  'task_watchers',
  'comments',
  'files',
  'time_entries',
  'documents',
  'task_history',
  'task_counters',
  'sources',
  'source_progress',
  'source_items',
]

/** Triggers write their rows when tasks are restored. They are replaced by the saved rows. */
export const writtenByTriggers = ['task_history', 'task_counters']

export interface Table {
  name: string
  /** The types of the columns by name. */
  columns: ReadonlyMap<string, string>
  rowOrder: string
}

export const prepareSession = query(settingsSql)
const findTables = query<{ name: string; columns: string; row_order: string }>(tablesSql)

export async function readTables(session: Session): Promise<Table[]> {
  const rows = await findTables(session, { tables: savedTables })
  return savedTables.map((name) => {
    const { columns, row_order: rowOrder } = rows.find((row) => row.name === name)!
    return { name, columns: new Map(Object.entries(JSON.parse(columns) as Record<string, string>)), rowOrder }
  })
}

export const allTables = savedTables.map((name) => `workgate.${name}`).join(', ')

/** Yields rows as lines of JSON: arrays with the text of each column, or null. */
export async function* readRows(session: Session, { name, rowOrder }: Table, columns: readonly string[]) {
  const values = columns.map((column) => `${column}::text`).join(', ')
  await session.script(include(readRowsSql, { table: name, values, rowOrder }))
  yield* fetchLines(session, 'saved')
  await session.script('close saved')
}

/** The parameter `rows` is a JSON array of such arrays. */
export function insertRows({ name, columns: types }: Table, columns: readonly string[]) {
  const values = columns.map((column, n) => `(r ->> ${n})::${types.get(column)}`).join(', ')
  return query(include(insertRowsSql, { table: name, columns: columns.join(', '), values }))
}

export const totalOf = (rows: Readonly<Record<string, number>>): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0)

const nouns = { projects: 'project', tasks: 'task', users: 'user', api_keys: 'API key' }

/** Such as "2 projects, 1,204 tasks, 1 user and 3 API keys". */
export function describeRows(rows: Readonly<Record<string, number>>): string {
  const parts = Object.entries(nouns).map(([table, noun]) => {
    const count = rows[table] ?? 0
    return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
  })
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}
