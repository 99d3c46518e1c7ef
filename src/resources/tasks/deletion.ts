// Defines the receipt of a deleted task, and the problem that contains it, for every path that names a task.

import * as v from 'valibot'
import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { Problem } from '../../api/problems/problem.ts'
import { id, moment, named, writer } from '../../api/responses/response-schemas.ts'
import { taskNumber, taskVersion } from './task.ts'
import findDeletionSql from '../../../sql/tasks/find-deletion.sql'
import taskDeletion from '../../../sql/tasks/task-deletion.sql'

export type Deletion = v.InferOutput<typeof deletion>
export const deletion = named('Deletion', 'The deletion of a task that existed.', {
  taskId: id,
  deletedAt: moment,
  by: writer,
  number: taskNumber,
  version: taskVersion,
})

export function taskDeleted(deletion: Deletion): Problem {
  const { number, deletedAt, by } = deletion
  return new Problem('TASK_DELETED', `Task ${number} was deleted at ${deletedAt} (channel ${by.channel}).`, {
    deletion,
  })
}

/** The select of a receipt, for the task with this id. */
export const deletionOf = (taskId: string) => include(taskDeletion, { taskId })

/** Everything is found by the ids of the task, so one plan is right for all of them. */
export const findDeletion = query<{ receipt: string }>(
  include(findDeletionSql, { deletion: deletionOf(':taskId::uuid') }),
  () => 'generic',
)

/** For a task that an earlier statement has not found: the 410 if it is known to have been deleted. */
export async function missingTask(
  ids: { projectId: string; taskId: string },
  db: Runner,
): Promise<Problem | undefined> {
  const [found] = await findDeletion(db, ids)
  return found && taskDeleted(JSON.parse(found.receipt) as Deletion)
}
