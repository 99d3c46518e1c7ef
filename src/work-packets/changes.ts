// Whether something may have changed about tasks since they were seen.

import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import { groupBy } from './group-by.ts'
import changedTasksSql from '../../sql/work-packets/changed-tasks.sql'
import momentSql from '../../sql/work-packets/moment.sql'

const readMoment = query<{ moment: string }>(momentSql)
const findChangedTasks = query<{ place: number }>(changedTasksSql)

/** A task as somebody has seen it. */
export interface Seen {
  projectId: string
  taskId: string
  version: number
  /** Names the snapshot that it was seen in. */
  moment: string
  /** Whether more of it counts than the task's own row. */
  wholePacket: boolean
}

/**
 * Those worth another look, the most urgent first. For however many it costs one small statement while no transaction
 * ends, and two otherwise.
 */
export async function findChanged<S extends Seen>(db: Database, seen: readonly S[]): Promise<S[]> {
  const [now] = await readMoment(db, {})
  const behind = seen.filter(({ moment }) => moment !== now!.moment)
  const rows = groupBy(
    behind.filter(({ wholePacket }) => !wholePacket),
    ({ projectId, taskId, version }) => `${projectId} ${taskId} ${version}`,
  )
  const changed = new Set(
    rows.length === 0
      ? []
      : await findChangedRows(
          db,
          rows.map(([first]) => first),
        ),
  )
  // The others are at this moment as they were seen.
  for (const one of rows.filter((_, place) => !changed.has(place)).flat()) one.moment = now!.moment
  return [...rows.filter((_, place) => changed.has(place)).flat(), ...behind.filter(({ wholePacket }) => wholePacket)]
}

async function findChangedRows(db: Database, rows: readonly Seen[]): Promise<number[]> {
  const changed = await findChangedTasks(db, {
    projectIds: rows.map(({ projectId }) => projectId),
    taskIds: rows.map(({ taskId }) => taskId),
    versions: rows.map(({ version }) => String(version)),
  })
  return changed.map(({ place }) => place)
}
