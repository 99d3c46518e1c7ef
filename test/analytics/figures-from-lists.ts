// Pairs the figures of analytics with lists: counting the rows of a list with the same filter must give the same
// number.

import { addDays, startOf } from './oracle-days.ts'
import { sum, type Row } from './oracle-rows.ts'
import type { Choice } from './moments.ts'

export interface Figure {
  /** The value that analytics returned. */
  value: number
  /** The path of a list below the project. */
  list: string
  /** The number that is summed over the rows. Without it, the rows are counted. */
  of?: (row: Row) => number
  /** The divisor of the sum. */
  per?: number
}

const states = ['open', 'completed', 'cancelled']

/** What a figure of tasks sums: an own field, in whole units. */
const ofMeasure = (measure: string | null) =>
  measure === null ? {} : { of: (row: Row) => Math.round((row['fields'][measure] ?? 0) * 10_000), per: 10_000 }

export function overviewFigures({ pick }: Choice, data: Row, today: string): Figure[] {
  const { tasks, counts, time } = data
  const size = ofMeasure(data['measure'])
  const stage = pick(data['byStage'].filter(({ stageId }: Row) => stageId !== null) as Row[])
  const priority = pick(data['byPriority'] as Row[])
  const assignee = pick(data['byAssignee'].items as Row[])
  const state = pick(states)
  const week = (name: string) => `${name}After=${addDays(today, -6)}&${name}Before=${addDays(today, 1)}`
  const ended = 'time-entries?running=false'
  return [
    { value: tasks.total, list: 'tasks', ...size },
    { value: tasks[state], list: `tasks?state=${state}`, ...size },
    { value: tasks.overdue, list: 'tasks?overdue=true', ...size },
    { value: tasks.unassigned, list: 'tasks?assigneeId=none', ...size },
    ...(stage ? [{ value: stage[state], list: `tasks?stageId=${stage['stageId']}&state=${state}`, ...size }] : []),
    { value: priority[state], list: `tasks?priority=${priority['priority']}&state=${state}`, ...size },
    ...(assignee
      ? [
          {
            value: assignee[state],
            list: `tasks?assigneeId=${assignee['assigneeId'] ?? 'none'}&state=${state}`,
            ...size,
          },
          {
            value: assignee['overdue'],
            list: `tasks?assigneeId=${assignee['assigneeId'] ?? 'none'}&overdue=true`,
            ...size,
          },
        ]
      : []),
    ...Object.keys(counts).map((list) => ({ value: counts[list], list })),
    { value: time.totalSeconds, list: ended, of: secondsOf },
    { value: time.billableSeconds, list: `${ended}&billable=true`, of: secondsOf },
    { value: time.estimateSeconds, list: 'tasks', of: (row) => row['estimateSeconds'] ?? 0 },
    { value: data['createdLast7Days'], list: `tasks?${week('created')}`, ...size },
    { value: data['completedLast7Days'], list: `tasks?${week('completed')}`, ...size },
  ]
}

/** List filters for the days from start to before end. */
const between = (name: string, zone: string, start: string, end: string) =>
  `${name}After=${iso(zone, start)}&${name}Before=${iso(zone, end)}`
const iso = (zone: string, day: string) => new Date(startOf(zone, day)).toISOString()

export function progressFigures({ pick }: Choice, { from, to, timezone, series, measure }: Row): Figure[] {
  const size = ofMeasure(measure)
  const { start, end, created, completed } = pick(series as Row[])
  return [
    { value: created, list: `tasks?${between('created', timezone, start, end)}`, ...size },
    { value: completed, list: `tasks?${between('completed', timezone, start, end)}`, ...size },
    ...(measure === null
      ? [
          {
            value: sum(series.map((bucket: Row) => bucket['created'])),
            list: `tasks?${between('created', timezone, from, to)}`,
          },
        ]
      : []),
  ]
}

export function timeFigures({ pick }: Choice, data: Row): Figure[] {
  const { from, to, groupBy, billable, userId, rows, totals, running } = data
  const spent = (start: string, end: string) => `spentAfter=${start}&spentBefore=${end}`
  const users = userId === null ? '' : `&userId=${userId}`
  const kind = billable === null ? '' : `&billable=${billable}`
  const list = (more: string) => `time-entries?${spent(from, to)}${kind}${more}`
  const row = pick(rows as Row[])
  const rowLists: Record<string, () => string> = {
    user: () => list(`&userId=${row!['key']}`),
    task: () => list(`${users}&taskId=${row!['key'] ?? 'none'}`),
    day: () => `time-entries?${spent(row!['key'], addDays(row!['key'], 1))}${kind}${users}`,
  }
  const rowFigure = row &&
    rowLists[groupBy] && { value: row['totalSeconds'], list: `${rowLists[groupBy]()}&running=false` }
  return [
    { value: totals.entries, list: `${list(users)}&running=false` },
    { value: totals.totalSeconds, list: `${list(users)}&running=false`, of: secondsOf },
    { value: running, list: `${list(users)}&running=true` },
    ...(rowFigure ? [{ ...rowFigure, of: secondsOf }] : []),
  ]
}

const secondsOf = (entry: Row) => entry['durationSeconds']
