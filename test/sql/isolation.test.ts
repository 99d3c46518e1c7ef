// The service sets its own isolation level, whatever the default of the server, database or role.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { query } from '../../src/db/statements/query.ts'
import { id, insertData, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { quiet } from '../support/log.ts'
import { asLeast, freshDatabase } from '../support/workgate.ts'
import compactNextTalliesSql from '../../sql/analytics/compact-next-tallies.sql'

const settings = `
  select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as "readOnly"`
const compactNextTallies = query(compactNextTalliesSql)

for (const level of ['repeatable read', 'serializable']) {
  describe(`with ${level} as the default isolation level`, { concurrency: false }, () => {
    let database: Awaited<ReturnType<typeof freshDatabase>>
    let db: Database

    const open = (url: string) => openDatabase({ target: { url }, poolSize: 2, statementTimeoutMs: 10_000 })
    const setDefault = async ({ sql, url }: typeof database, name: string, value: string) =>
      sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_${name} = '${value}'`)

    before(async () => {
      database = await freshDatabase()
      await insertData(database.sql)
      await setDefault(database, 'isolation', level)
      db = open(run().least ? asLeast(database.url) : database.url)
    })
    after(async () => {
      await db.close()
      await database.drop()
    })

    test('transactions of the service are read committed', async () => {
      for (const pool of [db, db.freshnessChecks])
        assert.deepEqual([...(await pool.run(settings))], [{ isolation: 'read committed', readOnly: 'off' }])
      const [ofSession] = await db.session((session) => session.run(settings))
      assert.deepEqual({ ...(ofSession as object) }, { isolation: 'read committed', readOnly: 'off' })
    })

    test('the service compacts its own deltas and those of others', async () => {
      await db.run(`insert into workgate.tasks (project_id, title) values ($1, 'ours')`, [web])
      await database.sql`insert into workgate.comments (project_id, task_id, body) values (${web}, ${id('task', 1)}, 'x')`
      await compactNextTallies(db, { after: '00000000-0000-0000-0000-000000000000' })
      const [left] = await database.sql`select count(*)::int as n from workgate.tally_deltas`
      assert.equal(left!['n'], 0)
    })

    test('several processes can migrate at once', async () => {
      const empty = await freshDatabase('template0')
      const ownerDb = open(empty.url)
      try {
        await setDefault(empty, 'isolation', level)
        await Promise.all([1, 2, 3].map(() => migrate(ownerDb, migrations, quiet)))
      } finally {
        await ownerDb.close()
        await empty.drop()
      }
    })

    test('a read-only default stays in effect', async () => {
      await setDefault(database, 'read_only', 'on')
      const late = open(database.url)
      const [row] = await late.run(settings)
      await late.close()
      assert.deepEqual({ ...(row as object) }, { isolation: 'read committed', readOnly: 'on' })
    })
  })
}
