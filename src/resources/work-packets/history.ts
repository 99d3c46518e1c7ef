// Defines the response schema of history entries.

import * as v from 'valibot'
import { shownFields } from '../tasks/copied-fields.ts'
import { tagName, taskFields, taskState, taskVersion } from '../tasks/task.ts'
import { described, id, moment, named, writer } from '../../api/responses/response-schemas.ts'

const change = (from: v.GenericSchema, to = from) => v.optional(v.object({ from, to }))

const changesOf = <Fields extends Readonly<Record<string, v.GenericSchema>>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)])) as {
    [Name in keyof Fields]: ReturnType<typeof change>
  }

const { number, title, description, priority, boardId, stageId, parentId, assigneeId, assigneeIds, creatorId } =
  taskFields
const { fields, completedAt, cancelledAt, externalId } = taskFields

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
  assigneeIds: change(assigneeIds),
  creatorId: change(creatorId),
  ...changesOf(shownFields),
  fields: change(fields),
  completedAt: change(completedAt),
  cancelledAt: change(cancelledAt),
  externalId: change(externalId),
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
  ...writer.entries,
  changes: described(changes, 'The changed fields, each with its value before and after the change.'),
})
