// POST /projects/:projectId/tasks

import * as v from 'valibot'
import { include } from '../../db/include.ts'
import { lines } from '../../api/endpoint.ts'
import { priorities } from '../../api/schema/values.ts'
import { choiceOf, day, dueNotBeforeStart, fields, id, listOf, optional, text } from '../../api/writes/fields.ts'
import { write } from '../../api/writes/write.ts'
import { task } from './task.ts'
import { taskTag } from './task-tag.ts'
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

export const createTask = write(
  {
    operation: 'create_task',
    status: 201,
    body,
    item: task,
    sql: include(sql, { taskFields }),
    params: ({ body }) => body,
    headers: (task, body, path) => ({ location: `${path}/${task.id}`, etag: taskTag(task, body) }),
  },
  {
    operationId: 'createTask',
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
)
