// The sources of time reports: tallies where possible, otherwise only the entries in the range.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTime } from '../../../src/resources/analytics/get-time-report.ts'
import type { Params } from '../../../src/db/statements/template.ts'
import { id } from '../../support/data.ts'
import { planSuite } from './plan-suite.ts'

const { explain } = await planSuite(
  `
    insert into workgate.users (id, name, email)
    select overlay('${id('user', 0)}' placing lpad(n::text, 3, '0') from 34)::uuid, n, n || '@example.org' from generate_series(1, 50) n;
    insert into workgate.projects (id, key, name) values ('${id('project', 1)}', 'ONE', '1'), ('${id('project', 2)}', 'TWO', '2');
    insert into workgate.tasks (project_id, title) select p.id, n from workgate.projects p, generate_series(1, 10) n;
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
    select t.project_id, t.id, u.id, d.day, d.day::timestamp at time zone 'UTC', '2031-01-01'
    from workgate.tasks t, workgate.users u, generate_series(0, 1000, 24) n, lateral (select date '2026-01-01' + u.name::int + n as day) d;
    select workgate.recount(id) from workgate.projects`,
  'vacuum analyze',
)

const some: Params = { projectId: id('project', 1), billable: null, userId: null, limit: 500 }
const month: Params = { ...some, from: '2026-06-03', to: '2026-07-03' }
const one: Params = { ...month, userId: [id('user', 7)] }
const entriesOfRange =
  /Index Only Scan using time_entries_by_spent_on on time_entries e.*\n(.*\n)? *Index Cond: .*spent_on >= .*spent_on < /

// prettier-ignore
const cases: [claim: string, params: Params & { groupBy: keyof typeof findTime }, read: RegExp, unread: RegExp][] = [
  ['users from tallies',                   { ...month, groupBy: 'user' },                 /using tallies_pkey/, /time_entries/],
  ['billable time of users from tallies',  { ...month, groupBy: 'user', billable: true }, /using tallies_pkey/, /time_entries/],
  ['one user from tallies',                { ...one, groupBy: 'user' },                   /using tallies_pkey/, /time_entries/],
  ['days from tallies',                    { ...month, groupBy: 'day' },                  /using tallies_pkey/, /time_entries/],
  ['days of one user from tallies',        { ...one, groupBy: 'day' },                    /using tallies_pkey/, /time_entries/],
  ['tasks from the entries of the range',  { ...month, groupBy: 'task' },                 entriesOfRange,       /tallies|Sort Key: e.task_id/],
  ['tasks of one user from these entries', { ...one, groupBy: 'task' },                   entriesOfRange,       /tallies|Sort Key: e.task_id/],
]

for (const [claim, params, read, unread] of cases) {
  test(claim, async () => {
    const whole = await explain(findTime[params.groupBy], params)
    const plan = whole.slice(whole.indexOf('CTE groups'), whole.indexOf('CTE shown'))
    assert.match(plan, read)
    assert.doesNotMatch(plan, unread)
    assert.doesNotMatch(whole, /Seq Scan on time_entries/)
    if (params['userId'] !== null) assert.match(whole, /using time_entries_running/)
  })
}

for (const userId of [null, [id('user', 7), id('user', 8)]]) {
  test(`1,000 days ${userId ? 'of users ' : ''}are read by one scan of the tallies`, async () => {
    const years = { ...some, userId, from: '2026-01-03', to: '2028-09-29', groupBy: 'day', limit: null }
    const plan = await explain(findTime.day, years, 'analyze, timing off')
    const loops = [...plan.matchAll(/using tallies_pkey .*loops=(\d+)/g)].map(([, loops]) => Number(loops))
    assert.ok(Math.max(...loops) < 50, `${loops} scans`)
  })
}
