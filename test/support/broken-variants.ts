// Variants of the service, broken on purpose, to test a checker: it has to find each of them.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { TransactionSql } from 'postgres'
import { replaceIn, runEdited, type Edit } from './edited-build.ts'
import { freshDatabase, type Sql } from './workgate.ts'

export interface Variant {
  name: string
  files: Edit[]
  functions: Edit[]
  /** The triggers to drop. */
  triggers: { table: string; name: string }[]
}

/** Returns the violations that the checker finds in the variant. */
export async function violationsOf(checker: string, variant: Variant, load: string): Promise<string[]> {
  const { url, sql, drop } = await freshDatabase()
  try {
    await breakDatabase(sql, variant)
    return (await runEdited<{ violations: string[] }>(checker, variant.files, url, load)).violations
  } finally {
    await drop()
  }
}

/** Every text that a variant replaces must occur exactly once, and every trigger that it drops must exist. */
export async function checkVariants(variants: readonly Variant[]): Promise<void> {
  const { sql, drop } = await freshDatabase()
  try {
    for (const variant of variants) {
      const texts: Record<string, string> = {}
      for (const edit of variant.files)
        texts[edit.in] = replaceIn(texts[edit.in] ?? (await readFile(edit.in, 'utf8')), edit)
      const undone = sql.begin(async (transaction) => {
        await breakDatabase(transaction, variant)
        throw new Error('undone')
      })
      await assert.rejects(undone, { message: 'undone' })
    }
  } finally {
    await drop()
  }
}

async function breakDatabase(sql: Sql | TransactionSql, { functions, triggers }: Variant): Promise<void> {
  for (const { table, name } of triggers) await sql`drop trigger ${sql(name)} on ${sql(`workgate.${table}`)}`
  for (const edit of functions) {
    const [row] = await sql`select pg_get_functiondef(${`workgate.${edit.in}`}::regproc) as text`
    await sql.unsafe(replaceIn(row!['text'], edit))
  }
}
