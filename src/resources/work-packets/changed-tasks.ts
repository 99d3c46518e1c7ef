// Finds tasks that may have changed since they were last read.

import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import type { ConfirmedVersion, Freshness } from '../../api/freshness/freshness.ts'
import type { Verification } from './expectations.ts'
import { groupBy } from './group-by.ts'
import changedTasksSql from '../../../sql/work-packets/changed-tasks.sql'

const findChangedTasks = query<{ place: number }>(changedTasksSql)

/** A task as it was last read. */
export interface ObservedTask {
  projectId: string
  taskId: string
  verification: Pick<Verification, 'version' | 'lastChange'>
  /** The version of its project, confirmed before the task was read. */
  confirmed: ConfirmedVersion
  /** True if any change to the work packet matters, not only a change to the row of the task. */
  wholePacket: boolean
}

/**
 * Returns the tasks to read again, and the current versions of their projects. For any number of tasks it runs one
 * statement while nothing changes in their projects, and two otherwise.
 */
export async function findChanged<Task extends ObservedTask>(
  db: Runner,
  freshness: Freshness,
  observed: readonly Task[],
): Promise<{ changed: Task[]; confirmed: ReadonlyMap<string, ConfirmedVersion> }> {
  const projectIds = [...new Set(observed.map(({ projectId }) => projectId))]
  const versions = await Promise.all(projectIds.map((projectId) => freshness.check(projectId)))
  const confirmed = new Map(projectIds.map((projectId, index) => [projectId, versions[index]!]))
  const outdated = observed.filter((task) => task.confirmed.version !== confirmed.get(task.projectId)!.version)
  const byRow = groupBy(
    outdated.filter(({ wholePacket }) => !wholePacket),
    ({ projectId, taskId, verification: { version, lastChange } }) =>
      `${projectId} ${taskId} ${version} ${lastChange?.at}`,
  )
  const rows = byRow.map(([first]) => first)
  const changedRows = await findChangedRows(db, rows)
  const changed = byRow.filter((_, index) => changedRows.has(index)).flat()
  // Unchanged tasks are up to date as of the new version.
  for (const task of byRow.filter((_, index) => !changedRows.has(index)).flat()) {
    task.confirmed = confirmed.get(task.projectId)!
  }
  return { changed: [...changed, ...outdated.filter(({ wholePacket }) => wholePacket)], confirmed }
}

async function findChangedRows(db: Runner, tasks: readonly ObservedTask[]): Promise<ReadonlySet<number>> {
  if (tasks.length === 0) return new Set()
  const changed = await findChangedTasks(db, {
    projectIds: tasks.map(({ projectId }) => projectId),
    taskIds: tasks.map(({ taskId }) => taskId),
    versions: tasks.map(({ verification }) => String(verification.version)),
    moments: tasks.map(({ verification }) => verification.lastChange?.at ?? ''),
  })
  return new Set(changed.map(({ place }) => place))
}
