// POST /projects/:projectId/tasks

import * as v from 'valibot'
import { priorities } from '../values.ts'
import { choiceOf, day, dueNotBeforeStart, fields, id, listOf, optional, text } from '../writes/fields.ts'
import { write } from '../writes/write.ts'
import { taskTag } from './task-tag.ts'
import sql from '../../sql/tasks/create-task.sql'

const seconds = 'must be a whole number of seconds, 0 or more'
const tagName = v.pipe(
  text(1, 100),
  v.check((name) => !name.includes(','), 'must not contain a comma'),
  v.description('A name without a comma. A tag of this name, in any case, is taken or made.'),
)

const body = v.pipe(
  fields({
    title: text(1, 500),
    description: optional(text(0, 100_000)),
    stageId: optional(id),
    assigneeId: optional(id),
    priority: v.nullish(choiceOf(priorities), 'none'),
    startDate: optional(day),
    dueDate: optional(day),
    estimateSeconds: optional(
      v.pipe(
        v.number(seconds),
        v.integer(seconds),
        v.minValue(0, seconds),
        v.maxValue(2_147_483_647, 'must be 2147483647 or less'),
      ),
    ),
    parentId: optional(id),
    tags: v.nullish(listOf(tagName, 20, 'names'), []),
    watcherIds: v.nullish(listOf(id, 50, 'ids'), []),
  }),
  v.forward(v.partialCheck([['startDate'], ['dueDate']], dueNotBeforeStart, 'must not be before startDate'), [
    'dueDate',
  ]),
  v.metadata({
    ref: 'NewTask',
    examples: [{ title: 'Call the printer', priority: 'high', dueDate: '2026-12-01', tags: ['phone'] }],
  }),
)

export const createTask = write({
  operation: 'create_task',
  status: 201,
  body,
  sql,
  params: ({ body }) => body,
  headers: (task, body, path) => ({ location: `${path}/${task.id}`, etag: taskTag(task, body) }),
})
