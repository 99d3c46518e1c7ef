// Counts the statements that a service sends to the database.

import type { Sql } from '../support/workgate.ts'

/**
 * Each statement is a transaction of its own. A connection reports its transactions from time to time, and the rest
 * when it ends, so the services' connections are terminated before and after. The services open new ones.
 */
export async function countStatements(sql: Sql, work: () => Promise<void>): Promise<number> {
  const before = await committed(sql)
  await work()
  return (await committed(sql)) - before
}

async function committed(sql: Sql): Promise<number> {
  const connections = () => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'workgate%' and datname = current_database()`
  while ((await connections()).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
  const [row] = await sql`select xact_commit::int as n from pg_stat_database where datname = current_database()`
  return row!['n']
}
