// Defines the response schema of the time report.

import * as v from 'valibot'
import { count, day, described, id, listUpTo, named } from '../../api/schema/response-schemas.ts'
import { maxFilterValues } from '../../api/lists/filters.ts'
import { timeSums } from './figures.ts'
import { maxBuckets, rangeFields, steps } from './range.ts'

export const groupings = ['user', 'task', ...steps] as const

const sums = { ...timeSums.entries, entries: count }

const row = named('TimeRow', 'The time of a user, a task, or a day, week or month.', {
  key: described(v.union([id, day]), 'The id of the user or the task, or the first day that is in the range.'),
  name: described(
    v.pipe(v.string(), v.minLength(1)),
    'The name of the user, the title of the task, or `2026-11-21`, `2026-W47` (ISO 8601), `2026-11`.',
  ),
  ...sums,
})

export const timeReport = named('TimeReport', 'Where the time of a project went.', {
  ...rangeFields,
  groupBy: v.picklist(groupings),
  billable: described(v.nullable(v.boolean()), 'The filter of the request.'),
  userId: described(v.nullable(v.pipe(listUpTo(maxFilterValues, id), v.minLength(1))), 'The filter of the request.'),
  rows: described(
    listUpTo(maxBuckets, row),
    'Users and tasks with most seconds first, at most 500; days, weeks and months in order, those without entries too.',
  ),
  other: described(v.object({ rows: count, ...sums }), 'The sums of all that is left out of the rows.'),
  totals: described(v.object(sums), 'The sums of all rows and `other`.'),
  running: described(count, 'How many entries of the range are running; they are in no other figure.'),
  estimateVsActual: described(
    v.object({
      estimatedSeconds: count,
      actualSeconds: described(count, 'All time ever tracked on them.'),
      ratio: described(
        v.nullable(v.pipe(v.number(), v.minValue(0))),
        'The actual time by the estimated one, with four decimals; `null` where nothing was estimated.',
      ),
      tasks: count,
    }),
    'Of the tasks completed in the range that have an estimate, whatever the filters.',
  ),
})
