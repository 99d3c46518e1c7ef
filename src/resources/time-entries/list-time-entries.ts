// GET /projects/:projectId/time-entries, GET /time-entries and GET /projects/:projectId/time-entries/:timeEntryId

import { lines } from '../../api/endpoint.ts'
import { timeFilters, dayBound, eitherWay, flag, ids, moment, projects, tasksOrNone } from '../../api/lists/filters.ts'
import { listEndpoint, itemEndpoint } from '../../api/lists/list.ts'
import { ofEachProject, ofOneProject, rowIdAcrossProjects, type ListDefinition } from '../../api/lists/page-query.ts'
import { include } from '../../db/statements/template.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { timeEntry } from './time-entry.ts'
import namedTask from '../../../sql/tasks/named-task.sql'
import rows from '../../../sql/time-entries/list-time-entries.sql'
import matchingSql from '../../../sql/time-entries/matching-time-entries.sql'
import timeEntryFields from '../../../sql/time-entries/time-entry-fields.sql'

const matching = include(matchingSql, { namedTask })

export const timeEntries = {
  of: 'project',
  rows: include(rows, { timeEntryFields, matching: ofOneProject(matching), rowId: 't.id' }),
  item: timeEntry,
  id: 't.id',
  sorts: {
    startedAt: ['t.started_at', 'timestamptz'],
    spentOn: ['t.spent_on', 'date'],
    updatedAt: ['t.updated_at', 'timestamptz'],
  },
  defaultSort: '-startedAt',
  filters: {
    taskId: described(tasksOrNone, 'Time spent on any of these tasks, by id, number or reference, or `none`.'),
    userId: described(ids, 'Time spent by any of these users.'),
    billable: described(flag, '`true`: billable entries; `false`: all other entries.'),
    running: described(eitherWay, '`true`: entries that have not ended; `false`: entries that have ended.'),
    spentAfter: dayBound,
    spentBefore: dayBound,
    startedAfter: moment,
    startedBefore: moment,
    ...timeFilters,
  },
  indexes: {
    startedAt: ['taskId', 'userId'],
    spentOn: [],
    updatedAt: [],
  },
} satisfies ListDefinition

export const listTimeEntries = listEndpoint(timeEntries, {
  operationId: 'listTimeEntries',
  tag: 'Time entries',
  summary: 'List time entries',
  description: lines(
    'Returns the time spent on a project, most recently started first.',
    '',
    '`taskId=none` selects time that belongs to no task.',
    'While an entry is running, its `endedAt` and `durationSeconds` are `null`. `running=true` selects these entries.',
    '`spentAfter` and `spentBefore` filter by `spentOn`, the day that the time counts for from the point of view of',
    'the user. `startedAfter` and `startedBefore` filter by `startedAt`. For sums, use the time report instead.',
    '',
    'If only the day and the duration of an entry are known, its `timed` is `false`, and its `startedAt` is the start of',
    'the day `spentOn` in UTC.',
  ),
})

export const getTimeEntry = itemEndpoint(timeEntries, 'time entry', 'timeEntryId', {
  operationId: 'getTimeEntry',
  tag: 'Time entries',
  summary: 'Get a time entry',
  description: 'Returns one time entry, as in the list.',
})

const { startedAt, updatedAt } = timeEntries.sorts

export const timeEntriesAcrossProjects: ListDefinition = {
  ...timeEntries,
  of: 'objects of projects',
  rows: include(rows, { timeEntryFields, matching: ofEachProject(matching), rowId: rowIdAcrossProjects }),
  sorts: { startedAt, updatedAt },
  filters: { projectId: projects, ...timeEntries.filters },
}

export const listTimeEntriesAcrossProjects = listEndpoint(timeEntriesAcrossProjects, {
  operationId: 'listTimeEntriesAcrossProjects',
  tag: 'Time entries',
  summary: 'List time entries across projects',
  description: lines(
    'Returns the time spent on all projects that the key can access, most recently started first.',
    '',
    '- `projectId` selects some of these projects. Other projects match nothing.',
    '- All filters work as in the list of the time entries of a project.',
    '',
    '[Reading lists](/docs/pagination#lists-across-projects) compares this list with the lists of the projects.',
  ),
})
