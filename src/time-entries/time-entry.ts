// A time entry, as answers show one.

import * as v from 'valibot'
import { count, day, described, id, moment, named, text } from '../shown.ts'

export const timeEntry = named('TimeEntry', 'Time that a user spent on a task.', {
  id,
  taskId: id,
  userId: id,
  description: v.nullable(text(0, 20_000)),
  spentOn: described('The day that it counts for, as its user sees it.', day),
  startedAt: moment,
  endedAt: described('`null` while it is running.', v.nullable(moment)),
  durationSeconds: described('Whole seconds from start to end; `null` while it is running.', v.nullable(count)),
  billable: v.boolean(),
  createdAt: moment,
  updatedAt: moment,
})
