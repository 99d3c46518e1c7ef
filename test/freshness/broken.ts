// Applies a variant, which breaks the service, and runs the checker against it.

import type { TransactionSql } from 'postgres'
import { freshDatabase, type Sql } from '../support/workgate.ts'
import { checkService, replaceIn } from './child.ts'
import type { Variant } from './variants.ts'

/** Returns the violations that the checker finds in the variant. */
export async function violationsOf(variant: Variant): Promise<string[]> {
  const { url, sql, drop } = await freshDatabase()
  try {
    await breakDatabase(sql, variant)
    return (await checkService(variant.files, url, variant.load)).violations
  } finally {
    await drop()
  }
}

export async function breakDatabase(sql: Sql | TransactionSql, { functions, triggers }: Variant): Promise<void> {
  for (const { table, name } of triggers) await sql`drop trigger ${sql(name)} on ${sql(`workgate.${table}`)}`
  for (const edit of functions) {
    const [row] = await sql`select pg_get_functiondef(${`workgate.${edit.in}`}::regproc) as text`
    await sql.unsafe(replaceIn(row!['text'], edit))
  }
}
