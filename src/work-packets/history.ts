// A change of a task, as its history has it.

import * as v from 'valibot'
import { taskFields, taskState, taskVersion } from '../tasks/task.ts'
import { described, moment, named } from '../shown.ts'

const change = (from: v.GenericSchema, to = from) => v.optional(v.object({ from, to }))

const { number, title, description, priority, boardId, stageId, parentId, assigneeId, creatorId } = taskFields
const { startDate, dueDate, estimateSeconds, completedAt } = taskFields

const changes = v.object({
  number: change(number),
  title: change(title),
  description: change(description),
  state: change(described('`null` where the task was made.', v.nullable(taskState)), taskState),
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
  cancelledAt: change(described('Set as long as the task is cancelled.', v.nullable(moment))),
})

export const historyChange = named('HistoryChange', 'A change of a task, whichever channel it came by.', {
  version: taskVersion,
  at: moment,
  channel: described('`api`, `sql`, or what the writer by SQL has called it.', v.string()),
  actor: described(
    'Who it was: the API key as `keyId` and `name`, the `role` of the database, or what the writer by SQL has said.',
    v.record(v.string(), v.unknown()),
  ),
  changes: described('The fields that were changed, as they were and as they are from then on.', changes),
})
