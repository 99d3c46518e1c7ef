// Forecasts that do not depend on chance: if every day has the same number of completions, every draw has the same
// result.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { chooser } from '../support/random.ts'
import { addDays, today } from './oracle-days.ts'
import type { Row } from './oracle-rows.ts'

interface Past {
  /** How many tasks are open. */
  open: number
  /** How many tasks were completed on each day up to yesterday. */
  days: number[]
  /** How many tasks were completed today. */
  now?: number
  /** How many days before today the range starts. By default, it starts with the first of the days. */
  since?: number
}

const every = (count: number, days: number): number[] => Array.from({ length: days }, () => count)

/** The number of days until all tasks are done, or the reason for no forecast. */
// prettier-ignore
const claims: [claim: string, past: Past, expected: number | string][] = [
  ['ten days of work are done on the tenth day',              { open: 30,    days: every(3, 10) },                                 10],
  ['a remainder takes one more day',                          { open: 31,    days: every(3, 10) },                                 11],
  ['less than a day of work is done tomorrow',                { open: 1,     days: every(3, 10) },                                 1],
  ['seven days are enough',                                   { open: 7,     days: every(1, 7) },                                  7],
  ['completions today are not sampled',                       { open: 10,    days: every(1, 10), now: 50 },                        10],
  ['days before the range are not sampled',                   { open: 10,    days: [...every(9, 20), ...every(1, 10)], since: 10 }, 10],
  ['days before the last 400 are not sampled',                { open: 40,    days: [...every(9, 5), ...every(1, 400)] },           40],
  ['1,100 days are within the horizon',                       { open: 1_100, days: every(1, 10) },                                 1_100],
  ['1,101 days are too far',                                  { open: 1_101, days: every(1, 10) },                                 'too_far'],
  ['nothing remains',                                         { open: 0,     days: every(3, 10) },                                 'nothing_remaining'],
  ['nothing_remaining precedes other reasons',                { open: 0,     days: every(0, 3) },                                  'nothing_remaining'],
  ['six days are too few',                                    { open: 5,     days: every(9, 6) },                                  'too_few_days'],
  ['too_few_days precedes too_few_completions',               { open: 5,     days: every(0, 6) },                                  'too_few_days'],
  ['four completions are too few',                            { open: 5,     days: [...every(0, 9), 4], now: 9 },                  'too_few_completions'],
]

const day = today()
const { id } = chooser(7)
const { workgate, key } = await contractSuite({ environment: { LOG_LEVEL: 'error' } })

let projects = 0
async function forecastOf({ open, days, now = 0, since = days.length }: Past): Promise<Row> {
  const { sql } = workgate
  const project = id()
  await sql`insert into workgate.projects ${sql({ id: project, key: `F${projects++}`, name: 'Future' })}`
  await sql`
    insert into workgate.tasks (project_id, title) select ${project}, 'Open' from generate_series(1, ${open}::integer)`
  await sql`
    insert into workgate.tasks (project_id, title, state, created_at, completed_at)
    select ${project}, 'Done', 'completed', c.at, c.at
    from unnest(${[...days, now]}::integer[]) with ordinality as d (tasks, n)
    cross join lateral generate_series(1, d.tasks)
    cross join lateral (
      select (${day}::date + (d.n - ${days.length + 1})::integer)::timestamp at time zone 'UTC' + interval '9 hours' as at) c`
  const query = `from=${addDays(day, -since)}&to=${addDays(day, 1)}`
  const { status, text, body } = await workgate.send(`GET /projects/${project}/analytics/progress?${query}`, { key })
  assert.equal(status, 200, text)
  return body.data
}

for (const [claim, past, expected] of claims) {
  test(claim, async (context) => {
    const { forecast, forecastReason } = await forecastOf(past)
    if (day !== today()) return context.skip('midnight passed during the test')
    const date = typeof expected === 'number' && addDays(day, expected)
    const dates = { p50Date: date, p85Date: date, p95Date: date }
    assert.deepEqual(
      { forecast, forecastReason },
      date
        ? { forecast: { remaining: past.open, ...dates }, forecastReason: null }
        : { forecast: null, forecastReason: expected },
    )
  })
}

test('a percentile beyond the horizon is null, even if an earlier one is not', async () => {
  // One completion every sixth day: 181 take 1,086 days on average, and more than 1,105 in one of twenty trials.
  const { forecast, forecastReason } = await forecastOf({
    open: 181,
    days: every(0, 5).flatMap(() => [0, 0, 0, 0, 0, 1]),
  })
  assert.equal(forecastReason, null)
  assert.notEqual(forecast.p50Date, null)
  assert.equal(forecast.p95Date, null)
})
