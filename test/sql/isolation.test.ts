// The service sets its own isolation level, whatever the default of the server, database or role.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { query } from '../../src/db/statements/query.ts'
import { id, insertData, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { quiet } from '../support/log.ts'
import { suiteDatabase, suitePool } from '../support/suite-database.ts'
import { asLeast, type Sql } from '../support/workgate.ts'
import compactNextTalliesSql from '../../sql/analytics/compact-next-tallies.sql'

const settings = `
  select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as "readOnly"`
const compactNextTallies = query(compactNextTalliesSql)

const setDefault = ({ sql, url }: { sql: Sql; url: string }, name: string, value: string) =>
  sql.unsafe(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_${name} = '${value}'`)

const databases = [
  { level: 'repeatable read', database: await suiteDatabase(insertData) },
  { level: 'serializable', database: await suiteDatabase(insertData) },
]
for (const { level, database } of databases) await setDefault(database, 'isolation', level)

for (const { level, database } of databases) {
  describe(`with ${level} as the default isolation level`, { concurrency: false }, () => {
    const { sql, url } = database
    const db = suitePool(run().least ? asLeast(url) : url, { poolSize: 2 })

    test('transactions of the service are read committed', async () => {
      for (const pool of [db, db.freshnessChecks])
        assert.deepEqual([...(await pool.run(settings))], [{ isolation: 'read committed', readOnly: 'off' }])
      const [ofSession] = await db.session((session) => session.run(settings))
      assert.deepEqual({ ...(ofSession as object) }, { isolation: 'read committed', readOnly: 'off' })
    })

    test('the service compacts its own deltas and those of others', async () => {
      await db.run(`insert into workgate.tasks (project_id, title) values ($1, 'ours')`, [web])
      await sql`insert into workgate.comments (project_id, task_id, body) values (${web}, ${id('task', 1)}, 'x')`
      await compactNextTallies(db, { after: '00000000-0000-0000-0000-000000000000' })
      const [left] = await sql`select count(*)::int as n from workgate.tally_deltas`
      assert.equal(left!['n'], 0)
    })

    test('several processes can migrate at once', async () => {
      const empty = await suiteDatabase(undefined, 'template0')
      await setDefault(empty, 'isolation', level)
      const ownerDb = suitePool(empty.url, { poolSize: 2 })
      await Promise.all([1, 2, 3].map(() => migrate(ownerDb, migrations, quiet)))
    })

    test('a read-only default stays in effect', async () => {
      await setDefault(database, 'read_only', 'on')
      const [row] = await suitePool(url).run(settings)
      assert.deepEqual({ ...(row as object) }, { isolation: 'read committed', readOnly: 'on' })
    })
  })
}
