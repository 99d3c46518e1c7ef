// A task, as answers show one.

import * as v from 'valibot'
import { person } from '../members/user.ts'
import { day, described, id, moment, named, ordinal, seconds, text } from '../shown.ts'
import { priorities, taskStates } from '../values.ts'

export const taskNumber = described('Counts up in the project.', ordinal)
export const taskTitle = text(1, 500)
export const taskState = v.picklist(taskStates)
export const taskPriority = described('In this order, `urgent` being the highest.', v.picklist(priorities))
export const completedAt = described('Set as long as the task is completed.', v.nullable(moment))
export const taskVersion = described('Counts the changes of the task; each is in its history.', ordinal)

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
  parentId: described('The task of which this one is a part.', v.nullable(id)),
  assigneeId: described('The user who is to do it.', v.nullable(id)),
  creatorId: described('The user who made it; `null` where it was made through this API.', v.nullable(id)),
  startDate: v.nullable(day),
  dueDate: described('An open task is overdue from the day after on, in UTC.', v.nullable(day)),
  estimateSeconds: v.nullable(seconds),
  completedAt,
  createdAt: moment,
  updatedAt: moment,
  version: taskVersion,
}

const tag = named('Tag', 'A tag of the project.', {
  id,
  name: described('Unique in the project, in any case of letters.', v.pipe(text(1, 100), v.regex(/^[^,]+$/))),
  color: v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))),
})

export const tags = described('By name.', v.array(tag))
export const watchers = described('The users who watch the task, by name.', v.array(person))

export const task = named('Task', 'A task.', {
  ...taskFields,
  tags: v.optional(described('Only with `include=tags`. By name.', tags)),
  watchers: v.optional(described('Only with `include=watchers`. The users who watch the task, by name.', watchers)),
})
