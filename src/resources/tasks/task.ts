// Defines the response schema of tasks.

import * as v from 'valibot'
import { person } from '../people/user.ts'
import { referencePattern } from '../../api/input/object-names.ts'
import { described, id, listUpTo, moment, named, ordinal, text } from '../../api/responses/response-schemas.ts'
import { maxAssignees, priorities, taskStates } from '../../api/input/values.ts'
import { shownFields } from './copied-fields.ts'

export const taskNumber = described(ordinal, 'The sequential number of the task in its project.')
export const taskReference = described(
  v.pipe(v.string(), v.regex(referencePattern), v.examples(['WEB-82'])),
  'The key of the project and the number of the task. You can use it instead of `id` in paths, filters and bodies. It changes if the key of the project does.',
)
export const taskTitle = text(1, 500)
export const taskState = v.picklist(taskStates)
export const completedAt = described(v.nullable(moment), 'When the task was completed; `null` unless it is completed.')
export const cancelledAt = described(v.nullable(moment), 'When the task was cancelled; `null` unless it is cancelled.')
export const taskVersion = described(
  ordinal,
  'Incremented by every change to the task, its tags or its watchers. The history contains an entry for each version.',
)

export const ownFieldsText =
  'The own fields of the task by name. Each has the type that is [declared](/docs/own-fields) for it: a text, a number, `true` or `false`, a date or a list of texts.'

export const taskFields = {
  id,
  projectId: id,
  number: taskNumber,
  reference: taskReference,
  title: taskTitle,
  description: v.nullable(text(0, 100_000)),
  state: taskState,
  priority: described(v.picklist(priorities), 'Priorities are ordered from `none` to `urgent`.'),
  boardId: v.nullable(id),
  stageId: v.nullable(id),
  parentId: described(v.nullable(id), 'The parent task.'),
  assigneeId: described(v.nullable(id), 'The user assigned to the task; of several, the first.'),
  assigneeIds: described(listUpTo(maxAssignees, id), 'All users assigned to the task, in their order.'),
  creatorId: described(v.nullable(id), 'The user who created the task; `null` if no user is known.'),
  ...shownFields,
  fields: described(v.record(v.string(), v.unknown()), ownFieldsText),
  completedAt,
  cancelledAt,
  externalId: described(
    v.nullable(v.pipe(text(1, 200), v.regex(/^[^,]+$/))),
    'The id of the task in the tool that it comes from. Unique within the project.',
  ),
  createdAt: moment,
  updatedAt: moment,
  version: taskVersion,
}

export const tagName = v.pipe(text(1, 100), v.regex(/^[^,]+$/))

const tag = named('Tag', 'A tag of the project.', {
  id,
  name: described(tagName, 'Unique within the project, regardless of case.'),
  color: v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))),
})

export const tags = described(v.array(tag), 'Sorted by name.')
export const watchers = described(v.array(person), 'The users who watch the task, sorted by name.')

export const task = named('Task', 'A task.', {
  ...taskFields,
  tags: v.optional(described(tags, 'Only with `include=tags`. Sorted by name.')),
  watchers: v.optional(
    described(watchers, 'Only with `include=watchers`. The users who watch the task, sorted by name.'),
  ),
})
