// POST /projects/:projectId/tasks

import * as v from 'valibot'
import { include } from '../../db/include.ts'
import { lines } from '../../api/endpoint.ts'
import { priorities } from '../../api/schema/values.ts'
import { choiceOf, day, dueNotBeforeStart, fields, id, listOf, optional, text } from '../../api/writes/fields.ts'
import { writeEndpoint } from '../../api/writes/write.ts'
import { task } from './task.ts'
import { taskEtag } from './task-etag.ts'
import sql from '../../../sql/tasks/create-task.sql'
import taskFields from '../../../sql/tasks/task-fields.sql'

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
  v.metadata({ ref: 'NewTask' }),
)

export const createTask = writeEndpoint({
  operation: 'create_task',
  docs: {
    operationId: 'createTask',
    tag: 'Tasks',
    summary: 'Create a task',
    description: lines(
      'Makes a task and answers with it; `Location` is its address. The key needs the operation `create_task`.',
      '',
      '- It goes to `stageId`, or to the first stage of the first board that is not archived. In a stage of category',
      '  `done` it is completed at once.',
      '- Tags are made where the project has none of the name, in any case.',
      '- What is named has to be of the project, users among its users; otherwise the field is refused by name.',
      '- The task gets the next `number` of the project, with no gaps or repeats however many write at once.',
      '',
      'Send an `Idempotency-Key` to make it [safe to send the request again](/docs/idempotency): the task is made once.',
    ),
  },
  body,
  sql: include(sql, { taskFields }),
  params: ({ body }) => body,
  refusals: ['PROJECT_ARCHIVED'],
  invalidFields: {
    stageId: 'names nothing in this project',
    parentId: 'names nothing in this project',
    assigneeId: 'names no user of this project',
    watcherIds: 'names no user of this project',
  },
  status: 201,
  item: task,
  headers: { location: ({ id }, _, path) => `${path}/${id}`, etag: taskEtag },
})
