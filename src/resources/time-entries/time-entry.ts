// Defines the response schema of time entries.

import * as v from 'valibot'
import { count, day, described, id, moment, named, text } from '../../api/responses/response-schemas.ts'

export const timeEntry = named('TimeEntry', 'Time that a user spent on a task, or on none of the tasks of a project.', {
  id,
  projectId: id,
  taskId: described(v.nullable(id), '`null` for time that belongs to no task.'),
  userId: id,
  description: v.nullable(text(0, 20_000)),
  spentOn: described(day, 'The day that the time counts for, from the point of view of the user.'),
  startedAt: described(moment, 'The start of the day `spentOn` in UTC if `timed` is `false`.'),
  endedAt: described(v.nullable(moment), '`null` while the entry is running.'),
  durationSeconds: described(v.nullable(count), 'Whole seconds from start to end; `null` while the entry is running.'),
  timed: described(
    v.boolean(),
    '`false` if only the day and the duration are known: `startedAt` and `endedAt` then tell no time of day.',
  ),
  billable: v.boolean(),
  createdAt: moment,
  updatedAt: moment,
})
