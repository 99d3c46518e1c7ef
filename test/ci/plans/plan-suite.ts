// Sets up a plan test: a database with many rows, inserted without triggers, and the plans of statements on it. Call it
// at the top of the file: const { explain } = await planSuite(`insert into …`)

import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openDatabase } from '../../../src/db/database.ts'
import { bind, type Params, type Statement } from '../../../src/db/query.ts'
import { freshDatabase } from '../../support/workgate.ts'

const idStart = (kind: string) => `00000000-0000-7000-8${kind}-`

/** The id of the nth row of a kind: '006' for tasks, as in support/data.ts. */
export const idOf = (kind: string, n: number) => idStart(kind) + String(n).padStart(12, '0')

/** The same id as an SQL expression. */
export const idSql = (kind: string, n: string) => `('${idStart(kind)}' || lpad((${n})::text, 12, '0'))::uuid`

const disableTriggers = `
  do $$
  declare
    name regclass;
  begin
    for name in select oid from pg_class where relnamespace = 'workgate'::regnamespace and relkind = 'r' loop
      execute format('alter table %s disable trigger all', name);
    end loop;
  end $$`

/** `maintenance` runs after the rows are inserted. */
export async function planSuite(rows: string, maintenance: 'analyze' | 'vacuum analyze' | '' = 'analyze') {
  const database = await freshDatabase()
  const db = openDatabase({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 30_000 })
  const close = async () => {
    await db.close()
    await database.drop()
  }
  after(close)
  try {
    // Triggers and foreign keys have no effect on a plan, and would take most of the time.
    await database.sql.unsafe(disableTriggers)
    await database.sql.unsafe(rows)
    if (maintenance) await database.sql.unsafe(maintenance)
  } catch (error) {
    // No hook runs for a file that fails to load.
    await close()
    throw error
  }

  async function explain(statement: Statement, params: Params, options = 'costs off'): Promise<string> {
    const text = `explain (${options}) ${statement.text}`
    const lines = await db.run<{ 'QUERY PLAN': string }>(text, bind(statement, params))
    return lines.map((line) => line['QUERY PLAN']).join('\n')
  }

  async function pagesRead(statement: Statement, params: Params): Promise<number> {
    await explain(statement, params, 'analyze')
    const [read] = /(?<=Buffers: shared ).*/.exec(await explain(statement, params, 'analyze, buffers, costs off')) ?? []
    assert.ok(read)
    return [...read.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, pages]) => sum + Number(pages), 0)
  }

  return { sql: database.sql, db, explain, pagesRead }
}
