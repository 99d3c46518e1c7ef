// Tests the checker itself: it must find each broken variant. By default only one is tested, with FRESHNESS=some those
// of someVariants, and with FRESHNESS=long all.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { TransactionSql } from 'postgres'
import { freshDatabase, type Sql } from '../support/workgate.ts'
import { replaceIn, runEdited } from '../support/edited-build.ts'
import type { Report } from './check.ts'
import { someVariants, variants, type Variant } from './variants.ts'

const tested = { long: variants, some: someVariants }[process.env['FRESHNESS']!] ?? variants.slice(0, 1)

describe('the checker reports violations when', { concurrency: 2 }, () => {
  for (const variant of tested) test(variant.name, async () => assert.notDeepEqual(await violationsOf(variant), []))
})

test('every text that a variant replaces occurs exactly once, and every trigger that it drops exists', async () => {
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
})

/** Returns the violations that the checker finds in the variant. */
async function violationsOf(variant: Variant): Promise<string[]> {
  const { url, sql, drop } = await freshDatabase()
  try {
    await breakDatabase(sql, variant)
    return (await runEdited<Report>('test/freshness/run-check.ts', variant.files, url, variant.load)).violations
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
