// Whether something may have changed about tasks since they were seen.

import type { Runner } from '../../db/pool.ts'
import { query } from '../../db/query.ts'
import type { ConfirmedVersion, Freshness } from '../../api/freshness/freshness.ts'
import type { Verification } from './expectations.ts'
import { groupBy } from './group-by.ts'
import changedTasksSql from '../../../sql/work-packets/changed-tasks.sql'

const findChangedTasks = query<{ place: number }>(changedTasksSql)

/** A task as somebody has seen it. */
export interface Seen {
  projectId: string
  taskId: string
  verification: Pick<Verification, 'version' | 'lastChange'>
  /** What was confirmed of its project before it was looked at. */
  confirmed: ConfirmedVersion
  /** Whether more of it counts than the task's own row. */
  wholePacket: boolean
}

/**
 * Those worth another look, with what was confirmed of their projects now. For however many it costs one statement while
 * nothing changes in their projects, and two otherwise.
 */
export async function findChanged<S extends Seen>(
  db: Runner,
  freshness: Freshness,
  seen: readonly S[],
): Promise<{ changed: S[]; now: ReadonlyMap<string, ConfirmedVersion> }> {
  const projectIds = [...new Set(seen.map(({ projectId }) => projectId))]
  const found = await Promise.all(projectIds.map((projectId) => freshness.check(projectId)))
  const now = new Map(projectIds.map((projectId, place) => [projectId, found[place]!]))
  const behind = seen.filter(({ projectId, confirmed }) => confirmed.version !== now.get(projectId)!.version)
  const rows = groupBy(
    behind.filter(({ wholePacket }) => !wholePacket),
    ({ projectId, taskId, verification: { version, lastChange } }) =>
      `${projectId} ${taskId} ${version} ${lastChange?.at}`,
  )
  const places = new Set(
    await findChangedRows(
      db,
      rows.map(([first]) => first),
    ),
  )
  // The others are now as they were seen.
  for (const one of rows.filter((_, place) => !places.has(place)).flat()) one.confirmed = now.get(one.projectId)!
  const changed = rows.filter((_, place) => places.has(place)).flat()
  return { changed: [...changed, ...behind.filter(({ wholePacket }) => wholePacket)], now }
}

async function findChangedRows(db: Runner, rows: readonly Seen[]): Promise<number[]> {
  if (rows.length === 0) return []
  const changed = await findChangedTasks(db, {
    projectIds: rows.map(({ projectId }) => projectId),
    taskIds: rows.map(({ taskId }) => taskId),
    versions: rows.map(({ verification }) => String(verification.version)),
    moments: rows.map(({ verification }) => verification.lastChange?.at ?? ''),
  })
  return changed.map(({ place }) => place)
}
