// The sources of time reports: tallies where possible, otherwise only the entries in the range.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findTime } from '../../../src/resources/analytics/get-time-report.ts'
import type { Params } from '../../../src/db/statements/statement.ts'
import { id } from '../../support/data.ts'
import { planSuite } from './plan-suite.ts'

const { explain } = await planSuite(
  `
    insert into workgate.users (id, name, email)
    select overlay('${id('user', 0)}' placing lpad(n::text, 3, '0') from 34)::uuid, n, n || '@example.org' from generate_series(1, 50) n;
    insert into workgate.projects (id, key, name) values ('${id('project', 1)}', 'ONE', '1'), ('${id('project', 2)}', 'TWO', '2');
    insert into workgate.tasks (project_id, title) select p.id, n from workgate.projects p, generate_series(1, 10) n;
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select t.project_id, t.id, u.id, '2026-01-01', '2026-01-01Z'::timestamptz + (u.name::int + n) * interval '1 hour', '2028-01-01'
    from workgate.tasks t, workgate.users u, generate_series(0, 8000, 200) n;
    select workgate.recount(id) from workgate.projects`,
  'vacuum analyze',
)

const some: Params = {
  projectId: id('project', 1),
  timezone: 'Asia/Kathmandu',
  zone: 'Asia/Kathmandu',
  billable: null,
  userId: null,
  limit: 500,
}
const month: Params = { ...some, from: '2026-06-03', to: '2026-07-03' }
const one: Params = { ...month, userId: [id('user', 7)] }
const bounded = (name: string) => new RegExp(`${name}.*\\n(.*\\n)? *Index Cond: .*started_at.* >= .*started_at.* < `)

// prettier-ignore
const cases: [claim: string, params: Params & { groupBy: keyof typeof findTime }, read: RegExp[], unread: RegExp][] = [
  ['users from tallies, at the edges from entries', { ...month, groupBy: 'user' }, [/using tallies_pkey/, bounded('time_entries_by_started_at')], /_by_user/],
  ['billable time of users',                        { ...month, groupBy: 'user', billable: true }, [/using tallies_pkey/, bounded('time_entries_by_started_at')], /_by_user/],
  ['one user from tallies and their entries',       { ...one, groupBy: 'user' },   [/using tallies_pkey/, bounded('time_entries_by_user')],       /_by_started_at/],
  ['tasks from the entries of the range',           { ...month, groupBy: 'task' }, [/Index Only Scan/, bounded('time_entries_by_started_at')],         /tallies|Sort Key: e.task_id/],
  ['tasks of one user from their entries',          { ...one, groupBy: 'task' },   [bounded('time_entries_by_user')],                             /tallies|_by_started_at/],
  ['days from tallies',                             { ...month, groupBy: 'day' },  [/using tallies_pkey/],                                        /_by_started_at/],
  ['days of one user from their entries',           { ...one, groupBy: 'day' },    [bounded('time_entries_by_user')],                             /_by_started_at/],
]

const loopsOf = (plan: string, index: string) =>
  [...plan.matchAll(new RegExp(`using ${index} .*loops=(\\d+)`, 'g'))].map(([, loops]) => Number(loops))

describe('1,000 days', () => {
  const years = { ...some, from: '2026-01-03', to: '2028-09-29', groupBy: 'day', limit: null }

  test('in UTC are read by one scan of the tallies', async () => {
    const utc = { ...years, timezone: 'UTC', zone: 'UTC' }
    const loops = loopsOf(await explain(findTime.day, utc, 'analyze, timing off'), 'tallies_pkey')
    assert.ok(Math.max(...loops) < 50, `${loops} scans`)
  })

  test('of other time zones are read by one scan of the tallies, and two for each day', async () => {
    const loops = loopsOf(await explain(findTime.day, years, 'analyze, timing off'), 'tallies_pkey')
    assert.ok(Math.max(...loops) <= 2_002, `${loops} scans`)
  })

  for (const groupBy of ['day', 'task'] as const) {
    test(`of several users by ${groupBy} are read by one scan of an index that contains the figures`, async () => {
      const params = { ...years, groupBy, userId: [id('user', 7), id('user', 8)] }
      const plan = await explain(findTime[groupBy], params, 'analyze, timing off')
      assert.match(plan, /Index Only Scan using time_entries_by_user on time_entries e/, plan)
      assert.ok(Math.max(...loopsOf(plan, 'time_entries_by_user')) <= 2, plan)
    })
  }

  test('by task are read from an index that contains the figures', async () => {
    const plan = await explain(findTime.task, { ...years, groupBy: 'task' })
    assert.match(plan, /Index Only Scan using time_entries_by_started_at on time_entries e/, plan)
  })
})

for (const [claim, params, read, unread] of cases) {
  test(claim, async () => {
    const whole = await explain(findTime[params.groupBy], params)
    const plan = whole.slice(whole.indexOf('CTE groups'), whole.indexOf('CTE shown'))
    for (const index of read) assert.match(plan, index)
    assert.doesNotMatch(plan, unread)
    assert.doesNotMatch(plan, /Seq Scan on time_entries/)
  })
}
