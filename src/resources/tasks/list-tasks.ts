// GET /projects/:projectId/tasks and GET /projects/:projectId/tasks/:taskId

import { lines } from '../../api/endpoint.ts'
import { listEndpoint, itemEndpoint, type Resource } from '../../api/lists/list.ts'
import {
  timeFilters,
  choice,
  dayBound,
  flag,
  ids,
  idsOrNone,
  moment,
  names,
  numbers,
  search,
} from '../../api/lists/filters.ts'
import { described } from '../../api/schema/response-schemas.ts'
import { priorities, taskStates } from '../../api/schema/values.ts'
import { task } from './task.ts'
import { taskEtag } from './task-etag.ts'
import rows from '../../../sql/tasks/list-tasks.sql'
import taskFields from '../../../sql/tasks/task-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'

export const tasks: Resource = {
  rows,
  fragments: { taskFields, taskTags, taskWatchers },
  item: task,
  id: 't.id',
  sorts: {
    createdAt: ['t.created_at', 'timestamptz'],
    updatedAt: ['t.updated_at', 'timestamptz'],
    dueDate: ['t.due_date', 'date', 'nullable'],
    priority: ['t.priority', 'workgate.priority'],
    number: ['t.number', 'bigint', 'unique'],
    completedAt: ['t.completed_at', 'timestamptz', 'nullable'],
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
    ...timeFilters,
  },
  includes: ['tags', 'watchers'],
  scope: 'project',
  hasItems: true,
}

export const listTasks = listEndpoint(tasks, {
  operationId: 'listTasks',
  tag: 'Tasks',
  summary: 'List tasks',
  description: lines(
    'The tasks of the project, the newest first, in all states.',
    '',
    '- `assigneeId=none` and `parentId=none` find tasks without. `tag` takes names, in any case.',
    '- `overdue=true` finds what is open and was due before today (UTC), `overdue=false` all others.',
    '- `q` searches titles and descriptions.',
    '- `include=tags,watchers` shows these in each task.',
    '',
    'How to walk the pages, and how to follow changes, is in the [guide to pagination](/docs/pagination).',
  ),
})

export const getTask = itemEndpoint(
  tasks,
  'task',
  'taskId',
  {
    operationId: 'getTask',
    tag: 'Tasks',
    summary: 'Get a task',
    description: lines(
      'One task; with `include=tags,watchers` these go with it.',
      '',
      'Its `ETag` can be sent as `If-Match` when the task is completed, so that a task that was changed since is left alone.',
    ),
  },
  (body) => ({ etag: taskEtag(JSON.parse(body).data, body) }),
)
