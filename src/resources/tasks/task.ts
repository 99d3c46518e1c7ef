// Defines the response schema of tasks.

import * as v from 'valibot'
import { person } from '../members/user.ts'
import { day, described, id, moment, named, ordinal, seconds, text } from '../../api/schema/response-schemas.ts'
import { priorities, taskStates } from '../../api/schema/values.ts'

export const taskNumber = described(ordinal, 'Counts up in the project.')
export const taskTitle = text(1, 500)
export const taskState = v.picklist(taskStates)
export const taskPriority = described(v.picklist(priorities), 'In this order, `urgent` being the highest.')
export const completedAt = described(v.nullable(moment), 'Set as long as the task is completed.')
export const taskVersion = described(ordinal, 'Counts the changes of the task; each is in its history.')

export const taskFields = {
  id,
  projectId: id,
  number: taskNumber,
  title: taskTitle,
  description: v.nullable(text(0, 100_000)),
  state: taskState,
  priority: taskPriority,
  boardId: v.nullable(id),
  stageId: v.nullable(id),
  parentId: described(v.nullable(id), 'The task of which this one is a part.'),
  assigneeId: described(v.nullable(id), 'The user who is to do it.'),
  creatorId: described(v.nullable(id), 'The user who made it; `null` where it was made through this API.'),
  startDate: v.nullable(day),
  dueDate: described(v.nullable(day), 'An open task is overdue from the day after on, in UTC.'),
  estimateSeconds: v.nullable(seconds),
  completedAt,
  createdAt: moment,
  updatedAt: moment,
  version: taskVersion,
}

const tag = named('Tag', 'A tag of the project.', {
  id,
  name: described(v.pipe(text(1, 100), v.regex(/^[^,]+$/)), 'Unique in the project, in any case of letters.'),
  color: v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))),
})

export const tags = described(v.array(tag), 'By name.')
export const watchers = described(v.array(person), 'The users who watch the task, by name.')

export const task = named('Task', 'A task.', {
  ...taskFields,
  tags: v.optional(described(tags, 'Only with `include=tags`. By name.')),
  watchers: v.optional(described(watchers, 'Only with `include=watchers`. The users who watch the task, by name.')),
})
