// POST /projects/:projectId/tasks/:taskId/complete

import * as v from 'valibot'
import { notFound } from '../problem.ts'
import { isUuid } from '../values.ts'
import { write } from '../writes/write.ts'
import { taskTag, versionsWanted } from './task-tag.ts'
import sql from '../../sql/tasks/complete-task.sql'

export const completeTask = write({
  operation: 'complete_task',
  status: 200,
  body: v.object({}),
  sql,
  params({ params, headers }) {
    const taskId = params['taskId']!.toLowerCase()
    if (!isUuid(taskId)) throw notFound('task')
    return { taskId, versions: versionsWanted(headers, taskId) }
  },
  headers: (task, body) => ({ etag: taskTag(task, body) }),
})
