// Disables the triggers of all tables, those of foreign keys included, as a load with pg_restore --disable-triggers does.

import type postgres from 'postgres'
import type { Sql } from './workgate.ts'

type Runner = Pick<postgres.TransactionSql, 'unsafe'>

export const setTriggers = (sql: Runner, change: 'disable' | 'enable') =>
  sql.unsafe(`
    do $$
    declare
      name regclass;
    begin
      for name in select oid from pg_class where relnamespace = 'workgate'::regnamespace and relkind = 'r' loop
        execute format('alter table %s ${change} trigger all', name);
      end loop;
    end
    $$`)

/** Runs statements without triggers, and enables all triggers for the right replication role afterwards. */
export async function withoutTriggers(sql: Sql, statements: string): Promise<void> {
  await setTriggers(sql, 'disable')
  await sql.unsafe(statements)
  await setTriggers(sql, 'enable')
  await sql`select workgate.enable_triggers()`
}
