// Computes what progress and time must return, from all rows: simple, slow, and without any code of the service.

import { secondsOf, timeOf } from './analytics-oracle.ts'
import {
  addDays,
  bucketsOf,
  daysBetween,
  nameOf,
  startOf,
  sumBefore,
  type Event,
  type Interval,
} from './oracle-days.ts'
import {
  groupBy,
  percentile,
  pointsAsMeasure,
  quotient,
  ratio,
  sum,
  tasksAsMeasure,
  unitsIn,
  type Entry,
  type Measure,
  type Project,
  type Task,
} from './oracle-rows.ts'

const maxPageSize = 500
const maxSamples = 400

export interface RangeQuery {
  from?: string
  to?: string
}

export interface ProgressQuery extends RangeQuery {
  timezone?: string
  interval?: Interval
  leaveOutType?: string
  measure?: 'points'
}

export interface TimeQuery extends RangeQuery {
  groupBy?: 'user' | 'task' | Interval
  billable?: 'true' | 'false'
  userId?: string
}

function rangeOf({ from, to }: RangeQuery, today: string) {
  const end = to ?? addDays(today, 1)
  const start = from ?? addDays(end, -30)
  return { from: start, to: end }
}

/** True for a moment on the days of the zone from `from` to before `to`. */
const within = (zone: string, from: string, to: string) => (moment: number | null) =>
  moment !== null && moment >= startOf(zone, from) && moment < startOf(zone, to)

const eventsOf = (tasks: Task[], field: 'created' | 'completed' | 'cancelled', { unitsOf }: Measure): Event[] =>
  tasks.flatMap((task) => (task[field] === null ? [] : [{ at: task[field], units: unitsOf(task) }]))

export function progressOf(project: Project, query: ProgressQuery, today: string) {
  const leftOut = query.leaveOutType?.split(',') ?? []
  const counts = ({ type }: { type: string | null }) => !leftOut.includes(type ?? 'none')
  const { row } = project
  const measure = query.measure ? pointsAsMeasure : tasksAsMeasure
  const tasks = project.tasks.filter(counts)
  const reopened = project.reopened.filter(counts).map(({ at }) => ({ at, units: 1 }))
  const range = { ...rangeOf(query, today), timezone: query.timezone ?? 'UTC' }
  const { from, to, timezone } = range
  const interval = query.interval ?? 'day'
  const buckets = bucketsOf(from, to, interval)
  const limits = [from, ...buckets.map(({ end }) => end)].map((date) => startOf(timezone, date))
  const before = {
    created: sumBefore(eventsOf(tasks, 'created', measure), limits),
    completed: sumBefore(eventsOf(tasks, 'completed', measure), limits),
    cancelled: sumBefore(eventsOf(tasks, 'cancelled', measure), limits),
    reopened: sumBefore(reopened, limits),
  }
  const inBucket = (sums: number[], at: number) => sums[at + 1]! - sums[at]!
  const shown = (units: number) => units / measure.unitsPerOne
  const inRange = within(timezone, from, to)
  return {
    ...range,
    interval,
    measure: measure.name,
    series: buckets.map(({ start, end }, at) => {
      const scope = before.created[at + 1]! - before.cancelled[at + 1]!
      const done = before.completed[at + 1]!
      return {
        start,
        end,
        created: shown(inBucket(before.created, at)),
        completed: shown(inBucket(before.completed, at)),
        cancelled: shown(inBucket(before.cancelled, at)),
        reopened: inBucket(before.reopened, at),
        scope: shown(scope),
        done: shown(done),
        remaining: shown(scope - done),
      }
    }),
    leadTime: leadTimeOf(tasks.filter(({ completed }) => inRange(completed))),
    throughputPerWeek: throughputOf(tasks, measure, range, today),
    outlook: {
      remaining: unitsIn(
        tasks.filter(({ state }) => state === 'open'),
        measure,
      ),
      unitsPerOne: measure.unitsPerOne,
      isArchived: row['status'] === 'archived',
      samples: samplesOf(tasks, measure, project.tasks, range, today),
      tasksPerDay: samplesOf(tasks, tasksAsMeasure, project.tasks, range, today),
    },
  }
}

/** Computes exact percentiles. */
function leadTimeOf(tasks: Task[]) {
  const seconds = tasks
    .map(({ created, completed }) => Math.max(0, Math.floor((completed! - created) / 1000)))
    .sort((a, b) => a - b)
  return {
    count: seconds.length,
    p50Seconds: percentile(seconds, 50),
    p85Seconds: percentile(seconds, 85),
    p95Seconds: percentile(seconds, 95),
    meanSeconds: quotient(sum(seconds), seconds.length, 0),
  }
}

type ZonedRange = ReturnType<typeof rangeOf> & { timezone: string }

const earlier = (a: string, b: string) => (a < b ? a : b)

function throughputOf(tasks: Task[], measure: Measure, { from, to, timezone }: ZonedRange, today: string) {
  const end = earlier(to, addDays(today, 1))
  if (end <= from) return null
  const inTime = within(timezone, from, end)
  const units = unitsIn(
    tasks.filter(({ completed }) => inTime(completed)),
    measure,
  )
  return quotient(7 * units, measure.unitsPerOne * daysBetween(from, end), 2)
}

/** The completions of each day that the forecast draws from. */
function samplesOf(
  tasks: Task[],
  measure: Measure,
  all: Task[],
  { from, to, timezone }: ZonedRange,
  today: string,
): number[] {
  const end = earlier(to, today)
  if (end <= from) return []
  const days = [...bucketsOf(from, end, 'day').map(({ start }) => start), end].slice(-maxSamples - 1)
  const sums = sumBefore(
    eventsOf(tasks, 'completed', measure),
    days.map((day) => startOf(timezone, day)),
  )
  const first = Math.min(...all.flatMap(({ created, completed }) => [created, completed ?? Infinity]))
  const perDay = sums.slice(1).map((sum, at) => sum - sums[at]!)
  return perDay.filter((_, at) => startOf(timezone, days[at + 1]!) > first)
}

export function timeIn(project: Project, query: TimeQuery, today: string) {
  const range = rangeOf(query, today)
  const { from, to } = range
  const inRange = (day: string) => day >= from && day < to
  const isCompletedInRange = within('UTC', from, to)
  const userIds = query.userId?.split(',').toSorted() ?? null
  const billable = query.billable ? query.billable === 'true' : null
  const found = project.entries
    .filter(({ spentOn }) => inRange(spentOn))
    .filter((entry) => billable === null || entry.billable === billable)
    .filter(({ userId }) => userIds === null || userIds.includes(userId))
  const ended = found.filter(({ seconds }) => seconds !== null)
  const by = query.groupBy ?? 'user'
  const rows =
    by === 'user' || by === 'task'
      ? rowsByKey(project, ended, by)
      : bucketsOf(from, to, by).map(({ start, end }) =>
          rowOf(
            start,
            nameOf(start, by),
            ended.filter(({ spentOn }) => spentOn >= start && spentOn < end),
          ),
        )
  const listed = by === 'user' || by === 'task' ? rows.slice(0, maxPageSize) : rows
  const rest = rows.slice(listed.length)
  return {
    ...range,
    groupBy: by,
    billable,
    userId: userIds,
    rows: listed,
    other: {
      rows: rest.length,
      totalSeconds: sum(rest.map(({ totalSeconds }) => totalSeconds)),
      billableSeconds: sum(rest.map(({ billableSeconds }) => billableSeconds)),
      entries: sum(rest.map(({ entries }) => entries)),
    },
    totals: { ...timeOf(ended), entries: ended.length },
    running: found.length - ended.length,
    estimateVsActual: estimateVsActual(
      project,
      project.tasks.filter(({ completed, estimate }) => estimate !== null && isCompletedInRange(completed)),
    ),
  }
}

const rowOf = (key: string | null, name: string | null, entries: Entry[]) => ({
  key,
  name,
  ...timeOf(entries),
  entries: entries.length,
})

function rowsByKey({ tasks, nameOfUser }: Project, entries: Entry[], by: 'user' | 'task') {
  const titleOf = new Map(tasks.map(({ id, title }) => [id, title]))
  const nameIn = by === 'user' ? nameOfUser : titleOf
  return [...groupBy(entries, (entry) => entry[`${by}Id`])]
    .map(([key, theirs]) => rowOf(key, key && nameIn.get(key)!, theirs))
    .sort((a, b) => b.totalSeconds - a.totalSeconds || (b.key === null || (a.key !== null && a.key < b.key) ? -1 : 1))
}

function estimateVsActual({ entries }: Project, tasks: Task[]) {
  const ids = new Set(tasks.map(({ id }) => id))
  const estimatedSeconds = sum(tasks.map(({ estimate }) => estimate!))
  const actualSeconds = secondsOf(entries.filter(({ taskId }) => taskId !== null && ids.has(taskId)))
  return { estimatedSeconds, actualSeconds, ratio: ratio(actualSeconds, estimatedSeconds), tasks: tasks.length }
}
