// Compares responses with the oracle. All figures must be equal, except the percentiles of lead times (within 2%) and
// the forecast, which is a random simulation: the reason for no forecast must be equal, and the dates must be likely.

import assert from 'node:assert/strict'
import { random } from '../support/random.ts'
import { daysBetween } from './oracle-days.ts'
import { sum, type Row } from './oracle-rows.ts'
import type { progressOf } from './oracle-ranges.ts'

type Progress = ReturnType<typeof progressOf>
type Outlook = Progress['outlook']

export function compareProgress(found: Row, expected: Progress, today: string, claim: string) {
  const { outlook, leadTime, ...exact } = expected
  const { forecast, forecastReason, leadTime: foundLeadTime, ...rest } = found
  assert.deepEqual(rest, exact, claim)
  compareLeadTime(foundLeadTime, leadTime, claim)
  compareForecast(forecast, forecastReason, outlook, today, claim)
}

function compareLeadTime(found: Row, expected: Progress['leadTime'], claim: string) {
  const near = Object.fromEntries(
    Object.entries(expected).map(([name, value]) => {
      const is = found[name]
      const isNear =
        /^p\d+/.test(name) && value !== null && typeof is === 'number' && Math.abs(is - value) <= 0.02 * value
      return [name, isNear ? is : value]
    }),
  )
  assert.deepEqual(found, near, `${claim}: leadTime`)
}

const maxDays = 1100
const trials = 400
/** The shares of trials between which each percentile must be: five standard deviations of this many trials. */
const likely: [name: string, low: number, high: number][] = [
  ['p50Date', 0.35, 0.65],
  ['p85Date', 0.75, 0.95],
  ['p95Date', 0.88, 1],
]

function compareForecast(forecast: Row | null, reason: string | null, outlook: Outlook, today: string, claim: string) {
  const { remaining, samples, unitsPerOne } = outlook
  const known = reasonFor(outlook)
  if (known) return assert.deepEqual({ forecast, reason }, { forecast: null, reason: known }, claim)
  const outcomes = simulate(remaining, samples)
  const at = (share: number) => outcomes[Math.min(trials - 1, Math.floor(share * trials))]!
  if (forecast === null) {
    assert.equal(reason, 'too_far', claim)
    assert.ok(at(likely[0]![2]) > maxDays, `${claim}: too_far, but likely within ${maxDays} days`)
    return
  }
  assert.equal(reason, null, claim)
  assert.deepEqual(Object.keys(forecast), ['remaining', 'p50Date', 'p85Date', 'p95Date'], claim)
  assert.equal(forecast['remaining'], remaining / unitsPerOne, claim)
  assert.notEqual(forecast['p50Date'], null, claim)
  let before = 1
  for (const [name, low, high] of likely) {
    const days = forecast[name] === null ? maxDays + 1 : daysBetween(today, forecast[name])
    const range = `likely ${at(low)} to ${at(high)}, with ${remaining} remaining and ${samples} per day`
    const message = `${claim}: ${name} in ${days} days, ${range}`
    assert.ok(days >= before && days <= maxDays + 1, message)
    assert.ok(days >= at(low) && days <= at(high), message)
    before = days
  }
}

function reasonFor({ remaining, isArchived, tasksPerDay }: Outlook) {
  if (remaining <= 0) return 'nothing_remaining'
  if (isArchived) return 'archived'
  if (tasksPerDay.length < 14) return 'too_few_days'
  if (sum(tasksPerDay) < 5) return 'too_few_completions'
  return Math.max(...tasksPerDay) * 2 > sum(tasksPerDay) ? 'mostly_one_day' : null
}

const drawn = random(1)
function simulate(remaining: number, samples: number[]): number[] {
  const outcomes = Array.from({ length: trials }, () => {
    let days = 0
    for (let left = remaining; left > 0 && days <= maxDays; days++) {
      left -= samples[Math.floor(drawn() * samples.length)]!
    }
    return days
  })
  return outcomes.sort((a, b) => a - b)
}

// Invariants of every response that counts tasks, even while clients write

const fields = ['total', 'open', 'completed', 'cancelled']
const add = (rows: Row[], names: string[]) => names.map((name) => sum(rows.map((row) => row[name] as number)))
const only = (row: Row, names: string[]) => names.map((name) => row[name] as number)

function tasksAddUp(tasks: Row, claim: string) {
  const { total, open, completed, cancelled } = tasks
  assert.equal(open + completed + cancelled, total, claim)
  assert.ok(Math.min(open, completed, cancelled, tasks['overdue'] ?? 0) >= 0, claim)
  assert.ok((tasks['overdue'] ?? 0) <= open && (tasks['unassigned'] ?? 0) <= total, claim)
}

const timeAddsUp = ({ totalSeconds, billableSeconds }: Row, claim: string) =>
  assert.ok(billableSeconds >= 0 && billableSeconds <= totalSeconds, claim)

export const addsUp: Record<string, (data: Row, claim: string) => void> = {
  overview({ tasks, byStage, byPriority, byAssignee, byType, time }, claim) {
    tasksAddUp(tasks, claim)
    const whole = only(tasks, fields)
    assert.deepEqual(add(byStage, fields), whole, `${claim}: byStage`)
    assert.deepEqual(add(byPriority, fields), whole, `${claim}: byPriority`)
    assert.deepEqual(add([...byType.items, byType.other], fields), whole, `${claim}: byType`)
    // A task counts for each of its assignees.
    for (const name of [...fields, 'overdue'])
      assert.ok(
        sum([...byAssignee.items, byAssignee.other].map((row) => row[name])) >= tasks[name],
        `${claim}: byAssignee`,
      )
    const unassigned = byAssignee.items.find(({ assigneeId }: Row) => assigneeId === null)
    assert.equal(unassigned?.total ?? 0, tasks.unassigned, `${claim}: unassigned`)
    timeAddsUp(time, claim)
    assert.ok(time.estimatedTaskSeconds <= time.totalSeconds, `${claim}: estimatedTaskSeconds`)
  },
  progress({ series, leadTime }, claim) {
    series.forEach((bucket: Row, at: number) => {
      const where = `${claim}: ${bucket['start']}`
      assert.equal(bucket['remaining'], bucket['scope'] - bucket['done'], where)
      if (at === 0) return
      const before = series[at - 1]
      assert.equal(bucket['start'], before.end, where)
      assert.equal(bucket['scope'] - before.scope, bucket['created'] - bucket['cancelled'], where)
      assert.equal(bucket['done'] - before.done, bucket['completed'], where)
    })
    assert.equal(leadTime.count, add(series, ['completed'])[0], `${claim}: leadTime`)
  },
  time({ rows, other, totals, running }, claim) {
    const names = ['totalSeconds', 'billableSeconds', 'entries']
    assert.deepEqual(add([...rows, other], names), only(totals, names), claim)
    for (const row of [...rows, other]) timeAddsUp(row, claim)
    assert.ok(running >= 0, claim)
  },
}

/** Checks a summary that contains all items, without filters, against its totals. */
export function summaryAddsUp({ data, totals }: Row, claim: string) {
  for (const item of [...data, totals]) tasksAddUp(item.tasks, claim)
  const tasks = data.map((item: Row) => item['tasks'])
  assert.deepEqual(add(tasks, [...fields, 'overdue']), only(totals.tasks, [...fields, 'overdue']), claim)
  const time = ['totalSeconds', 'billableSeconds']
  assert.deepEqual(
    add(
      data.map((item: Row) => item['time']),
      time,
    ),
    only(totals.time, time),
    claim,
  )
  assert.equal(totals.projects, data.length, claim)
  const latest =
    data
      .map((item: Row) => item['lastActivityAt'])
      .toSorted()
      .at(-1) ?? null
  assert.equal(totals.lastActivityAt, latest, claim)
}
