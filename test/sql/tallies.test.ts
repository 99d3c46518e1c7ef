// Tallies match the rows after any change, compacted or not, with concurrent writers. These tests compare them with
// recount; test/analytics compares them with plain counts.

import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { app, id, insertData, web } from '../support/data.ts'
import { chooser } from '../support/random.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { connect, type Sql } from '../support/workgate.ts'

const database = await suiteDatabase(insertData)
const { sql } = database
await sql`update workgate.tasks set estimate_seconds = 3600 where id = ${id('task', 1)}`
await sql`select workgate.add_field('points', 'number'), workgate.add_field('cost', 'number'), workgate.add_field('note', 'text')`

const tables = ['tallies', 'tally_deltas', 'task_efforts', 'effort_marks'] as const

/** The tallies that recount finds wrong, and repairs if asked to. */
const wrong = async (project: string, repair = false) =>
  (await sql`select kind, span, key, part from workgate.recount(${project}, ${repair})`).map((row) => ({ ...row }))

const pending = async (project: string) => {
  const [row] = await sql`
    select (select count(*) from workgate.tally_deltas where project_id = ${project})::int as deltas,
      (select count(*) from workgate.effort_marks where project_id = ${project})::int as marks`
  return { ...row }
}
const nothing = { deltas: 0, marks: 0 }

/** All figures of a project, those over time by month. */
const figures = async (project: string) =>
  (
    await sql`
      select kind, to_char(date_trunc('month', at, 'UTC'), 'YYYY-MM') as month, key, part, sum(n)::float as n, sum(seconds)::float as seconds
      from (
        select kind, at, key, part, n, seconds from workgate.tallies where project_id = ${project} and span = 'month'
        union all
        select kind, at, key, part, n, seconds from workgate.tallies
        where project_id = ${project} and span = 'ever' and kind not in ('time', 'effort')
        union all
        select kind, at, key, part, n, seconds from workgate.tally_deltas where project_id = ${project}
        union all
        select 'effort', at, '', '', 0, seconds from workgate.effort_changes(${project})
      ) t
      group by 1, 2, 3, 4
      having sum(n) <> 0 or sum(seconds) <> 0
      order by 1, 2, 3, 4`
  ).map((row) => ({ ...row }))

const ofWeb = `where project_id = '${web}'`
const one = `where project_id = '${web}' and id = '${id('task', 1)}'`
const entry = `where project_id = '${web}' and id = '${id('timeEntry', 1)}'`

// prettier-ignore
const changes: [claim: string, statement: string][] = [
  ['inserting a task',                  `insert into workgate.tasks (project_id, title) values ('${web}', 'x')`],
  ['inserting a cancelled task',        `insert into workgate.tasks (project_id, title, state) values ('${web}', 'x', 'cancelled')`],
  ['inserting many tasks without numbers', `insert into workgate.tasks (project_id, title, due_date) select '${web}', 'x', date '2026-01-01' + n from generate_series(1, 120) n`],
  ['moving a task to another stage',    `update workgate.tasks set stage_id = '${id('stage', 2)}' ${one}`],
  ['assigning a task',                  `update workgate.tasks set assignee_id = '${id('user', 1)}' ${one}`],
  ['unassigning a task',                `update workgate.tasks set assignee_id = null ${one}`],
  ['changing the priority of a task',   `update workgate.tasks set priority = 'urgent' ${one}`],
  ['setting the due date of a task',    `update workgate.tasks set due_date = '2026-02-03' ${one}`],
  ['changing the due date of a task',   `update workgate.tasks set due_date = '2027-02-03' ${one}`],
  ['completing a task',                 `update workgate.tasks set state = 'completed' ${one}`],
  ['moving a completion back in time', `update workgate.tasks set completed_at = '2026-05-01T11:59:59.999Z' ${one}`],
  ['moving the creation of a task back in time', `update workgate.tasks set created_at = '2026-04-01' ${one}`],
  ['removing an estimate',              `update workgate.tasks set estimate_seconds = null ${one}`],
  ['estimating a task again',           `update workgate.tasks set estimate_seconds = 60 ${one}`],
  ['changing an estimate',              `update workgate.tasks set estimate_seconds = 90 ${one}`],
  ['reopening a task',                  `update workgate.tasks set state = 'open' ${one}`],
  ['cancelling a task',                 `update workgate.tasks set state = 'cancelled' ${one}`],
  ['moving a cancellation in time',     `update workgate.tasks set cancelled_at = '2026-05-01' ${one}`],
  ['completing a cancelled task',       `update workgate.tasks set state = 'completed' ${one}`],
  ['giving a task points',              `update workgate.tasks set fields = '{"points": 2.5, "cost": -1, "note": "x"}' ${one}`],
  ['cancelling a task with points',     `update workgate.tasks set state = 'cancelled' ${one}`],
  ['changing the points of a task',     `update workgate.tasks set fields = fields || '{"points": 0.0001}' ${one}`],
  ['removing a number of a task',       `update workgate.tasks set fields = fields - 'cost' ${one}`],
  ['inserting a task with points, several assignees and a due date', `insert into workgate.tasks (project_id, title, due_date, assignee_ids, fields) values ('${web}', 'x', '2026-02-03', '{${id('user', 1)},${id('user', 2)}}', '{"points": 1000000000}')`],
  ['deleting a task with points',       `delete from workgate.tasks ${ofWeb} and fields = '{"points": 1000000000}'`],
  ['completing all tasks at once',      `update workgate.tasks set state = 'completed', completed_at = created_at + interval '3 days' where state <> 'completed'`],
  ['reopening all tasks at once',       `update workgate.tasks set state = 'open'`],
  ['spending time on a task',           `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at) values ('${web}', '${id('task', 1)}', '${id('user', 1)}', '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z')`],
  ['stopping a timer',                  `update workgate.time_entries set ended_at = started_at + interval '1 hour' where ended_at is null`],
  ['restarting a timer',                `update workgate.time_entries set ended_at = null ${entry}`],
  ['stopping a timer at another time',  `update workgate.time_entries set ended_at = started_at + interval '7 minutes' ${entry}`],
  ['moving an entry in time',           `update workgate.time_entries set spent_on = spent_on - 40 ${entry}`],
  ['moving an entry to another task',   `update workgate.time_entries set task_id = '${id('task', 2)}' ${entry}`],
  ['moving an entry to another user',   `update workgate.time_entries set user_id = '${id('user', 4)}' ${entry}`],
  ['making an entry billable',          `update workgate.time_entries set billable = not billable ${entry}`],
  ['deleting an entry',                 `delete from workgate.time_entries ${entry}`],
  ['inserting a comment',               `insert into workgate.comments (project_id, task_id, body) values ('${web}', '${id('task', 1)}', 'x')`],
  ['deleting comments',                 `delete from workgate.comments ${ofWeb}`],
  ['inserting a document',              `insert into workgate.documents (project_id, path, title, markdown) values ('${web}', 'x', 'x', 'x')`],
  ['deleting documents',                `delete from workgate.documents ${ofWeb}`],
  ['adding a member',                   `insert into workgate.project_members (project_id, user_id) values ('${web}', '${id('user', 5)}')`],
  ['removing a member',                 `delete from workgate.project_members ${ofWeb} and user_id = '${id('user', 5)}'`],
  ['deleting a task with its contents', `delete from workgate.tasks ${one}`],
  ['editing history',                   `update workgate.task_history set changes = '{"state": {"from": "completed", "to": "open"}}' ${ofWeb} and version = 1`],
  ['deleting history',                  `delete from workgate.task_history ${ofWeb}`],
]

describe('tallies', { concurrency: false }, () => {
  test('exist for the initial data', async () => assert.ok((await figures(web)).length > 10))

  for (const [claim, statement] of changes) {
    test(`${claim} is counted at once, and compaction does not change the figures`, async () => {
      const before = await figures(web)
      await sql.unsafe(statement)
      const counted = await figures(web)
      assert.notDeepEqual(counted, before, 'the statement changes the figures')
      assert.deepEqual(await wrong(web), [])
      await sql`select workgate.compact_tallies(${web})`
      assert.deepEqual(await pending(web), nothing)
      assert.deepEqual(await figures(web), counted)
      assert.deepEqual(await wrong(web), [])
    })
  }

  test('a rollback leaves nothing behind', async () => {
    const before = await figures(web)
    await sql
      .begin(async (sql) => {
        await sql.unsafe(
          `insert into workgate.tasks (project_id, title) select '${web}', 'x' from generate_series(1, 400)`,
        )
        throw new Error('rolled back')
      })
      .catch(() => {})
    assert.deepEqual(await figures(web), before)
    assert.deepEqual(await wrong(web), [])
  })

  test('changing a title, a description, an id or a path adds no deltas', async () => {
    await sql`select workgate.compact_tallies(${web})`
    await sql`insert into workgate.documents (project_id, path, title, markdown) values (${web}, 'y', 'y', 'y')`
    await sql`update workgate.tasks set title = title || '!' where project_id = ${web}`
    await sql`update workgate.time_entries set description = 'said' where project_id = ${web}`
    await sql`update workgate.time_entries set id = workgate.new_id() where project_id = ${web}`
    await sql`update workgate.documents set path = 'z' where project_id = ${web} and path = 'y'`
    // An entry with another id is a new one, of the task.
    assert.deepEqual(await pending(web), { deltas: 1, marks: 1 })
    assert.deepEqual(await wrong(web), [])
  })

  test('a task adds the same tallies for each number among its own fields as for itself, except lead, estimate and seconds', async () => {
    const talliesWith = async (fields: string | null) =>
      (
        await sql`
          select c.kind, c.at::text, c.key, c.part, c.n::text, c.seconds::text
          from jsonb_populate_record(null::workgate.tasks, ${sql.json({
            state: 'completed',
            priority: 'low',
            type: 'bug',
            assignee_id: id('user', 1),
            assignee_ids: [id('user', 1), id('user', 2)],
            estimate_seconds: 60,
            created_at: '2026-01-01T00:00Z',
            completed_at: '2026-01-02T00:00Z',
          })} || jsonb_build_object('fields', ${fields}::text::jsonb)) t
          cross join lateral workgate.tallies_of_tasks(t) c
          order by c.kind, c.key`
      ).map((row) => ({ ...row }) as Record<string, string>)
    const counted = await talliesWith(null)
    assert.equal(counted.length, 10)
    assert.deepEqual(await talliesWith('{"note": "x", "points": 0}'), counted)
    const all = await talliesWith('{"note": "x", "points": -2.0001}')
    assert.deepEqual(
      all.filter(({ kind }) => !kind!.includes(' of ')),
      counted,
    )
    assert.deepEqual(
      all.filter(({ kind }) => kind!.includes(' of ')),
      counted
        .filter(({ kind }) => kind !== 'lead' && kind !== 'estimate')
        .map((row) => ({ ...row, kind: `${row['kind']} of points`, n: '-20001', seconds: '0' })),
    )
  })

  test('sums have the spans of counts', async () => {
    const kinds = 'state,stage,priority,assignee,type,due,shared due,flow'
    const rows = await sql`
      select kind,
        array(select span from workgate.spans_of(kind, now())) as counted,
        array(select span from workgate.spans_of(kind || ' of points', now())) as summed
      from unnest(string_to_array(${kinds}, ',')) as kind`
    for (const { kind, counted, summed } of rows) assert.deepEqual(summed, counted, kind)
  })

  test('a writer of many rows compacts them', async () => {
    await sql`
      insert into workgate.tasks (project_id, title, created_at)
      select ${web}, 'x', timestamptz '2026-01-01' + n * interval '1 hour' from generate_series(1, 1500) n`
    assert.deepEqual(await pending(web), nothing)
    assert.deepEqual(await wrong(web), [])
  })

  test('deltas of many small writes do not pile up', async () => {
    await sql.unsafe(`
      do $$ begin
        for n in 1..10000 loop
          insert into workgate.comments (project_id, task_id, author_id, body)
          select project_id, id, '${id('user', 1)}', 'small' from workgate.tasks where project_id = '${web}' limit 1;
        end loop;
      end $$`)
    const { deltas } = await pending(web)
    assert.ok(Number(deltas) < 9_000, `${deltas} of 10,000 deltas were not compacted`)
    await sql`delete from workgate.comments where body = 'small'`
  })
})

describe('recount', { concurrency: false }, () => {
  // With thousands of tasks, each count below would take long.
  before(
    () => sql`
      delete from workgate.tasks
      where project_id = ${web}
        and number > (select min(number) + 150 from workgate.tasks where project_id = ${web})`,
  )

  // prettier-ignore
  const unseen: [table: string, statement: string, kinds: string[]][] = [
    ['tasks',           `update workgate.tasks set state = 'completed', completed_at = '2026-05-05' ${ofWeb} and state = 'open'`, ['assignee', 'due', 'flow', 'lead', 'priority', 'stage', 'state']],
    ['tasks',           `update workgate.tasks set fields = '{"points": 3}' ${ofWeb} and id = '${id('task', 2)}'`, ['assignee of points', 'flow of points', 'priority of points', 'stage of points', 'state of points']],
    ['tasks',           `update workgate.tasks set estimate_seconds = 5 ${ofWeb} and id in (select task_id from workgate.time_entries)`, ['effort', 'estimate', 'state']],
    ['time_entries',    `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at) select project_id, id, '${id('user', 1)}', '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z' from workgate.tasks ${ofWeb} and estimate_seconds is not null`, ['effort', 'time', 'user time']],
    ['comments',        `insert into workgate.comments (project_id, task_id, body) select project_id, id, 'x' from workgate.tasks ${ofWeb} limit 1`, ['comments']],
    ['documents',       `delete from workgate.documents ${ofWeb}`, ['documents']],
    ['project_members', `insert into workgate.project_members (project_id, user_id) values ('${web}', '${id('user', 5)}')`, ['members']],
    ['task_history',    `insert into workgate.task_history (project_id, task_id, version, channel, actor, changes) select project_id, id, 99, 'x', '{}', '{"state": {"from": "cancelled", "to": "open"}}' from workgate.tasks ${ofWeb} limit 1`, ['reopened']],
  ]
  for (const [table, statement, kinds] of unseen) {
    test(`finds and repairs changes of ${table} with triggers disabled (${kinds.join(', ')})`, async () => {
      await sql.begin(async (sql) => {
        await sql.unsafe(`alter table workgate.${table} disable trigger user`)
        await sql.unsafe(statement)
        await sql.unsafe(`alter table workgate.${table} enable trigger user`)
      })
      const found = [...new Set((await wrong(web)).map((row) => row['kind'] as string))].sort()
      assert.deepEqual(found, kinds)
      assert.notDeepEqual(await wrong(web, true), [])
      assert.deepEqual(await wrong(web), [])
    })
  }

  for (const table of tables) {
    test(`rebuilds the tallies after ${table} was lost`, async () => {
      const before = await figures(web)
      await sql.unsafe(`delete from workgate.${table} ${ofWeb}`)
      await sql`select workgate.recount(${web})`
      assert.deepEqual(await figures(web), before)
      assert.deepEqual(await wrong(web), [])
    })
  }

  test('finds spans that contradict each other', async () => {
    await sql`update workgate.tallies set n = n + 1 where project_id = ${web} and kind = 'flow' and span = 'day'`
    assert.deepEqual(new Set((await wrong(web, true)).map((row) => row['span'])), new Set(['day']))
    assert.deepEqual(await wrong(web), [])
  })

  test('finds no differences because of concurrent writers', async () => {
    let writing = true
    const write = async () => {
      while (writing) {
        await sql`insert into workgate.tasks (project_id, title) values (${web}, 'x')`
        await sql`update workgate.tasks set state = 'completed' where project_id = ${web} and title = 'x' and state = 'open'`
      }
    }
    const writers = [write(), write()]
    for (let n = 0; n < 30; n++) assert.deepEqual(await wrong(web, n % 2 === 0), [])
    writing = false
    await Promise.all(writers)
    assert.deepEqual(await wrong(web), [])
  })
})

describe('concurrent writers', { concurrency: false }, () => {
  const clients: Sql[] = []
  before(() => clients.push(...[1, 2].map(() => connect(database.url, { max: 1 }))))
  after(() => Promise.all(clients.map((client) => client.end())))
  beforeEach(() => sql`select workgate.compact_tallies(${app})`)

  const estimate = `update workgate.tasks set estimate_seconds = 60 where project_id = '${app}' and title = 'raced'`
  const spend = `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select project_id, id, '${id('user', 1)}', '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z'
    from workgate.tasks where project_id = '${app}' and title = 'raced'`
  const complete = `update workgate.tasks set state = 'completed' where project_id = '${app}' and title = 'raced'`

  for (const level of ['read committed', 'repeatable read', 'serializable']) {
    for (const [first, second] of [
      [estimate, spend],
      [spend, estimate],
      [complete, spend],
    ] as const) {
      for (const endsFirst of [0, 1]) {
        const names = [first, second].map((text) =>
          text === estimate ? 'estimates' : text === spend ? 'spends time' : 'completes',
        )
        test(`a transaction that ${names[0]} and one that ${names[1]}, neither seeing the other, are both counted (${level}, the ${endsFirst ? 'second' : 'first'} commits first)`, async () => {
          await sql`delete from workgate.tasks where project_id = ${app} and title = 'raced'`
          const estimated = first === complete ? 60 : null
          await sql`insert into workgate.tasks (project_id, title, estimate_seconds) values (${app}, 'raced', ${estimated})`
          const [one, two] = clients as [Sql, Sql]
          for (const client of clients) await client.unsafe(`begin isolation level ${level}`)
          await one.unsafe(first)
          await two.unsafe(second)
          for (const client of endsFirst ? [two, one] : [one, two]) {
            // At level serializable one of the two can fail.
            await client.unsafe('commit').catch((error: { code: string }) => assert.equal(error.code, '40001'))
            // Compacts between the two commits.
            await sql`select workgate.compact_tallies(${app})`
          }
          assert.deepEqual(await wrong(app), [])
          await sql`select workgate.compact_tallies(${app})`
          assert.deepEqual(await wrong(app), [])
        })
      }
    }
  }

  test('no session waits for an open transaction that has compacted', async () => {
    const [compactor, other] = clients as [Sql, Sql]
    await sql`insert into workgate.tasks (project_id, title, stage_id) values (${app}, 'x', ${id('stage', 5)})`
    await compactor.unsafe('begin')
    await compactor`select workgate.compact_tallies(${app})`
    await other`set lock_timeout = '1s'`
    await other`update workgate.tasks set priority = 'low' where project_id = ${app}`
    await other`select workgate.compact_tallies(${app})`
    const [row] = await other`select count(*)::int as n from workgate.tally_deltas where project_id = ${app}`
    assert.ok(row!['n'] > 0, 'the new deltas are not compacted')
    await compactor.unsafe('rollback')
    assert.deepEqual(await wrong(app), [])
    await compactor`select workgate.compact_tallies(${app})`
    assert.deepEqual(await pending(app), nothing)
    assert.deepEqual(await wrong(app), [])
  })

  test('a transaction with an old snapshot does not compact', async () => {
    const [old] = clients as [Sql, Sql]
    await sql`insert into workgate.tasks (project_id, title) values (${app}, 'not compacted yet')`
    await old.unsafe('begin isolation level repeatable read')
    await old`select 1`
    await sql`select workgate.compact_tallies(${app})`
    await old`insert into workgate.comments (project_id, task_id, body) select project_id, id, 'x' from workgate.tasks where project_id = ${app} limit 5`
    await old`select workgate.compact_tallies(${app})`
    await old.unsafe('commit')
    assert.deepEqual(await wrong(app), [])
  })
})

describe('truncating tables and deleting projects', { concurrency: false }, () => {
  for (const table of ['comments', 'documents', 'time_entries', 'task_history', 'project_members', 'tasks']) {
    test(`truncating ${table} clears its tallies in every project`, async () => {
      await sql`insert into workgate.tasks (project_id, title, estimate_seconds, fields) values (${app}, 'x', 5, '{"points": 5}'), (${web}, 'x', 5, null)`
      await sql`
        insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
        select project_id, id, ${id('user', 1)}, '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z' from workgate.tasks`
      await sql`select workgate.compact_tallies(${app})`
      await sql.unsafe(`truncate workgate.${table} cascade`)
      for (const project of [web, app]) assert.deepEqual(await wrong(project), [])
    })
  }

  test('truncate is refused at isolation levels that do not see compaction by others', async () => {
    const truncate = sql.begin('isolation level repeatable read', async (sql) => {
      await sql`truncate workgate.comments cascade`
    })
    await assert.rejects(truncate, { code: 'WG007', message: /read committed/ })
  })

  test('a deleted project leaves no tallies, compacted or not', async () => {
    await sql`insert into workgate.tasks (project_id, title) select ${app}, 'x' from generate_series(1, 5)`
    await sql`select workgate.compact_tallies(${app})`
    await sql`insert into workgate.tasks (project_id, title, estimate_seconds) select ${app}, 'x', 5 from generate_series(1, 5)`
    await sql`
      insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
      select project_id, id, ${id('user', 1)}, '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z'
      from workgate.tasks where project_id = ${app}`
    await sql`delete from workgate.projects where id = ${app}`
    for (const table of tables) {
      const rows = await sql.unsafe(`select from workgate.${table} where project_id = '${app}'`)
      assert.equal(rows.length, 0, table)
    }
  })
})

describe('covering spans of a range', () => {
  const { below, times } = chooser(99)
  const quarter = 15 * 60_000
  const start = Date.parse('2025-01-01T00:00:00Z')
  const moment = () => start + below(100_000) * quarter
  const ranges = times(300, () => [moment(), moment()].sort((a, b) => a - b) as [number, number])
  // Random ranges are seldom aligned or short.
  for (const hours of [1, 24, 31 * 24, 59 * 24])
    ranges.push([start, start + hours * 3_600_000], [start + quarter, start + hours * 3_600_000 + quarter])

  test('each quarter hour is in exactly one span, and every span is whole', async () => {
    const rows = await sql`
      select r.n, p.span, p.first, p.bound, date_trunc(nullif(p.span, 'quarter hour'), p.first, 'UTC') as whole_first,
        date_trunc(nullif(p.span, 'quarter hour'), p.bound, 'UTC') as whole_bound
      from unnest(${ranges.map(([from]) => new Date(from).toISOString())}::timestamptz[],
        ${ranges.map(([, to]) => new Date(to).toISOString())}::timestamptz[]) with ordinality as r (since, until, n)
      cross join lateral workgate.covering_spans(r.since, r.until) p
      order by r.n, p.first`
    assert.deepEqual(new Set(rows.map((row) => row['span'])), new Set(['quarter hour', 'hour', 'day', 'month']))
    ranges.forEach(([from, to], at) => {
      let covered = from
      const spans = rows.filter((row) => Number(row['n']) === at + 1)
      for (const { span, first, bound, whole_first, whole_bound } of spans) {
        assert.equal(first.getTime(), covered)
        if (span !== 'quarter hour') assert.deepEqual([whole_first, whole_bound], [first, bound])
        covered = bound.getTime()
      }
      assert.equal(covered, to)
      assert.ok(spans.length <= 7)
    })
  })

  test('all time is one span', async () => {
    const rows = await sql`select span from workgate.covering_spans('-infinity', 'infinity')`
    assert.deepEqual(
      rows.map((row) => row['span']),
      ['ever'],
    )
  })
})
