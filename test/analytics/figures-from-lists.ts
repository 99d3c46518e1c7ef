// Figures as the lists give them: the same number must come from walking a list with the same filter and counting.

import { addDays, startOf } from './oracle-days.ts'
import { sum, type Row } from './oracle-rows.ts'
import type { Choice } from './moments.ts'

export interface Figure {
  /** What the analytics say. */
  says: number
  /** A list below the project, and what is added up of its rows; without, they are counted. */
  list: string
  of?: (row: Row) => number
}

const states = ['open', 'completed', 'cancelled']

export function overviewFigures({ pick }: Choice, data: Row, today: string): Figure[] {
  const { tasks, counts, time } = data
  const stage = pick(data['byStage'].filter(({ stageId }: Row) => stageId !== null) as Row[])
  const priority = pick(data['byPriority'] as Row[])
  const assignee = pick(data['byAssignee'].items as Row[])
  const state = pick(states)
  const week = (name: string) => `${name}After=${addDays(today, -6)}&${name}Before=${addDays(today, 1)}`
  const ended = 'time-entries?running=false'
  return [
    { says: tasks.total, list: 'tasks' },
    { says: tasks[state], list: `tasks?state=${state}` },
    { says: tasks.overdue, list: 'tasks?overdue=true' },
    { says: tasks.unassigned, list: 'tasks?assigneeId=none' },
    ...(stage ? [{ says: stage[state], list: `tasks?stageId=${stage['stageId']}&state=${state}` }] : []),
    { says: priority[state], list: `tasks?priority=${priority['priority']}&state=${state}` },
    ...(assignee
      ? [{ says: assignee[state], list: `tasks?assigneeId=${assignee['assigneeId'] ?? 'none'}&state=${state}` }]
      : []),
    ...Object.keys(counts).map((list) => ({ says: counts[list], list })),
    { says: time.totalSeconds, list: ended, of: secondsOf },
    { says: time.billableSeconds, list: `${ended}&billable=true`, of: secondsOf },
    { says: time.estimateSeconds, list: 'tasks', of: (row) => row['estimateSeconds'] ?? 0 },
    { says: data['createdLast7Days'], list: `tasks?${week('created')}` },
    { says: data['completedLast7Days'], list: `tasks?${week('completed')}` },
  ]
}

/** The moments between which the days lie, as a list's filters take them. */
const between = (name: string, zone: string, start: string, end: string) =>
  `${name}After=${iso(zone, start)}&${name}Before=${iso(zone, end)}`
const iso = (zone: string, day: string) => new Date(startOf(zone, day)).toISOString()

export function progressFigures({ pick }: Choice, { from, to, timezone, series }: Row): Figure[] {
  const { start, end, created, completed } = pick(series as Row[])
  return [
    { says: created, list: `tasks?${between('created', timezone, start, end)}` },
    { says: completed, list: `tasks?${between('completed', timezone, start, end)}` },
    {
      says: sum(series.map((bucket: Row) => bucket['created'])),
      list: `tasks?${between('created', timezone, from, to)}`,
    },
  ]
}

export function timeFigures({ pick }: Choice, data: Row): Figure[] {
  const { from, to, timezone, groupBy, billable, userId, rows, totals, running } = data
  const range = between('started', timezone, from, to)
  const users = userId === null ? '' : `&userId=${userId}`
  const kind = billable === null ? '' : `&billable=${billable}`
  const list = (more: string) => `time-entries?${range}${kind}${more}`
  const row = pick(rows as Row[])
  const rowList: Record<string, () => string> = {
    user: () => list(`&userId=${row!['key']}`),
    task: () => list(`${users}&taskId=${row!['key']}`),
    day: () => `time-entries?${between('started', timezone, row!['key'], addDays(row!['key'], 1))}${kind}${users}`,
  }
  const rowSays = row && rowList[groupBy] && { says: row['totalSeconds'], list: `${rowList[groupBy]()}&running=false` }
  return [
    { says: totals.entries, list: `${list(users)}&running=false` },
    { says: totals.totalSeconds, list: `${list(users)}&running=false`, of: secondsOf },
    { says: running, list: `${list(users)}&running=true` },
    ...(rowSays ? [{ ...rowSays, of: secondsOf }] : []),
  ]
}

const secondsOf = (entry: Row) => entry['durationSeconds']
