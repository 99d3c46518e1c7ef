// Defines the response schema of the time report.

import * as v from 'valibot'
import { count, described, extensible, id, listUpTo, named } from '../../api/responses/response-schemas.ts'
import { maxFilterValues } from '../../api/lists/filters.ts'
import { timeSums } from './figures.ts'
import { maxBuckets, rangeFields, steps } from './range.ts'

export const groupings = ['user', 'task', ...steps] as const

// A pattern, because not all generators accept a choice of two formats.
const idOrDay = v.pipe(v.string(), v.regex(/^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d)$/))

const sums = { ...timeSums.entries, entries: count }

const row = named('TimeRow', 'The time of a user, a task, a day, a week or a month.', {
  key: described(
    v.nullable(idOrDay),
    'The id of the user or task, or the first day of the interval within the range; `null` for time that belongs to no task.',
  ),
  name: described(
    v.nullable(v.pipe(v.string(), v.minLength(1))),
    'The name of the user, the title of the task, or the interval: `2026-11-21`, `2026-W47` (ISO 8601) or `2026-11`; `null` if `key` is.',
  ),
  ...sums,
})

export const timeReport = named('TimeReport', 'The time tracked in a project.', {
  ...rangeFields,
  groupBy: described(extensible(v.picklist(groupings)), 'As given in the request.'),
  billable: described(v.nullable(v.boolean()), 'The filter given in the request.'),
  userId: described(
    v.nullable(v.pipe(listUpTo(maxFilterValues, id), v.minLength(1))),
    'The filter given in the request.',
  ),
  rows: described(
    listUpTo(maxBuckets, row),
    'At most 500 users or tasks, most seconds first; or every day, week or month in order, even without entries.',
  ),
  other: described(v.object({ rows: count, ...sums }), 'The sums of everything omitted from `rows`.'),
  totals: described(v.object(sums), 'The sums of `rows` and `other`.'),
  running: described(count, 'The number of running entries in the range. They count in no other figure.'),
  estimateVsActual: described(
    v.object({
      estimatedSeconds: count,
      actualSeconds: described(count, 'All time tracked on these tasks, in the range or not.'),
      ratio: described(
        v.nullable(v.pipe(v.number(), v.minValue(0))),
        '`actualSeconds` divided by `estimatedSeconds`, with four decimals; `null` if `estimatedSeconds` is 0.',
      ),
      tasks: count,
    }),
    'The tasks with an estimate that were completed in the range, in days in UTC, regardless of the filters.',
  ),
})
