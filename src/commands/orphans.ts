// Finds orphans: rows that refer to a row that does not exist, as after deletions while foreign keys were disabled.

import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import orphansSql from '../../sql/doctor/orphans.sql'

export interface Orphans {
  foreignKey: string
  table: string
  /** "delete", or "clear" with the names of columns. */
  removal: string
  n: number
}

const runFindOrphans = query<Orphans>(orphansSql)

export const findOrphans = (db: Runner): Promise<Orphans[]> => runFindOrphans(db, {})

const formatRows = (n: number) => `${n.toLocaleString('en-US')} ${n === 1 ? 'row' : 'rows'}`

/** Such as "2 rows of comments (comments_task), 1 row of tasks (tasks_parent)". */
export const describeOrphans = (orphans: readonly Orphans[]): string =>
  orphans.map(({ foreignKey, table, n }) => `${formatRows(n)} of ${table} (${foreignKey})`).join(', ')

/** Such as "clear parent_id in 1 row of tasks, delete 2 rows of comments and the rows that refer to them". */
export function describeRemoval(orphans: readonly Orphans[]): string {
  const cleared = orphans.filter(({ removal }) => removal !== 'delete')
  const deleted = orphans.filter(({ removal }) => removal === 'delete')
  const parts = [
    ...cleared.map(({ removal, table, n }) => `${removal} in ${formatRows(n)} of ${table}`),
    ...deleted.map(({ table, n }) => `delete ${formatRows(n)} of ${table}`),
  ]
  return `${parts.join(', ')}${deleted.length > 0 ? ' and the rows that refer to them' : ''}`
}
