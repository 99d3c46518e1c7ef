// Reads the versions of scopes and finds those that a change raised.

import { directory, everyProject, keyScopeOf } from '../../src/api/freshness/freshness.ts'
import { app, old, web } from './data.ts'
import { key, moved, movedKey, project } from './shown-tables.ts'
import type { Sql } from './workgate.ts'

const watched = [directory, web, app, old, project, moved, keyScopeOf(key), keyScopeOf(movedKey)]

export async function versionsOf(sql: Sql, scopes = [...watched, everyProject]): Promise<Map<string, bigint>> {
  const rows = await sql`select seat, version from workgate.versions_of(${scopes}::uuid[])`
  return new Map(rows.map((row) => [scopes[Number(row['seat']) - 1]!, BigInt(row['version'])]))
}

/** From now on, each change in this database adds one to its versions. */
export const countChanges = (sql: Sql) => sql`alter table workgate.freshness_marks alter column increment set default 1`

/** Returns the scopes whose version the change raised. The version of everyProject must grow by their sum. */
export async function raisedBy(sql: Sql, change: () => Promise<unknown>): Promise<string[]> {
  const before = await versionsOf(sql)
  await change()
  const after = await versionsOf(sql)
  const raised = watched.filter((scope) => after.get(scope)! > before.get(scope)!)
  const decreased = watched.filter((scope) => after.get(scope)! < before.get(scope)!)
  if (decreased.length > 0) throw new Error(`versions decreased: ${decreased.join(', ')}`)
  const together = watched.reduce((sum, scope) => sum + after.get(scope)! - before.get(scope)!, 0n)
  const all = after.get(everyProject)! - before.get(everyProject)!
  if (all !== together) throw new Error(`the version of everyProject grew by ${all}, but the scopes by ${together}`)
  return raised
}
