// GET /projects/:projectId/time-entries and GET /projects/:projectId/time-entries/:timeEntryId

import { changed, dayBound, described, flag, ids, moment } from '../lists/filters.ts'
import { listOf, ofProject, oneOf, type Resource } from '../lists/list.ts'
import rows from '../../sql/time-entries/time-entries.sql'

const timeEntries: Resource = {
  rows,
  sorts: { startedAt: 'moment', spentOn: 'day', updatedAt: 'moment' },
  defaultSort: '-startedAt',
  filters: {
    taskId: ids,
    userId: ids,
    billable: flag,
    running: described(flag, 'Entries that have not ended, or those that have.'),
    spentAfter: dayBound,
    spentBefore: dayBound,
    startedAfter: moment,
    startedBefore: moment,
    ...changed,
  },
  scope: (input) => ({ ...ofProject(input), id: null }),
}

export const listTimeEntries = listOf(timeEntries)
export const showTimeEntry = oneOf(timeEntries, 'time entry', 'timeEntryId')
