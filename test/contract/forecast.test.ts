// The forecast and the throughput of GET /projects/:projectId/analytics/progress: the days that they are based on.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { inDays, onOneDay, projectOf, type Task } from '../support/flow.ts'

const { workgate, key } = await contractSuite()

async function progress(tasks: Task[], queries: string[]) {
  return progressOf(await projectOf(workgate.sql, tasks), queries)
}

async function progressOf(project: string, queries: string[]) {
  return Promise.all(
    queries.map(async (query) => {
      const { status, body } = await workgate.send(`GET /projects/${project}/analytics/progress?${query}`, { key })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data
    }),
  )
}

const open = (n: number): Task[] => Array(n).fill({ created: '2020-01-01' })
/** The same tasks, created on that day. */
const begun = (day: number, tasks: Task[]): Task[] => tasks.map((task) => ({ ...task, created: inDays(day) }))
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
  ['one completion a day: five tasks take five days',    () => [...open(5), ...done(1, ...ago(20, 1))],                () => range(-20, 1),
    { throughputPerWeek: 6.67, remaining: 5, dates: [5, 5, 5] }],
  ['days before the first task do not count: 30 of 60 done in three weeks take about three more', () => [...begun(-21, open(30)), ...begun(-21, done(3, ...ago(20, 2).filter((day) => day % 2 === 0)))], () => range(-83, 1),
    { throughputPerWeek: 2.5, remaining: 30, dates: [20, 26, 29] }],
  ['the day of the first task counts',                   () => begun(-14, [...open(7), ...done(1, ...ago(14, 1))]),    () => range(-83, 1),
    { throughputPerWeek: 1.17, remaining: 7, dates: [7, 7, 7] }],
  ['the first task may be of a later day than the first completion, after an import', () => begun(0, [...open(7), ...done(1, ...ago(14, 1))]), () => range(-83, 1),
    { throughputPerWeek: 1.17, remaining: 7, dates: [7, 7, 7] }],
  ['13 days since the first task are not enough',        () => begun(-13, [...open(7), ...done(1, ...ago(13, 1))]),    () => range(-83, 1),
    { throughputPerWeek: 1.08, reason: 'too_few_days' }],
  ['completions today do not count',                     () => [...open(5), ...done(1, ...ago(20, 1)), ...done(90, 0)], () => range(-20, 1),
    { throughputPerWeek: 36.67, remaining: 5, dates: [5, 5, 5] }],
  ['completions in the future do not count',             () => [...open(5), ...done(1, ...ago(20, 1)), ...done(90, 3)], () => range(-20, 9),
    { throughputPerWeek: 6.67, remaining: 5, dates: [5, 5, 5] }],
  ['a past range uses its own days',                     () => [...open(5), ...done(1, ...ago(40, 21)), ...done(9, ...ago(20, 1))], () => range(-40, -20),
    { throughputPerWeek: 7, remaining: 5, dates: [5, 5, 5] }],
  ['14 days are enough',                                 () => [...open(7), ...done(1, ...ago(14, 1))],                () => range(-14, 0),
    { throughputPerWeek: 7, remaining: 7, dates: [7, 7, 7] }],
  ['13 days are not enough',                             () => [...open(7), ...done(9, ...ago(14, 1))],                () => range(-13, 1),
    { throughputPerWeek: 58.5, reason: 'too_few_days' }],
  ['a range in the future has no days',                  () => [...open(7), ...done(9, ...ago(7, 1))],                 () => range(1, 40),
    { throughputPerWeek: null, reason: 'too_few_days' }],
  ['a range that begins today counts for throughput',    () => [...open(7), ...done(9, ...ago(7, 0))],                 () => range(0, 40),
    { throughputPerWeek: 63, reason: 'too_few_days' }],
  ['four completions are not enough',                    () => [...open(7), ...done(1, ...ago(4, 1))],                 () => range(-14, 0),
    { throughputPerWeek: 2, reason: 'too_few_completions' }],
  ['completions before the last 400 days do not help',   () => [...open(7), ...done(4, -3), ...done(9, -401)],         () => range(-500, 1),
    { throughputPerWeek: 0.18, reason: 'too_few_completions' }],
  ['more than half of the completions on one day',       () => [...open(7), ...done(1, ...ago(14, 2)), ...done(14, -1)], () => range(-14, 0),
    { throughputPerWeek: 13.5, reason: 'mostly_one_day' }],
  ['half of the completions on one day are enough',      () => [...open(1), ...done(1, ...ago(14, 2)), ...done(13, -1)], () => range(-14, 0),
    { throughputPerWeek: 13, remaining: 1, dates: [1, 1, 1] }],
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
      for (const data of await progress([...open(11), ...done(5, -400, -1)], intervals)) {
        assert.equal(data.forecastReason, null)
        // One of the two days has to be drawn three times, which takes at most 535 days with a probability of 50%.
        assert.ok(data.forecast.p50Date > inDays(475) && data.forecast.p50Date < inDays(595), data.forecast.p50Date)
        assert.equal(data.forecast.p95Date, null, 'beyond 1,100 days')
      }
    }))

  test('uses the days of the time zone', () =>
    onOneDay(async () => {
      // A completion late on a day in UTC is early on the next day there. In UTC the last day would have none.
      const late = ago(15, 2).map((day) => ({ created: '2020-01-01', completed: `${inDays(day)}T20:00Z` }))
      const intervals = ['day', 'week'].map(
        (interval) => `${range(-14, 0)}&timezone=Asia/Kathmandu&interval=${interval}`,
      )
      for (const data of await progress([...open(4), ...late], intervals)) {
        assert.equal(data.throughputPerWeek, 7)
        assert.equal(data.forecast.p95Date, inDays(4))
      }
    }))

  test('an archived project has none, unless it is active again', () =>
    onOneDay(async () => {
      const project = await projectOf(workgate.sql, [...open(5), ...done(1, ...ago(20, 1))])
      const reasonAs = async (status: string) => {
        await workgate.sql`update workgate.projects set status = ${status} where id = ${project}`
        const [data] = await progressOf(project, [range(-20, 1)])
        assert.equal(data.forecast === null, data.forecastReason !== null)
        return data.forecastReason
      }
      assert.equal(await reasonAs('archived'), 'archived')
      assert.equal(await reasonAs('active'), null)
      await workgate.sql`update workgate.tasks set state = 'cancelled' where project_id = ${project} and state = 'open'`
      assert.equal(await reasonAs('archived'), 'nothing_remaining')
    }))

  test('is the same for each request', () =>
    onOneDay(async () => {
      const uneven = ago(30, 1).flatMap((day) => done((day * day) % 7, day))
      const results = await progress([...open(80), ...uneven], Array(3).fill(range(-30, 1)))
      assert.equal(new Set(results.map(({ forecast }) => JSON.stringify(forecast))).size, 1)
      assert.ok(results[0].forecast.p50Date < results[0].forecast.p95Date)
    }))
})
