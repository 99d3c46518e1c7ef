// Inserts tasks with a given history of events, for tests of analytics over time.

import { addDays } from '../../src/resources/analytics/range.ts'
import { today } from '../../src/api/input/values.ts'
import type { Sql } from './workgate.ts'

export interface Task {
  created: string
  completed?: string | undefined
  cancelled?: string | undefined
  reopened?: string[] | undefined
}

let projects = 0

/** Creates a project with these tasks and returns its id. */
export async function projectOf(sql: Sql, tasks: Task[]): Promise<string> {
  const key = `FLOW${++projects}`
  const [row] = await sql`insert into workgate.projects (key, name) values (${key}, ${key}) returning id`
  if (tasks.length > 0) await insertTasks(sql, row!['id'], tasks)
  return row!['id']
}

export async function insertTasks(sql: Sql, project: string, tasks: Task[]): Promise<void> {
  const rows = tasks.map((task) => ({ ...task, id: crypto.randomUUID() }))
  await sql`insert into workgate.tasks ${sql(
    rows.map(({ id, created, completed = null, cancelled = null }) => ({
      project_id: project,
      id,
      title: 'Task',
      state: completed ? 'completed' : cancelled ? 'cancelled' : 'open',
      created_at: created,
      completed_at: completed,
      cancelled_at: cancelled,
    })),
  )}`
  const history = rows.flatMap(({ id, reopened = [] }) =>
    reopened.flatMap((at, n) => [
      change(project, id, 2 * n + 2, at, n % 2 ? 'cancelled' : 'completed', 'open'),
      change(project, id, 2 * n + 3, at, 'open', 'completed'),
    ]),
  )
  if (history.length > 0) await sql`insert into workgate.task_history ${sql(history)}`
}

// prettier-ignore
const change = (project_id: string, task_id: string, version: number, at: string, from: string, to: string) => ({
  project_id, task_id, version, at, channel: 'sql', actor: {}, changes: { state: { from, to } },
})

/** Returns the date this many days after today. */
export function inDays(days: number): string {
  return addDays(today(), days)
}

/** Runs work that depends on the current date, and repeats it if it failed and the day has changed since. */
export async function onOneDay(work: () => Promise<void>): Promise<void> {
  const day = today()
  await work().catch((error) => {
    if (day === today()) throw error
    return work()
  })
}
