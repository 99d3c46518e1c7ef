// Each migration is applied once, by one process at a time, and never to a database with unknown migrations.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { migrate, MigrationError, pendingMigrations } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import madeParts from '../../src/commands/doctor/parts.json' with { type: 'json' }
import { quiet } from '../support/log.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import partsSql from '../../sql/doctor/parts.sql'
import { valuesOf } from '../support/values.ts'

const { sql, url } = await suiteDatabase(undefined, 'template0')
const db = suitePool(url, { poolSize: 2 })

const applied = async () => (await sql`select name from workgate.migrations order by name`).map((row) => row['name'])
const extra = {
  name: '0900-extra',
  text: 'create table workgate.extra (n integer); insert into workgate.extra values (1)',
}
const broken = { name: '0901-broken', text: 'create table workgate.half (n integer); select 1/0' }

describe('migrations', { concurrency: false }, () => {
  test('all migrations of an empty database are pending', async () => {
    assert.equal((await pendingMigrations(db, migrations)).length, migrations.length)
  })

  test('concurrent processes apply each migration once', async () => {
    await Promise.all([1, 2, 3, 4].map(() => migrate(db, migrations, quiet)))
    assert.deepEqual(await applied(), valuesOf(migrations, 'name'))
    assert.deepEqual(await pendingMigrations(db, migrations), [])
  })

  test('the doctor expects exactly the objects that migrations create', async () => {
    const parts = (await sql.unsafe(partsSql)).map((row) => row['part'] as string)
    const file = 'src/commands/doctor/parts.json'
    if (process.env['REFRESH']) return writeFile(file, JSON.stringify(parts, null, 2) + '\n')
    const kinds = new Set(parts.map((part) => part.split(' ')[0]))
    assert.deepEqual([...kinds], ['constraint', 'function', 'index', 'table', 'trigger', 'view'])
    assert.deepEqual(madeParts, parts, `${file} is out of date: npm run refresh`)
  })

  test('only a new migration is applied', async () => {
    await migrate(db, [...migrations, extra], quiet)
    const [row] = await sql`select count(*)::int as n from workgate.extra`
    assert.equal(row!['n'], 1)
  })

  test('a failed migration is rolled back, and earlier ones stay applied', async () => {
    await assert.rejects(migrate(db, [...migrations, extra, broken], quiet), (error: Error) => {
      assert.ok(error instanceof MigrationError)
      assert.match(error.message, /0901-broken failed/)
      return true
    })
    const [row] = await sql`select to_regclass('workgate.half') as half`
    assert.equal(row!['half'], null)
    assert.equal((await applied()).at(-1), '0900-extra')
  })

  test('an edited migration is refused', async () => {
    const edited = { ...extra, text: extra.text + ' ' }
    await assert.rejects(migrate(db, [...migrations, edited], quiet), /0900-extra was edited after/)
  })

  test('different line endings do not count as an edit', async () => {
    const checkedOut = migrations.map((one) => ({ ...one, text: one.text.replaceAll('\n', '\r\n') }))
    assert.deepEqual(await pendingMigrations(db, [...checkedOut, extra]), [])
  })

  test('an unknown migration is refused', async () => {
    await assert.rejects(migrate(db, migrations, quiet), /0900-extra, which this version of Workgate does not know/)
  })

  // prettier-ignore
  const unreleased: [name: string, change: string][] = [
    ['with different names at the end', `update workgate.migrations set checksum = 'x'; insert into workgate.migrations values ('0020-names', 'x')`],
    ['with different names in between', `insert into workgate.migrations values ('0006-task-orders', 'x')`],
    ['with only different names',     `delete from workgate.migrations; insert into workgate.migrations values ('0001-schema', 'x')`],
    ['with the same names and different contents', `update workgate.migrations set checksum = 'x'`],
  ]
  for (const [name, change] of unreleased) {
    test(`a database of an unreleased version ${name} is refused, with instructions to move its data`, async () => {
      const { url } = await suiteDatabase((sql) => sql.unsafe(change))
      const db = suitePool(url)
      const refused =
        /^this database was created by an unreleased version of Workgate .*pg_dump --data-only --schema=workgate.*guide "Backups and upgrades"$/
      await assert.rejects(migrate(db, migrations, quiet), { name: 'MigrationError', message: refused })
      await assert.rejects(pendingMigrations(db, migrations), { message: refused })
    })
  }

  test('a missing earlier migration is refused', async () => {
    const between = { name: '0899-between', text: 'select 1' }
    await assert.rejects(
      migrate(db, [...migrations, between, extra], quiet),
      /0899-between is not applied, although later ones/,
    )
  })
})
