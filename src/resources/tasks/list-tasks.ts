// GET /projects/:projectId/tasks, GET /tasks and GET /projects/:projectId/tasks/:taskId

import { lines } from '../../api/endpoint.ts'
import { listEndpoint, itemEndpoint } from '../../api/lists/list.ts'
import { ofEachProject, ofOneProject, rowIdAcrossProjects, type ListDefinition } from '../../api/lists/page-query.ts'
import { ofEachField, ownFields } from '../../api/lists/own-field-filters.ts'
import { include, partsOf } from '../../db/statements/template.ts'
import {
  timeFilters,
  choice,
  dayBound,
  eitherWay,
  externalIds,
  ids,
  idsOrNone,
  moment,
  names,
  numbers,
  projects,
  references,
  search,
  tasksOrNone,
  types,
} from '../../api/lists/filters.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { priorities, taskStates } from '../../api/input/values.ts'
import { missingTask } from './deletion.ts'
import { task } from './task.ts'
import { taskEtag } from './task-etag.ts'
import { taskJson } from './task-json.ts'
import rows from '../../../sql/tasks/list-tasks.sql'
import indexedSql from '../../../sql/tasks/indexed-tasks.sql'
import matchingSql from '../../../sql/tasks/matching-tasks.sql'
import ownFieldsSql from '../../../sql/tasks/own-field-filters.sql'
import namedTask from '../../../sql/tasks/named-task.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'

const fragments = { taskJson, taskTags, taskWatchers }
const ownField = partsOf(ownFieldsSql)
const conditions = ofEachField(ownField('conditions'))
const matchingTasks = (assigned: string, ownFields = conditions) =>
  include(matchingSql, { namedTask, assigned, ownFields })
const assignedTasks = (assigned: string) => matchingTasks(assigned, `${conditions}\n${ownField('one')}`)
const matching = include(indexedSql, {
  matching: matchingTasks(''),
  firstAssigned: assignedTasks('and t.assignee_id = any (:assigneeId::uuid[])'),
  alsoAssigned: assignedTasks(
    'and t.assignee_ids is not null and t.assignee_ids && :assigneeId::uuid[] and t.assignee_id <> all (:assigneeId)',
  ),
  withValue: matchingTasks('', ownField('value')),
  withOther: matchingTasks('', ownField('other')),
  withText: matchingTasks('', ownField('listed')),
})

export const tasks = {
  of: 'project',
  rows: include(rows, { ...fragments, matching: ofOneProject(matching), rowId: 't.id', project: ':projectId::uuid' }),
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
    state: described(choice(taskStates), 'The state of the task.'),
    stageId: described(ids, 'Tasks in any of these stages.'),
    boardId: described(ids, 'Tasks on any of these boards.'),
    assigneeId: described(idsOrNone, 'Tasks with any of these assignees, or `none` for tasks without one.'),
    creatorId: described(ids, 'Tasks that any of these users created.'),
    watcherId: described(ids, 'Tasks that any of these users watches.'),
    priority: described(choice(priorities), 'The priority of the task.'),
    type: types,
    fields: ownFields,
    parentId: tasksOrNone,
    tag: names,
    number: described(numbers, 'The numbers of the tasks in their project.'),
    reference: references,
    externalId: externalIds,
    dueAfter: dayBound,
    dueBefore: dayBound,
    overdue: described(eitherWay, '`true`: open tasks that were due before today (UTC); `false`: all other tasks.'),
    completedAfter: moment,
    completedBefore: moment,
    q: search,
    ...timeFilters,
  },
  includes: ['tags', 'watchers'],
  indexes: {
    createdAt: ['state', 'stageId', 'boardId', 'assigneeId', 'creatorId', 'priority', 'type', 'parentId'],
    updatedAt: [],
    dueDate: [],
    priority: [],
    number: [],
    completedAt: [],
  },
} satisfies ListDefinition

export const listTasks = listEndpoint(tasks, {
  operationId: 'listTasks',
  tag: 'Tasks',
  summary: 'List tasks',
  description: lines(
    'Returns the tasks of a project in all states, newest first.',
    '',
    '- `assigneeId=none` selects tasks without an assignee, `parentId=none` tasks without a parent, and `type=none` tasks',
    '  without a type. `type` and `tag` are compared regardless of case.',
    '- `parentId` accepts ids, numbers and references of tasks, and `reference` references such as `WEB-82`.',
    '- `fields.sprint=Sprint 3`, `fields.storyPoints>=5` and `fields.storyPoints<=8` are conditions on',
    '  [own fields](/docs/own-fields#filters). `none` selects tasks without a value.',
    '- `overdue=true` selects open tasks that were due before today (UTC), `overdue=false` all other tasks.',
    '- `q` searches titles and descriptions.',
    '- `include=tags,watchers` adds the tags and watchers to each task.',
    '',
    '[Reading lists](/docs/pagination) explains how to read all pages, and [Keep a copy](/docs/changes) how to follow changes.',
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
      'Returns one task. `include=tags,watchers` adds its tags and watchers.',
      '',
      'Send the `ETag` as `If-Match` when you complete the task, so that the request fails if the task has changed',
      'since.',
      '',
      '`410 TASK_DELETED` contains the receipt of a [deleted task](/docs/verification#deleted-tasks).',
    ),
  },
  {
    headersOf: (body) => ({ etag: taskEtag(JSON.parse(body).data, body) }),
    missing: missingTask,
    refusals: ['TASK_DELETED'],
  },
)

const { createdAt, updatedAt, dueDate } = tasks.sorts

export const tasksAcrossProjects: ListDefinition = {
  ...tasks,
  of: 'objects of projects',
  rows: include(rows, {
    ...fragments,
    matching: ofEachProject(matching),
    rowId: rowIdAcrossProjects,
    project: 't.project_id',
  }),
  sorts: { createdAt, updatedAt, dueDate },
  filters: { projectId: projects, ...tasks.filters },
}

export const listTasksAcrossProjects = listEndpoint(tasksAcrossProjects, {
  operationId: 'listTasksAcrossProjects',
  tag: 'Tasks',
  summary: 'List tasks across projects',
  description: lines(
    'Returns the tasks of all projects that the key can access, in all states, newest first.',
    '',
    '- `projectId` selects some of these projects. Other projects match nothing.',
    '- All filters and `include` work as in the list of the tasks of a project.',
    '',
    '[Reading lists](/docs/pagination#lists-across-projects) compares this list with the lists of the projects.',
  ),
})
