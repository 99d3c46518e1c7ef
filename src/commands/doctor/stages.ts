// Counts completed tasks that are not in a done stage although their board has one, as after an update by SQL.

import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { formatCount, formatNames, hint, ok, type Outcome } from './finding.ts'
import completedElsewhereSql from '../../../sql/doctor/completed-elsewhere.sql'

const findCompletedElsewhere = query<{ key: string; tasks: number }>(completedElsewhereSql)

export async function checkStages(session: Session): Promise<Outcome> {
  const projects = await findCompletedElsewhere(session, {})
  if (projects.length === 0) return ok('Completed tasks are in done stages, if their board has one')
  const total = projects.reduce((sum, { tasks }) => sum + tasks, 0)
  const names = formatNames(projects.map(({ key, tasks }) => `${key} (${tasks})`))
  return hint(
    `${formatCount(total, 'completed task')} outside the done stages of their boards: ${names}.`,
    'Boards show them as unfinished. The guide "Doctor" has a statement that moves them.',
  )
}
