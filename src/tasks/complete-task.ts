// POST /projects/:projectId/tasks/:taskId/complete

import * as v from 'valibot'
import { idInPath } from '../problem.ts'
import { write } from '../writes/write.ts'
import { taskTag, versionsWanted } from './task-tag.ts'
import sql from '../../sql/tasks/complete-task.sql'

export const completeTask = write({
  operation: 'complete_task',
  status: 200,
  body: v.object({}),
  sql,
  params({ params, headers }) {
    const taskId = idInPath(params['taskId']!, 'task')
    return { taskId, versions: versionsWanted(headers, taskId) }
  },
  headers: (task, body) => ({ etag: taskTag(task, body) }),
})
