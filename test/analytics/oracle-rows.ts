// Reads the rows for the oracle from the base tables, and provides the arithmetic of its figures.

import type { Sql } from '../support/workgate.ts'

export type Row = Record<string, any>
export type Tables = Record<string, Row[]>

const names = [
  'users',
  'projects',
  'project_members',
  'project_teams',
  'boards',
  'stages',
  'tasks',
  'comments',
  'time_entries',
  'documents',
  'task_history',
]

/** Reads all rows from one snapshot. */
export const readTables = (sql: Sql): Promise<Tables> =>
  sql.begin('isolation level repeatable read read only', async (transaction) => {
    const tables: Tables = {}
    for (const name of names) tables[name] = [...(await transaction`select * from ${transaction(`workgate.${name}`)}`)]
    return tables
  }) as Promise<Tables>

export interface Task {
  id: string
  title: string
  state: 'open' | 'completed' | 'cancelled'
  priority: string
  type: string | null
  stageId: string | null
  assigneeIds: string[]
  dueDate: string | null
  estimate: number | null
  created: number
  completed: number | null
  cancelled: number | null
  /** Its own field points, in units of 1/10,000; 0 without it. */
  points: number
}

/** What the figures are sums of: a whole number of units of each task. */
export interface Measure {
  name: string | null
  unitsPerOne: number
  unitsOf(task: Task): number
}

export const tasksAsMeasure: Measure = { name: null, unitsPerOne: 1, unitsOf: () => 1 }
export const pointsAsMeasure: Measure = { name: 'points', unitsPerOne: 10_000, unitsOf: ({ points }) => points }

export const unitsIn = (tasks: Task[], { unitsOf }: Measure) => sum(tasks.map(unitsOf))
export const amountOf = (tasks: Task[], measure: Measure) => unitsIn(tasks, measure) / measure.unitsPerOne

export interface Entry {
  taskId: string | null
  userId: string
  spentOn: string
  /** Whole seconds, or null while it is running. */
  seconds: number | null
  billable: boolean
}

export interface Project {
  row: Row
  tasks: Task[]
  entries: Entry[]
  boards: Row[]
  stages: Row[]
  /** When tasks were reopened, and the type that they had then. */
  reopened: { at: number; type: string | null }[]
  counts: Record<'boards' | 'users' | 'teams' | 'comments' | 'documents', number>
  lastActivityAt: string
  nameOfUser: Map<string, string>
}

/** A day, which the driver reads as its midnight in UTC. */
export const dayOf = (value: Date | null) => value && value.toISOString().slice(0, 10)
const momentOf = (value: Date | null) => value && value.getTime()

export function projectsIn(tables: Tables): Map<string, Project> {
  const nameOfUser = new Map(tables['users']!.map((user) => [user['id'], user['name']]))
  const groups = new Map(names.map((name) => [name, groupBy(tables[name]!, (row) => row['project_id'] as string)]))
  return new Map(
    tables['projects']!.map((row) => {
      const of = (name: string) => groups.get(name)!.get(row['id']) ?? []
      const touched = [row, ...of('tasks'), ...of('comments'), ...of('time_entries'), ...of('documents')]
      const project: Project = {
        row,
        tasks: of('tasks').map(taskOf),
        entries: of('time_entries').map(entryOf),
        boards: of('boards'),
        stages: of('stages'),
        reopened: reopenedOf(of('tasks'), of('task_history')),
        counts: {
          boards: of('boards').length,
          users: of('project_members').length,
          teams: of('project_teams').length,
          comments: of('comments').length,
          documents: of('documents').length,
        },
        lastActivityAt: new Date(
          touched.reduce((latest, { updated_at }) => Math.max(latest, updated_at.getTime()), 0),
        ).toISOString(),
        nameOfUser,
      }
      return [row['id'], project]
    }),
  )
}

function reopenedOf(tasks: Row[], history: Row[]): Project['reopened'] {
  const typeOf = new Map(tasks.map(({ id, type }) => [id, type]))
  const retyped = groupBy(
    history.filter(({ changes }) => changes.type),
    (entry) => entry['task_id'],
  )
  return history
    .filter(({ changes }) => changes.state?.to === 'open' && /^(completed|cancelled)$/.test(changes.state.from))
    .map(({ task_id, version, at }) => {
      // The type is that of the task, unless it has changed since.
      const [next] = (retyped.get(task_id) ?? [])
        .filter((entry) => Number(entry['version']) > Number(version))
        .sort((a, b) => a['version'] - b['version'])
      return { at: at.getTime(), type: next ? next['changes'].type.from : typeOf.get(task_id) }
    })
}

const taskOf = (row: Row): Task => ({
  id: row['id'],
  title: row['title'],
  state: row['state'],
  priority: row['priority'],
  type: row['type'],
  stageId: row['stage_id'],
  assigneeIds: row['assignee_ids'] ?? (row['assignee_id'] ? [row['assignee_id']] : []),
  dueDate: dayOf(row['due_date']),
  estimate: row['estimate_seconds'],
  created: row['created_at'].getTime(),
  completed: momentOf(row['completed_at']),
  cancelled: momentOf(row['cancelled_at']),
  points: Math.round((row['fields']?.points ?? 0) * 10_000),
})

const entryOf = (row: Row): Entry => ({
  taskId: row['task_id'],
  userId: row['user_id'],
  spentOn: row['spent_on'].toISOString().slice(0, 10),
  seconds: row['ended_at'] && Math.floor((row['ended_at'] - row['started_at']) / 1000),
  billable: row['billable'],
})

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (!groups.has(key)) groups.set(key, [])
    groups.get(key)!.push(item)
  }
  return groups
}

export const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** a / b, rounded half away from 0, without floating-point error; null if b is 0. */
export function quotient(a: number, b: number, digits: number): number | null {
  if (b === 0) return null
  if (a < 0) return -quotient(-a, b, digits)! || 0
  const scaled = (2n * 10n ** BigInt(digits) * BigInt(a) + BigInt(b)) / (2n * BigInt(b))
  return Number(scaled) / 10 ** digits
}

export const ratio = (a: number, b: number) => quotient(a, b, 4)

/** The smallest value that at least p % of the values do not exceed. */
export const percentile = (sorted: number[], p: number) => sorted[Math.ceil((p * sorted.length) / 100) - 1] ?? null
