// The demo writes the same consistent rows on each run, and only into an empty database.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { run } from '../support/environment.ts'
import { shownTables } from '../support/shown-tables.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { command, type Sql } from '../support/workgate.ts'

const [first, again, small] = [await suiteDatabase(), await suiteDatabase(), await suiteDatabase()]
const until = '2026-06-01'
/** Thorough runs use the default size. */
const size = run().thorough ? [] : ['--tasks', '800']

const demo = ({ url }: typeof first, ...args: string[]) => command(['demo', ...args], { DATABASE_URL: url })

/** A checksum of all rows for each table: of all columns except the transaction ids. */
async function checksums(sql: Sql): Promise<Record<string, string>> {
  const tables =
    await sql`select tablename as name from pg_tables where schemaname = 'workgate' and tablename not in ('migrations', 'freshness_marks', 'journal')`
  const checksum = async (name: string) => {
    const [row] = await sql.unsafe(
      `select md5(string_agg(md5(row::text), '' order by md5(row::text))) as checksum from (select to_jsonb(t) - 'xid' as row from workgate.${name} t) t`,
    )
    return [name, row!['checksum']] as const
  }
  return Object.fromEntries(await Promise.all(tables.map((row) => checksum(row['name']))))
}

describe('workgate demo', { concurrency: false }, () => {
  test('fills an empty database and prints the number of rows', async () => {
    const { code, out, err } = await demo(first, '--until', until, ...size)
    // A slow machine reports its progress there.
    assert.equal(code, 0, err)
    assert.match(out, run().thorough ? /\b12 projects\n.*\b4000 tasks\n/s : /\b12 projects\n.*\b800 tasks\n/s)
    assert.match(out, /Create a key: .*keys create demo --all-projects\nSee the projects: http.*\/explorer$/m)
  })

  test('writes the same rows on each run', async () => {
    assert.equal((await demo(again, '--until', until, ...size)).code, 0)
    assert.deepEqual(await checksums(first.sql), await checksums(again.sql))
  })

  // prettier-ignore
  const consistent: [claim: string, exceptions: string][] = [
    ['a task is completed if and only if its stage is done', `select from workgate.tasks t join workgate.stages s on s.project_id = t.project_id and s.id = t.stage_id where (state = 'completed') <> (category = 'done')`],
    ['a task has one history entry per version',            `select from workgate.tasks t where version <> (select count(*) from workgate.task_history h where h.project_id = t.project_id and h.task_id = t.id)`],
    ["a task's history begins at its creation and ends at its last change", `select from workgate.tasks t where (created_at::timestamptz, updated_at::timestamptz) is distinct from (select (min(at)::timestamptz, max(at)::timestamptz) from workgate.task_history h where h.project_id = t.project_id and h.task_id = t.id)`],
    ['each move starts at the stage where the last one ended', `select from (select changes->'stageId'->>'from' as f, lag(changes->'stageId'->>'to') over (partition by task_id order by version) as p from workgate.task_history where changes ? 'stageId') x where p <> f`],
    ['numbers have no gaps, and the counter equals the last', `select from (select project_id, max(number) as m, count(*) as c from workgate.tasks group by 1) x left join workgate.task_counters using (project_id) where m <> c or last_number is distinct from m`],
    ['no task is completed before its subtasks',            `select from workgate.tasks c join workgate.tasks p on p.project_id = c.project_id and p.id = c.parent_id where p.state <> 'open' and c.state = 'open'`],
    ['nothing happens after the end',                       `select from workgate.tasks where updated_at >= '${until}' union all select from workgate.comments where updated_at >= '${until}' union all select from workgate.documents where updated_at >= '${until}'`],
    ['archived projects have no open tasks',                `select from workgate.tasks t join workgate.projects p on p.id = project_id where p.status = 'archived' and state = 'open'`],
    ['people who left have no open tasks',                  `select from workgate.tasks t join workgate.users u on u.id = assignee_id where not active and state = 'open'`],
    ['every project has an owner who is a member',          `select from workgate.projects p left join workgate.project_members m on m.project_id = p.id and m.user_id = p.owner_id where m.role is distinct from 'owner'`],
    ['all triggers are enabled',                            `select from workgate.misconfigured_triggers()`],
  ]
  for (const [claim, exceptions] of consistent) {
    test(claim, async () => assert.equal((await first.sql.unsafe(exceptions)).length, 0))
  }

  test('writes rows to every table, and every state and priority', async () => {
    for (const { table } of shownTables.filter(({ table }) => table !== 'api_keys'))
      assert.ok((await first.sql.unsafe(`select from workgate.${table} limit 1`)).length, table)
    const [row] = await first.sql`
      select count(distinct state) as states, count(distinct priority) as priorities, count(distinct date_trunc('month', created_at)) as months
      from workgate.tasks`
    assert.deepEqual({ ...row }, { states: '3', priorities: '5', months: '12' })
  })

  test('a second run is refused and changes nothing', async () => {
    const before = await checksums(first.sql)
    const { code, out, err } = await demo(first)
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /demo needs an empty database/)
    assert.deepEqual(await checksums(first.sql), before)
  })

  for (const args of [
    ['--projects', '0'],
    ['--projects', '5', '--tasks', '4'],
    ['--tasks', 'many'],
    ['--until', '2026-02-30'],
    ['--until', '9999-01-01'],
    ['--colour', 'red'],
    ['more'],
  ]) {
    test(`${args.join(' ')} is refused`, async () => {
      const { code, err } = await demo(small, ...args)
      assert.equal(code, 2)
      assert.match(err, /workgate.mjs demo \[--projects 12\]/)
    })
  }

  test('writes the requested number of projects and tasks', async () => {
    assert.equal((await demo(small, '--projects', '13', '--tasks', '30')).code, 0)
    const [row] =
      await small.sql`select (select count(*)::int from workgate.projects) as projects, (select count(*)::int from workgate.tasks) as tasks`
    assert.deepEqual({ ...row }, { projects: 13, tasks: 30 })
  })
})
