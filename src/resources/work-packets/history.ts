// Defines the response schema of history entries.

import * as v from 'valibot'
import { taskFields, taskState, taskVersion } from '../tasks/task.ts'
import { described, moment, named } from '../../api/schema/response-schemas.ts'

const change = (from: v.GenericSchema, to = from) => v.optional(v.object({ from, to }))

const { number, title, description, priority, boardId, stageId, parentId, assigneeId, creatorId } = taskFields
const { startDate, dueDate, estimateSeconds, completedAt } = taskFields

const changes = v.object({
  number: change(number),
  title: change(title),
  description: change(description),
  state: change(described(v.nullable(taskState), '`null` where the task was made.'), taskState),
  priority: change(priority),
  boardId: change(boardId),
  stageId: change(stageId),
  parentId: change(parentId),
  assigneeId: change(assigneeId),
  creatorId: change(creatorId),
  startDate: change(startDate),
  dueDate: change(dueDate),
  estimateSeconds: change(estimateSeconds),
  completedAt: change(completedAt),
  cancelledAt: change(described(v.nullable(moment), 'Set as long as the task is cancelled.')),
})

export const historyChange = named('HistoryChange', 'A change of a task, whichever channel it came by.', {
  version: taskVersion,
  at: moment,
  channel: described(v.string(), '`api`, `sql`, or what the writer by SQL has called it.'),
  actor: described(
    v.record(v.string(), v.unknown()),
    'Who it was: the API key as `keyId` and `name`, the `role` of the database, or what the writer by SQL has said.',
  ),
  changes: described(changes, 'The fields that were changed, as they were and as they are from then on.'),
})
