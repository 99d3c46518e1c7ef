// Sets up a plan test: a database with many rows, inserted without triggers, and the plans of statements on it. Call it
// at the top of the file: const { explain } = await planSuite(`insert into …`)

import assert from 'node:assert/strict'
import type { Parameter } from '../../../src/db/pool/connection.ts'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { planSettings, type Plans } from '../../../src/db/pool/plan-settings.ts'
import type { Query } from '../../../src/db/statements/query.ts'
import { bind, type Params } from '../../../src/db/statements/template.ts'
import { pageOf } from '../../support/api-statements.ts'
import { suiteDatabase, suitePool } from '../../support/suite-database.ts'
import { setTriggers } from '../../support/triggers.ts'

const idStart = (kind: string) => `00000000-0000-7000-8${kind}-`

/** The id of the nth row of a kind: '006' for tasks, as in support/data.ts. */
export const idOf = (kind: string, n: number) => idStart(kind) + String(n).padStart(12, '0')

/** The same id as an SQL expression. */
export const idSql = (kind: string, n: string) => `('${idStart(kind)}' || lpad((${n})::text, 12, '0'))::uuid`

const literal = (value: Parameter) => (value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`)

/** The number of database pages that the plan, explained with buffers, has read. */
export function pagesIn(plan: string): number {
  const [read] = /(?<=Buffers: shared ).*/.exec(plan) ?? []
  assert.ok(read)
  return [...read.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, pages]) => sum + Number(pages), 0)
}

/** `maintenance` runs after the rows are inserted. */
export async function planSuite(rows: string, maintenance: 'analyze' | 'vacuum analyze' | '' = 'analyze') {
  const database = await suiteDatabase(async (sql) => {
    // Triggers and foreign keys have no effect on a plan, and would take most of the time.
    await setTriggers(sql, 'disable')
    await sql.unsafe(rows)
    if (maintenance) await sql.unsafe(maintenance)
  })
  const db = suitePool(database.url)

  /** Explains the plan that the service would use; "explain" without "execute" would always make a custom plan. */
  async function explain({ statementFor }: Query<any>, params: Params, options = 'costs off', plans?: Plans) {
    const statement = statementFor(params)
    const values = bind(statement, params).map(literal).join(', ')
    const settings = planSettings(plans ?? statement.plans ?? 'custom')
    const results: Record<'QUERY PLAN', string>[][] = await database.sql.unsafe(`
      ${Object.entries(settings)
        .map(([name, value]) => `set ${name} = '${value}'; `)
        .join('')}
      deallocate all;
      prepare explained as ${statement.text};
      explain (${options}) execute explained${values && `(${values})`}`)
    return results
      .at(-1)!
      .map((line) => line['QUERY PLAN'])
      .join('\n')
  }

  async function pagesRead(statement: Query<any>, params: Params) {
    await explain(statement, params, 'analyze')
    return pagesIn(await explain(statement, params, 'analyze, buffers, costs off'))
  }

  /** The parameters of the page that starts after this many rows. */
  async function pageAfter(rows: number, list: ListDefinition, params: Params): Promise<Params> {
    const [find, values] = pageOf(list, { ...params, limit: rows })
    const [page] = await find(db, values)
    assert.ok(page!.hasMore, 'there are not enough rows')
    return { ...params, after: page!.after, afterId: page!.afterId }
  }

  return {
    sql: database.sql,
    db,
    explain,
    pagesRead,
    pageAfter,
    explainPage: (list: ListDefinition, params: Params, options?: string, plans?: Plans) =>
      explain(...pageOf(list, params), options, plans),
    pagesReadOf: (list: ListDefinition, params: Params) => pagesRead(...pageOf(list, params)),
  }
}
