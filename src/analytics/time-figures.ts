// What a report of time shows.

import * as v from 'valibot'
import { count, day, described, id, listUpTo, named } from '../shown.ts'
import { sumsOfTime } from './figures.ts'
import { mostBuckets, rangeShown, steps } from './range.ts'

export const groupings = ['user', 'task', ...steps] as const

const sums = { ...sumsOfTime.entries, entries: count }

const row = named('TimeRow', 'The time of a user, a task, or a day, week or month.', {
  key: described('The id of the user or the task, or the first day that is in the range.', v.union([id, day])),
  name: described(
    'The name of the user, the title of the task, or `2026-11-21`, `2026-W47` (ISO 8601), `2026-11`.',
    v.pipe(v.string(), v.minLength(1)),
  ),
  ...sums,
})

export const timeReport = named('TimeReport', 'Where the time of a project went.', {
  ...rangeShown,
  groupBy: v.picklist(groupings),
  billable: described('The filter of the request.', v.nullable(v.boolean())),
  userId: described('The filter of the request.', v.nullable(v.array(id))),
  rows: described(
    'Users and tasks with most seconds first, at most 500; days, weeks and months in order, those without entries too.',
    listUpTo(mostBuckets, row),
  ),
  other: described('The sums of all that is left out of the rows.', v.object({ rows: count, ...sums })),
  totals: described('The sums of all rows and `other`.', v.object(sums)),
  running: described('How many entries of the range are running; they are in no other figure.', count),
  estimateVsActual: described(
    'Of the tasks completed in the range that have an estimate, whatever the filters.',
    v.object({
      estimatedSeconds: count,
      actualSeconds: described('All time ever tracked on them.', count),
      ratio: described(
        'The actual time by the estimated one, with four decimals; `null` where nothing was estimated.',
        v.nullable(v.pipe(v.number(), v.minValue(0))),
      ),
      tasks: count,
    }),
  ),
})
