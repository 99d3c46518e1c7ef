// Defines the response schemas that several analytics endpoints share.

import * as v from 'valibot'
import { count, described, moment, named, ratio } from '../../api/responses/response-schemas.ts'

/** The number of tasks in each state. */
export const countsByState = {
  total: count,
  open: count,
  completed: count,
  cancelled: count,
}

export const overdue = described(count, 'Open tasks that were due before today (UTC).')

export const taskCounts = named('TaskCounts', 'The number of tasks, in total and by state.', {
  ...countsByState,
  overdue,
})

export const timeSums = named('TimeSums', 'Tracked time. Running entries do not count.', {
  totalSeconds: count,
  billableSeconds: count,
})

export const progress = described(
  v.nullable(ratio),
  'The share of completed tasks among all open and completed tasks, from 0 to 1 with four decimals; `null` if there are none.',
)

export const lastActivityText =
  'The latest `updatedAt` of a project and its tasks, comments, time entries and documents.'
export const lastActivityAt = described(moment, lastActivityText)
