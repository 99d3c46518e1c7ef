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

const overdueText = 'Open tasks that were due before today (UTC).'
const overdue = described(count, overdueText)

export const taskCounts = named('TaskCounts', 'The number of tasks, in total and by state.', {
  ...countsByState,
  overdue,
})

/** A number of tasks or, with `measure`, a sum, which can be negative. */
export const amount = described(v.number(), 'A number of tasks or, with `measure`, the sum of that field.')

export const amountsByState = { total: amount, open: amount, completed: amount, cancelled: amount }

export const overdueAmount = described(amount, overdueText)

export const measure = described(
  v.nullable(v.string()),
  'The own field whose sums the figures are, as given in the request; `null`: they are numbers of tasks.',
)

export const timeSums = named('TimeSums', 'Tracked time. Running entries do not count.', {
  totalSeconds: count,
  billableSeconds: count,
})

const progressText =
  'The share of completed tasks among all open and completed tasks, from 0 to 1 with four decimals; `null` if there are none.'
export const progress = described(v.nullable(ratio), progressText)
export const measuredProgress = described(
  v.nullable(ratio),
  `${progressText} With \`measure\`, that of their sums, and \`null\` if one of them is negative.`,
)

export const lastActivityText =
  'The latest `updatedAt` of a project and its tasks, comments, time entries and documents.'
export const lastActivityAt = described(moment, lastActivityText)
