// Searches find the same words in a database whose locale has special case rules.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { run } from '../support/environment.ts'
import { quiet } from '../support/log.ts'
import { connect } from '../support/workgate.ts'

// prettier-ignore
const found: [claim: string, text: string, q: string][] = [
  ['ASCII text',                            'INVOICE',     'invoice'],
  ['ASCII words next to other words',       'INVOICE ş',   'invoice'],
  ['other words next to ASCII words',       'INVOICE ŞAL', 'invoice şal'],
  ['ASCII text, by the capitals of others', 'invoice',     'INVOICE'],
  ['other text, by the capitals of others', 'invoice şal', 'INVOICE ŞAL'],
]

// Turkish has a dotted and a dotless i.
test('in a database with the ICU locale tr, a search finds the words of any text in any case', async (t) => {
  const admin = connect(run().server, { max: 1 })
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const create = `create database ${name} template template0 locale_provider icu icu_locale 'tr' strategy file_copy`
  try {
    await admin.unsafe(create)
  } catch (error) {
    await admin.end()
    assert.match((error as Error).message, /ICU is not supported/)
    return t.skip('this PostgreSQL is built without ICU')
  }
  const url = run().server.replace('/postgres', `/${name}`)
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 30_000 })
  try {
    await migrate(db, migrations, quiet)
    const matches = 'select workgate.terms($1) @@ workgate.words_of($2) as matches'
    for (const [claim, text, q] of found) {
      const [row] = await db.run<{ matches: boolean }>(matches, [text, q])
      assert.equal(row!.matches, true, claim)
    }
  } finally {
    await db.close()
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
  }
})
