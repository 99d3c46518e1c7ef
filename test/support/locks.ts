// Blocks statements of the service, so that tests can rely on what runs at the same time.

import type { TestContext } from 'node:test'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'
import { onServers } from './places.ts'
import type { Sql } from './workgate.ts'

/** Every write to tasks of the project waits while a transaction has run this statement. */
export const lockTasks = (project: string) =>
  `select from workgate.task_counters where project_id = '${project}' for update`

/** Runs the work while a transaction that has run the statement is open. */
export async function whileLocked(sql: Sql, statement: string, work: () => Promise<unknown>): Promise<void> {
  const session = await sql.reserve()
  try {
    await session`begin`
    await session.unsafe(statement)
    await work()
  } finally {
    await session`rollback`
    session.release()
  }
}

/** Locks tables until the test ends, or until the function that it returns is called. */
export async function lockTables(t: TestContext, sql: Sql, tables: string, mode = 'access exclusive') {
  const session = await sql.reserve()
  cleanUp(t, () => session.release())
  const release = () => session`rollback`
  cleanUp(t, release)
  await session`begin`
  await session.unsafe(`lock table ${tables} in ${mode} mode`)
  return release
}

/** Returns how many statements in the database wait for a lock, on all servers, without those that run periodically. */
export async function countBlocked(sql: Sql): Promise<number> {
  const blocked = await onServers(
    sql,
    `
      select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database() and query not like '-- Runs periodically%'`,
  )
  return blocked.length
}

export const untilBlocked = (sql: Sql, count = 1) =>
  until(`${count} statements wait for a lock`, async () => (await countBlocked(sql)) >= count)
