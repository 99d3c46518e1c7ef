// POST /projects/:projectId/tasks/:taskId/complete

import * as v from 'valibot'
import { include } from '../../db/statements/template.ts'
import { lines } from '../../api/endpoint.ts'
import { idInPath } from '../../api/input/object-names.ts'
import { writeEndpoint } from '../../api/writes/write.ts'
import { missingTask } from './deletion.ts'
import { task } from './task.ts'
import { taskEtag, readIfMatchVersions } from './task-etag.ts'
import { taskJson } from './task-json.ts'
import sql from '../../../sql/tasks/complete-task.sql'

export const completeTaskSql = include(sql, { taskJson, project: ':projectId::uuid' })

export const completeTask = writeEndpoint({
  operation: 'complete_task',
  docs: {
    operationId: 'completeTask',
    tag: 'Tasks',
    summary: 'Complete a task',
    description: lines(
      'Completes a task and returns it. The task moves to the first `done` stage of its board, unless it is already in a',
      '`done` stage. The key needs the operation `complete_task`. The body is empty or `{}`.',
      '',
      'Completing a completed task changes nothing and returns the same response. Completing a cancelled task fails',
      'with 409. If several requests complete a task at the same time, exactly one makes the change, and all get the',
      'same response.',
      '',
      'With `If-Match`, the request fails with 412 if the task has changed since. `410 TASK_DELETED` contains the receipt of',
      'a [deleted task](/docs/verification#deleted-tasks).',
    ),
  },
  body: v.object({}),
  requestHeaders: ['if-match'],
  sql: completeTaskSql,
  params({ params, headers }) {
    const taskId = idInPath(params['taskId']!, 'task')
    return { taskId, ifMatchVersions: readIfMatchVersions(headers, taskId) }
  },
  missing: ({ projectId, params }, db) =>
    missingTask({ projectId: projectId!, taskId: idInPath(params['taskId']!, 'task') }, db),
  refusals: ['NOT_FOUND', 'TASK_DELETED', 'PROJECT_ARCHIVED', 'TASK_CANCELLED', 'PRECONDITION_FAILED'],
  status: 200,
  item: task,
  headers: { etag: taskEtag },
})
