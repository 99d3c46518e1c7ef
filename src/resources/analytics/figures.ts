// Figures that several answers show.

import * as v from 'valibot'
import { count, described, moment, named, ratio } from '../../api/schema/response-schemas.ts'

/** How many tasks there are in each state. */
export const byState = {
  total: count,
  open: count,
  completed: count,
  cancelled: count,
}

export const overdue = described(count, 'Open tasks that were due before today (UTC).')

export const taskCounts = named('TaskCounts', 'How many tasks there are: all of them, and in each state.', {
  ...byState,
  overdue,
})

export const sumsOfTime = named('TimeSums', 'Time tracked by entries that have ended.', {
  totalSeconds: count,
  billableSeconds: count,
})

export const share = (what: string) =>
  described(v.nullable(ratio), `${what}, from 0 to 1 with four decimals; \`null\` where there are none.`)

export const lastActivityText =
  'When a project, or one of its tasks, comments, time entries or documents was last written.'
export const lastActivityAt = described(moment, lastActivityText)
