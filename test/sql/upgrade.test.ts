// A database that holds data when a later version comes to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { id, insertData, web } from '../support/data.ts'
import { quiet } from '../support/log.ts'
import { freshDatabase } from '../support/workgate.ts'

test('what was there before tallies is counted, and cancelled tasks have the time at which they were cancelled', async () => {
  const { url, sql, drop } = await freshDatabase('template0')
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 30_000 })
  const upTo = (name: string) => migrations.slice(0, migrations.findIndex((one) => one.name === name) + 1)
  await migrate(db, upTo('0008-exact-numbers'), quiet)
  await insertData(sql)
  await sql`update workgate.tasks set state = 'cancelled' where id in (${id('task', 1)}, ${id('task', 2)})`
  await sql`update workgate.tasks set title = 'changed since' where id = ${id('task', 1)}`
  await sql`delete from workgate.task_history where task_id = ${id('task', 2)}`
  const before = await sql`select id, version::int, updated_at from workgate.tasks order by id`
  await sql`grant usage on schema workgate to workgate_api`

  await migrate(db, migrations, quiet)
  const tasks = await sql`
    select t.id, t.cancelled_at is not null as cancelled,
      t.cancelled_at = coalesce((select at from workgate.task_history where task_id = t.id and version = 2), t.updated_at) as known
    from workgate.tasks t
    order by t.id`
  assert.deepEqual(
    tasks.map(({ cancelled, known }) => [cancelled, known]),
    [
      [true, true],
      [true, true],
      [false, null],
    ],
  )
  assert.deepEqual(await sql`select id, version::int, updated_at from workgate.tasks order by id`, before)

  const states = await sql`
    select part, sum(n)::int as n from workgate.tallied(${web}, '{state}', '-infinity', 'infinity') group by 1 order by 1`
  assert.deepEqual(
    states.map((row) => ({ ...row })),
    [
      { part: 'cancelled', n: 2 },
      { part: 'open', n: 1 },
    ],
  )
  assert.equal((await sql`select workgate.recount(id, false) from workgate.projects`).length, 0)
  // The service's role has its rights on what came, with the last migration and not before.
  const [rights] = await sql`select has_table_privilege('workgate_api', 'workgate.changes', 'select') as read`
  assert.equal(rights!['read'], true)
  await db.close()
  await drop()
})
