// The doctor: says what is there, finds what is wrong, and mends it when told to.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { app, insertData, web } from '../support/data.ts'
import { command, freshDatabase } from '../support/workgate.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>

before(async () => {
  database = await freshDatabase()
  await insertData(database.sql)
})
after(() => database.drop())

const doctor = (...args: string[]) => command(['doctor', ...args], { DATABASE_URL: database.url })

describe('workgate doctor', { concurrency: false }, () => {
  test('a healthy database is called so', async () => {
    const { code, out, err } = await doctor()
    assert.deepEqual([code, err], [0, ''])
    assert.match(out, /^PostgreSQL 1\d.*, database test_\w+, as \w+$/m)
    assert.match(out, /^Migrations: all \d+ are there$/m)
    assert.match(out, /^Triggers: all are in force$/m)
    assert.match(out, /^Tallies: 3 of 3 projects have what their rows say$/m)
  })

  test('tallies that differ are named, and nothing is changed', async () => {
    await database.sql`update workgate.tallies set n = n + 1 where project_id = ${web} and kind = 'stage'`
    await database.sql`insert into workgate.tally_deltas values (${web}, 'comments', '-infinity', '', '', 5, 0)`
    await database.sql`
      insert into workgate.tallies
      values ('00000000-0000-7000-8003-00000000dead', 'state', 'ever', '-infinity', '', 'open', 1, 0)`
    for (const _ of [1, 2]) {
      const { code, out, err } = await doctor()
      assert.equal(code, 1)
      assert.match(out, new RegExp(`^Tallies of project WEB \\(${web}\\): \\d+ differed from its rows$`, 'm'))
      assert.match(out, /^Tallies of project deleted \(00000000-0000-7000-8003-00000000dead\): 1 differed/m)
      assert.doesNotMatch(out, new RegExp(app))
      assert.match(out, /^Tallies: 2 of 4 projects/m)
      assert.equal(err, 'workgate: tallies differ from the rows; run "workgate doctor --repair"')
    }
  })

  test('--repair puts them right', async () => {
    const repaired = await doctor('--repair')
    assert.deepEqual([repaired.code, repaired.err], [0, ''])
    assert.match(repaired.out, new RegExp(`\\(${web}\\): \\d+ differed from its rows, put right$`, 'm'))
    assert.match(repaired.out, /^Tallies: 4 of 4 projects have what their rows say$/m)
    const { code, out } = await doctor()
    assert.equal(code, 0)
    assert.match(out, /^Tallies: 3 of 3 projects/m)
  })

  test('triggers that are off, or in force for others, are named and put right', async () => {
    const states = () => database.sql`
      select tgname, tgenabled from pg_trigger where tgrelid = 'workgate.tasks'::regclass and not tgisinternal order by 1`
    const before = await states()
    await database.sql`alter table workgate.tasks disable trigger user`
    const off = await doctor()
    assert.deepEqual([off.code, off.err], [1, 'workgate: triggers are not in force; run "workgate doctor --repair"'])
    assert.match(off.out, /^Trigger tasks_note_came on workgate.tasks: off, or in force for others than it should be$/m)
    await database.sql`alter table workgate.tasks enable trigger user`
    const { code, out } = await doctor()
    assert.equal(code, 1)
    assert.doesNotMatch(out, /tasks_note_came/)
    assert.match(out, /^Trigger tasks_note_replicated on workgate.tasks: /m)
    await database.sql`insert into workgate.tasks (project_id, title) values (${web}, 'For everybody')`
    assert.equal((await doctor('--repair')).code, 0)
    assert.deepEqual(await states(), before)
    assert.match((await doctor()).out, /^Triggers: all are in force$/m)
  })

  test('a database that is not migrated is not touched', async () => {
    const empty = await freshDatabase('template0')
    const { code, out, err } = await command(['doctor'], { DATABASE_URL: empty.url })
    const [row] = await empty.sql`select count(*)::int as n from pg_namespace where nspname = 'workgate'`
    await empty.drop()
    assert.deepEqual([code, err, row!['n']], [1, 'workgate: the database is not migrated', 0])
    assert.match(out, /0001-directory, .* missing; run "workgate migrate"/)
  })

  test('what it does not know is wrong use', async () => {
    const { code, err } = await doctor('--mend')
    assert.equal(code, 2)
    assert.match(err, /workgate doctor \[--repair\]/)
  })
})
