// POST /projects/:projectId/tasks

import * as v from 'valibot'
import { include } from '../../db/statements/template.ts'
import { lines } from '../../api/endpoint.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { maxAssignees, maxTags, maxWatchers, priorities } from '../../api/input/values.ts'
import {
  beginsWithAssignee,
  choiceOf,
  dueNotBeforeStart,
  fields,
  id,
  listOf,
  optional,
  taskName,
  text,
  textWithoutComma,
} from '../../api/writes/fields.ts'
import { writeEndpoint } from '../../api/writes/write.ts'
import { writtenFields } from './copied-input.ts'
import { fieldRules, writtenOwnFields } from './own-fields.ts'
import { copiedSql, taskJson } from './task-json.ts'
import { task } from './task.ts'
import { taskEtag } from './task-etag.ts'
import sql from '../../../sql/tasks/create-task.sql'
import namedTask from '../../../sql/tasks/named-task.sql'

const tagName = v.pipe(
  textWithoutComma(100),
  v.description(
    'A name without commas. The tag is created if the project has no tag of this name, regardless of case.',
  ),
)

const body = v.pipe(
  fields({
    title: text(1, 500),
    description: optional(text(0, 100_000)),
    stageId: optional(id),
    assigneeId: optional(id),
    assigneeIds: described(
      v.nullish(listOf(id, maxAssignees, 'ids'), []),
      'The users assigned to the task, in their order, in place of `assigneeId` or beginning with it. Default: none.',
    ),
    priority: v.nullish(choiceOf(priorities), 'none'),
    ...writtenFields,
    fields: writtenOwnFields,
    parentId: optional(taskName),
    creatorId: optional(
      described(id, 'The user who created the task, by default none. The history names the API key.'),
    ),
    tags: described(v.nullish(listOf(tagName, maxTags, 'names'), []), 'The names of the tags. Default: none.'),
    externalId: optional(
      v.pipe(
        textWithoutComma(200),
        v.description('The id of the task in the tool that it comes from. Unique within the project.'),
      ),
    ),
    watcherIds: described(
      v.nullish(listOf(id, maxWatchers, 'ids'), []),
      'The users who watch the task. Default: none.',
    ),
  }),
  v.forward(v.partialCheck([['startDate'], ['dueDate']], dueNotBeforeStart, 'must not be before startDate'), [
    'dueDate',
  ]),
  v.forward(v.partialCheck([['assigneeId'], ['assigneeIds']], beginsWithAssignee, 'must begin with assigneeId'), [
    'assigneeIds',
  ]),
  v.metadata({ ref: 'TaskInput' }),
)

const nullIfEmpty = (values: readonly string[]) => (values.length > 0 ? values : null)

export const createTaskSql = include(sql, { taskJson, namedTask, ...copiedSql, project: ':projectId::uuid' })

export const createTask = writeEndpoint({
  operation: 'create_task',
  docs: {
    operationId: 'createTask',
    tag: 'Tasks',
    summary: 'Create a task',
    description: lines(
      'Creates a task and returns it; `Location` contains its path. The key needs the operation `create_task`.',
      '',
      '- The task is placed in `stageId`, or in the first stage of the first board that is not archived. In a stage of',
      '  category `done`, it is completed at once.',
      '- Tags that the project does not have yet are created. Their names are compared case-insensitively.',
      '- The stage, the parent task, the assignees, the creator and the watchers must belong to the project. Otherwise',
      '  the request fails with 400, and the error names the field.',
      '- `parentId` is the id, the number or the reference of a task.',
      '- `fields` are [own fields](/docs/own-fields), which an operator has declared for the project.',
      '- `creatorId` names the user on whose behalf you create the task. The history always names the API key.',
      '- If a task of the project already has the `externalId`, the request fails with 409, and `existing` in the error is',
      '  the URL of that task. So you can send a list of tasks again, whenever you like.',
      '- The task gets the next `number` of the project, without gaps or duplicates even under concurrent writes.',
      '',
      'Send an `Idempotency-Key` to make the request [safe to retry](/docs/idempotency): the task is created once.',
    ),
  },
  body,
  sql: createTaskSql,
  params: ({ body: { tags, assigneeIds, watcherIds, fields, ...body } }) => ({
    ...body,
    fields: Object.keys(fields).length > 0 ? JSON.stringify(fields) : null,
    assigneeIds: nullIfEmpty(assigneeIds),
    tags: nullIfEmpty(tags),
    watcherIds: nullIfEmpty(watcherIds),
  }),
  refusals: ['PROJECT_ARCHIVED', 'EXTERNAL_ID_TAKEN'],
  invalidFields: {
    stageId: 'does not exist in this project',
    parentId: 'does not exist in this project',
    assigneeId: 'is not a user of this project',
    assigneeIds: 'is not a user of this project',
    creatorId: 'is not a user of this project',
    watcherIds: 'is not a user of this project',
    fields: fieldRules,
  },
  status: 201,
  item: task,
  headers: { location: ({ id }, _, path) => `${path}/${id}`, etag: taskEtag },
})
