// GET /projects/:projectId/analytics/progress

import * as v from 'valibot'
import { serverError } from '../../db/errors.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { typesOrNone } from '../../api/lists/filters.ts'
import { jsonResponse } from '../../api/responses/response.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { invalid, notFound } from '../../api/problems/problem.ts'
import { dataBody, described } from '../../api/responses/response-schemas.ts'
import { measureEntry, notANumber } from './measure.ts'
import { forecast, type Forecast, type Reason } from './forecast.ts'
import { progress } from './progress.ts'
import { addDays, maxBuckets, rangeEntries, resolveRange, checkBucketCount, steps } from './range.ts'
import { isZoneName, zoneForDatabase } from './zone-names.ts'
import isNumberSql from '../../../sql/analytics/is-number.sql'
import leadTimesSql from '../../../sql/analytics/lead-times.sql'
import progressSql from '../../../sql/analytics/progress.sql'

interface Progress {
  /** null if there is no such project. */
  status: 'active' | 'archived' | null
  aligned: boolean
  isNumber: boolean
  figures: string
  /** In units of the measure. */
  remaining: number
  completedPerDay: string
  /** null without a measure. */
  tasksPerDay: string | null
}

/** Tallies sum an own field in units of 1/10,000. */
const unitsPerOne = 10_000

export const findProgress = query<Progress>(
  include(progressSql, { leadTimes: leadTimesSql, isNumber: isNumberSql }),
  () => 'generic',
)

const timezone = v.pipe(
  v.string(),
  v.check(isZoneName, 'must be the name of a time zone, such as Europe/Berlin or UTC'),
  v.examples(['Europe/Berlin']),
)

const schema = v.object({
  ...rangeEntries,
  timezone: described(
    v.optional(timezone, 'UTC'),
    'The IANA time zone of the days. Its UTC offset must be a multiple of 15 minutes throughout the range.',
  ),
  interval: described(
    v.optional(v.picklist(steps, `must be one of ${steps.join(', ')}`), 'day'),
    `The length of the intervals in \`series\`. A range can have at most ${maxBuckets} intervals.`,
  ),
  leaveOutType: described(
    typesOrNone,
    'Types of tasks that do not count, in any case; `none` for tasks without a type. Reopened tasks count by the type that they had then.',
  ),
  ...measureEntry,
})

export const getProgress = readEndpoint({
  docs: {
    operationId: 'getProgress',
    tag: 'Analytics',
    summary: 'Get the progress of a project',
    description: lines(
      'Returns the progress of a project over a range of days: the series of a burn-up or burn-down chart, lead times,',
      'throughput, and a forecast of when the open tasks will be done.',
      '',
      'The range starts with `from` and ends before `to`, in days of `timezone`. The default is the last 30 days including',
      'today, in UTC. With `from` alone the range ends today; with `to` alone it is the 30 days before `to`. The first',
      'and the last interval are cut to the range. A range of more than 1,100 intervals fails with 400. All figures',
      'are exact, except the percentiles of lead times, which are within 2%.',
      '',
      'The forecast simulates the future 1,000 times, with days drawn at random from the days of the range before today,',
      'without those before the first task of the project.',
      'It assumes that future days are like these and that no tasks are added, so choose a typical range of whole weeks.',
      'For the same data, the forecast is the same all day.',
      '',
      '`leaveOutType=epic` leaves out the tasks that only group others, in all figures. `measure=storyPoints` sums an own field',
      'of tasks instead of counting them. See the [guide to analytics](/docs/analytics).',
    ),
  },
  query: schema,
  response: dataBody(progress),
  view: noView,
  async read({ projectId, query: { interval, timezone, leaveOutType, measure = null, ...requested }, today }, db) {
    const range = resolveRange(requested, today)
    checkBucketCount(range, interval, 'interval')
    const params = {
      ...range,
      interval,
      timezone,
      leftOut: leaveOutType?.map((type) => (type === 'none' ? '' : type)) ?? null,
      measure,
      zone: zoneForDatabase(timezone),
      projectId,
      today,
    }
    const [progress] = await findProgress(db, params).catch((error: unknown) => {
      // Intl knows more names of time zones than PostgreSQL may.
      throw serverError(error)?.code === '22023' ? invalidZone('is not known to the database') : error
    })
    const { status, aligned, isNumber, figures, remaining, completedPerDay, tasksPerDay } = progress!
    if (!aligned)
      throw invalidZone(
        'must have a UTC offset that is a multiple of 15 minutes in this range, as every zone has since 1972',
      )
    if (status === null) throw notFound('project')
    if (!isNumber) throw notANumber()
    const outlook =
      status === 'archived' && remaining > 0
        ? noForecast('archived')
        : createOutlook(
            await forecast(remaining, JSON.parse(completedPerDay), JSON.parse(tasksPerDay ?? completedPerDay)),
            measure === null ? remaining : remaining / unitsPerOne,
            today,
          )
    return jsonResponse(`{"data":${figures.slice(0, -1)},${JSON.stringify(outlook).slice(1)}}`)
  },
})

const invalidZone = (message: string) => invalid({ in: 'query', name: 'timezone', message })

const noForecast = (reason: Reason) => ({ forecast: null, forecastReason: reason })

function createOutlook(days: Forecast | Reason, remaining: number, today: string) {
  if (typeof days === 'string') return noForecast(days)
  const date = (after: number | null) => after && addDays(today, after)
  return {
    forecast: { remaining, p50Date: date(days.p50), p85Date: date(days.p85), p95Date: date(days.p95) },
    forecastReason: null,
  }
}
