// Defines the response schema of history entries.

import * as v from 'valibot'
import { tagName, taskFields, taskState, taskVersion } from '../tasks/task.ts'
import { described, id, moment, named } from '../../api/responses/response-schemas.ts'

const change = (from: v.GenericSchema, to = from) => v.optional(v.object({ from, to }))

const { number, title, description, priority, boardId, stageId, parentId, assigneeId, creatorId } = taskFields
const { startDate, dueDate, estimateSeconds, completedAt, cancelledAt, externalId, externalUrl } = taskFields

const changes = v.object({
  number: change(number),
  title: change(title),
  description: change(description),
  state: change(described(v.nullable(taskState), '`null` in the entry for the creation of the task.'), taskState),
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
  cancelledAt: change(cancelledAt),
  externalId: change(externalId),
  externalUrl: change(externalUrl),
  tags: change(
    described(
      v.array(tagName),
      'The names of its tags, sorted. Both lists are the same if a tag only got another color, or if the change was undone in its transaction.',
    ),
  ),
  watcherIds: change(described(v.array(id), 'The users who watch the task.')),
})

export const historyChange = named('HistoryChange', 'A change to a task, through any channel.', {
  version: taskVersion,
  at: moment,
  channel: described(v.string(), '`api`, `sql`, `import`, or one that a writer uses who may name writers.'),
  actor: described(
    v.record(v.string(), v.unknown()),
    'The API key as `keyId` and `name`, the database `role`, or the `name` that a writer has set who may. All of it is proven except `claimed`: what any other session said, as `{channel, actor}`.',
  ),
  changes: described(changes, 'The changed fields, each with its value before and after the change.'),
})
