// GET /projects/:projectId/tasks and GET /projects/:projectId/tasks/:taskId

import type { Read } from '../http/endpoint.ts'
import { listOf, oneOf, ofProject, type Resource } from '../lists/list.ts'
import {
  changed,
  choice,
  dayBound,
  described,
  flag,
  ids,
  idsOrNone,
  moment,
  names,
  numbers,
  search,
} from '../lists/filters.ts'
import { priorities, taskStates } from '../values.ts'
import { taskTag } from './task-tag.ts'
import rows from '../../sql/tasks/tasks.sql'

const tasks: Resource = {
  rows,
  sorts: {
    createdAt: 'moment',
    updatedAt: 'moment',
    dueDate: 'day',
    priority: 'priority',
    number: 'bigint',
    completedAt: 'moment',
  },
  defaultSort: '-createdAt',
  filters: {
    state: choice(taskStates),
    stageId: ids,
    boardId: ids,
    assigneeId: idsOrNone,
    creatorId: ids,
    watcherId: described(ids, 'Tasks that these users watch.'),
    priority: choice(priorities),
    parentId: idsOrNone,
    tag: names,
    number: numbers,
    dueAfter: dayBound,
    dueBefore: dayBound,
    overdue: described(flag, '`true`: what is open and was due before today (UTC); `false`: all others.'),
    completedAfter: moment,
    completedBefore: moment,
    q: search,
    ...changed,
  },
  includes: ['tags', 'watchers'],
  scope: (input) => ({ ...ofProject(input), id: null }),
}

export const listTasks = listOf(tasks)

const show = oneOf(tasks, 'task', 'taskId')
export const showTask: Read = {
  ...show,
  async read(question, db) {
    const answer = await show.read(question, db)
    return { ...answer, headers: { ...answer.headers, etag: taskTag(JSON.parse(answer.body).data, answer.body) } }
  },
}
