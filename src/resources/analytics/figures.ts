// Defines the response schemas that several analytics endpoints share.

import * as v from 'valibot'
import { count, described, moment, named, ratio } from '../../api/schema/response-schemas.ts'

/** The number of tasks in each state. */
export const countsByState = {
  total: count,
  open: count,
  completed: count,
  cancelled: count,
}

export const overdue = described(count, 'Open tasks that were due before today (UTC).')

export const taskCounts = named('TaskCounts', 'How many tasks there are: all of them, and in each state.', {
  ...countsByState,
  overdue,
})

export const timeSums = named('TimeSums', 'Time tracked by entries that have ended.', {
  totalSeconds: count,
  billableSeconds: count,
})

export const share = (what: string) =>
  described(v.nullable(ratio), `${what}, from 0 to 1 with four decimals; \`null\` where there are none.`)

export const lastActivityText =
  'When a project, or one of its tasks, comments, time entries or documents was last written.'
export const lastActivityAt = described(moment, lastActivityText)
