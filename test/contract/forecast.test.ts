// The forecast and the throughput of GET /projects/:projectId/analytics/progress: the days that they are based on.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { inDays, onOneDay, projectOf, type Task } from '../support/flow.ts'

const { workgate, key } = await contractSuite()

async function progress(tasks: Task[], queries: string[]) {
  const project = await projectOf(workgate.sql, tasks)
  return Promise.all(
    queries.map(async (query) => {
      const { status, body } = await workgate.send(`GET /projects/${project}/analytics/progress?${query}`, { key })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    }),
  )
}

const open = (n: number): Task[] => Array(n).fill({ created: '2020-01-01' })
const done = (each: number, ...days: number[]): Task[] =>
  days.flatMap((day) => Array(each).fill({ created: '2020-01-01', completed: `${inDays(day)}T12:00Z` }))
/** Days before today: ago(3, 1) is three days ago, the day before yesterday and yesterday. */
const ago = (first: number, last: number) => Array.from({ length: first - last + 1 }, (_, n) => n - first)
const range = (from: number, to: number) => `from=${inDays(from)}&to=${inDays(to)}`

interface Outlook {
  throughputPerWeek: number | null
  remaining?: number
  /** In days after today. */
  dates?: (number | null)[]
  reason?: string
}

// prettier-ignore
const outlooks: [claim: string, tasks: () => Task[], query: () => string, outlook: Outlook][] = [
  ['one completion a day: five tasks take five days',    () => [...open(5), ...done(1, ...ago(10, 1))],                () => range(-10, 1),
    { throughputPerWeek: 6.36, remaining: 5, dates: [5, 5, 5] }],
  ['completions today do not count',                     () => [...open(5), ...done(1, ...ago(10, 1)), ...done(90, 0)], () => range(-10, 1),
    { throughputPerWeek: 63.64, remaining: 5, dates: [5, 5, 5] }],
  ['completions in the future do not count',             () => [...open(5), ...done(1, ...ago(10, 1)), ...done(90, 3)], () => range(-10, 9),
    { throughputPerWeek: 6.36, remaining: 5, dates: [5, 5, 5] }],
  ['a past range uses its own days',                     () => [...open(5), ...done(1, ...ago(20, 11)), ...done(9, ...ago(10, 1))], () => range(-20, -10),
    { throughputPerWeek: 7, remaining: 5, dates: [5, 5, 5] }],
  ['seven days are enough',                              () => [...open(7), ...done(1, ...ago(7, 1))],                 () => range(-7, 0),
    { throughputPerWeek: 7, remaining: 7, dates: [7, 7, 7] }],
  ['six days are not enough',                            () => [...open(7), ...done(9, ...ago(7, 1))],                 () => range(-6, 1),
    { throughputPerWeek: 54, reason: 'too_few_days' }],
  ['a range in the future has no days',                  () => [...open(7), ...done(9, ...ago(7, 1))],                 () => range(1, 40),
    { throughputPerWeek: null, reason: 'too_few_days' }],
  ['a range that begins today counts for throughput',    () => [...open(7), ...done(9, ...ago(7, 0))],                 () => range(0, 40),
    { throughputPerWeek: 63, reason: 'too_few_days' }],
  ['four completions are not enough',                    () => [...open(7), ...done(4, -3)],                           () => range(-7, 0),
    { throughputPerWeek: 4, reason: 'too_few_completions' }],
  ['completions before the last 400 days do not help',   () => [...open(7), ...done(4, -3), ...done(9, -401)],         () => range(-500, 1),
    { throughputPerWeek: 0.18, reason: 'too_few_completions' }],
  ['no tasks: nothing remains',                          () => [],                                                     () => range(-7, 0),
    { throughputPerWeek: 0, reason: 'nothing_remaining' }],
  ['more than 1,100 days of work remain',                () => [...open(1101), ...done(1, ...ago(30, 1))],             () => range(-30, 0),
    { throughputPerWeek: 7, reason: 'too_far' }],
  ['exactly 1,100 days of work remain',                  () => [...open(1100), ...done(1, ...ago(30, 1))],             () => range(-30, 0),
    { throughputPerWeek: 7, remaining: 1100, dates: [1100, 1100, 1100] }],
  ['days before the last 400 do not count',              () => [...open(3), ...done(1, ...ago(400, 1)), ...done(500, -401)], () => range(-600, 1),
    { throughputPerWeek: 10.48, remaining: 3, dates: [3, 3, 3] }],
]

describe('the forecast, by days, weeks and months', () => {
  for (const [claim, tasks, query, { throughputPerWeek, remaining, dates, reason = null }] of outlooks) {
    test(claim, () =>
      onOneDay(async () => {
        const intervals = ['day', 'week', 'month'].map((interval) => `${query()}&interval=${interval}`)
        const [p50Date, p85Date, p95Date] = (dates ?? []).map((days) => days && inDays(days))
        const forecast = dates ? { remaining, p50Date, p85Date, p95Date } : null
        for (const data of await progress(tasks(), intervals)) {
          assert.deepEqual(
            { throughputPerWeek: data.throughputPerWeek, forecast: data.forecast, forecastReason: data.forecastReason },
            { throughputPerWeek, forecast, forecastReason: reason },
            data.interval,
          )
        }
      }),
    )
  }

  test('the last 400 days count, including the first of them', () =>
    onOneDay(async () => {
      const intervals = ['day', 'week'].map((interval) => `${range(-500, 1)}&interval=${interval}`)
      for (const data of await progress([...open(6), ...done(5, -400)], intervals)) {
        assert.equal(data.forecastReason, null)
        // That day has to be drawn twice, which takes at most 671 days with a probability of 50%.
        assert.ok(data.forecast.p50Date > inDays(600) && data.forecast.p50Date < inDays(750), data.forecast.p50Date)
        assert.deepEqual([data.forecast.p85Date, data.forecast.p95Date], [null, null], 'beyond 1,100 days')
      }
    }))

  test('uses the days of the time zone', () =>
    onOneDay(async () => {
      // A completion late on a day in UTC is early on the next day there. In UTC the last day would have none.
      const late = ago(11, 2).map((day) => ({ created: '2020-01-01', completed: `${inDays(day)}T20:00Z` }))
      const intervals = ['day', 'week'].map(
        (interval) => `${range(-10, 0)}&timezone=Asia/Kathmandu&interval=${interval}`,
      )
      for (const data of await progress([...open(4), ...late], intervals)) {
        assert.equal(data.throughputPerWeek, 7)
        assert.equal(data.forecast.p95Date, inDays(4))
      }
    }))

  test('is the same for each request', () =>
    onOneDay(async () => {
      const uneven = ago(30, 1).flatMap((day) => done((day * day) % 7, day))
      const results = await progress([...open(80), ...uneven], Array(3).fill(range(-30, 1)))
      assert.equal(new Set(results.map(({ forecast }) => JSON.stringify(forecast))).size, 1)
      assert.ok(results[0].forecast.p50Date < results[0].forecast.p95Date)
    }))
})
