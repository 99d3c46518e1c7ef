// Defines the receipt of a deleted task, and the problem that contains it.

import * as v from 'valibot'
import { Problem } from '../../api/problems/problem.ts'
import { id, moment, named } from '../../api/responses/response-schemas.ts'
import { taskNumber, taskVersion } from '../tasks/task.ts'
import { writer } from '../changes/change.ts'

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
