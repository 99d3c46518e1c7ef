// Compares GET /projects/:projectId/analytics/progress with a plain count of the same tasks, by the days of Intl.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addDays } from '../../src/resources/analytics/range.ts'
import { compactTallies } from '../support/compact-tallies.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { insertTasks, projectOf, type Task } from '../support/flow.ts'
import { chooser } from '../support/random.ts'

const hourMs = 3_600_000
const { below, chance, times } = chooser(20_260_307)
const first = Date.parse('2025-05-20T00:00Z')
const moment = (ms: number) => new Date(ms).toISOString()
const tasks = times(600, (): Task => {
  const created = first + below(330 * 24 * 4) * (hourMs / 4) + below(3) - 1
  // Durations from seconds to months, with about as many of each magnitude.
  const ended = created + Math.round(Math.exp(below(1_700) / 100) * 1000)
  const reopened = times(chance(0.1) ? 1 + below(3) : 0, () => moment(created + below(90 * 24) * hourMs))
  if (chance(0.6)) return { created: moment(created), completed: moment(ended), reopened }
  return chance(0.4)
    ? { created: moment(created), cancelled: moment(ended), reopened }
    : { created: moment(created), reopened }
})

const { workgate, key } = await contractSuite()
let project: string

project = await projectOf(workgate.sql, tasks.slice(0, 300))
await compactTallies(workgate.sql, project)
// The other tasks are not compacted.
await insertTasks(workgate.sql, project, tasks.slice(300))

// prettier-ignore
const ranges: [from: string, to: string, interval: string][] = [
  ['2025-05-01', '2026-05-20', 'day'],
  ['2025-05-01', '2026-05-20', 'week'],
  ['2025-05-01', '2026-05-20', 'month'],
  ['2025-11-15', '2026-01-20', 'month'],
  ['2025-10-24', '2025-11-05', 'day'],
  ['2026-03-05', '2026-03-06', 'day'],
  ['2026-03-25', '2026-04-10', 'week'],
]
const zones = ['UTC', 'America/New_York', 'America/Havana', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati'] // prettier-ignore

for (const timezone of zones) {
  describe(timezone, () => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
    const dayOf = (moment: string | undefined) => (moment === undefined ? undefined : format.format(new Date(moment)))
    const local = tasks.map(({ created, completed, cancelled, reopened }) => ({
      created: dayOf(created)!,
      completed: dayOf(completed),
      cancelled: dayOf(cancelled),
      reopened: reopened!.map((at) => dayOf(at)!),
      lead: completed && Math.max(0, Math.floor((Date.parse(completed) - Date.parse(created)) / 1000)),
    }))

    const count = (has: (task: (typeof local)[number]) => unknown) => local.filter(has).length
    const expected = ([start, end]: [string, string]) => {
      const within = (day: string | undefined) => day !== undefined && day >= start && day < end
      const before = (day: string | undefined) => day !== undefined && day < end
      const scope = count(({ created }) => before(created)) - count(({ cancelled }) => before(cancelled))
      const done = count(({ completed }) => before(completed))
      return {
        start,
        end,
        created: count(({ created }) => within(created)),
        completed: count(({ completed }) => within(completed)),
        cancelled: count(({ cancelled }) => within(cancelled)),
        reopened: local.flatMap(({ reopened }) => reopened.filter(within)).length,
        scope,
        done,
        remaining: scope - done,
      }
    }

    for (const [from, to, interval] of ranges) {
      test(`${from} to ${to} by ${interval}`, async () => {
        const query = `from=${from}&to=${to}&interval=${interval}&timezone=${timezone}`
        const { body } = await workgate.send(`GET /projects/${project}/analytics/progress?${query}`, { key })
        assert.deepEqual(body.data.series, intervalsOf(from, to, interval).map(expected))

        const leads = local
          .filter(({ completed }) => completed && completed >= from && completed < to)
          .map(({ lead }) => lead as number)
          .sort((a, b) => a - b)
        const { count, meanSeconds, ...percentiles } = body.data.leadTime
        assert.ok(leads.length > 0)
        assert.equal(count, leads.length)
        assert.equal(meanSeconds, Math.round(leads.reduce((sum, lead) => sum + lead, 0) / leads.length))
        for (const percent of [50, 85, 95]) {
          const exact = leads[Math.ceil((percent * leads.length) / 100) - 1]!
          const off = Math.abs(percentiles[`p${percent}Seconds`] - exact) / Math.max(exact, 1)
          assert.ok(off <= 0.02, `p${percent} is ${percentiles[`p${percent}Seconds`]}, not ${exact}`)
        }
      })
    }
  })
}

/** Splits the range at the start of each day, week or month. */
function intervalsOf(from: string, to: string, interval: string): [string, string][] {
  const begins = (day: string) => {
    if (interval === 'week') return new Date(day).getUTCDay() === 1
    return interval === 'day' || day.endsWith('-01')
  }
  const starts = [from]
  for (let day = addDays(from, 1); day < to; day = addDays(day, 1)) if (begins(day)) starts.push(day)
  return starts.map((day, n) => [day, starts[n + 1] ?? to])
}
