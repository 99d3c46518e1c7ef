// GET /projects/:projectId/analytics/progress

import * as v from 'valibot'
import { query } from '../../db/query.ts'
import { jsonResponse } from '../../api/responses/response.ts'
import { lines, noView, readEndpoint, type EndpointDocs } from '../../api/endpoint.ts'
import { notFound } from '../../api/problems/problem.ts'
import { dataBody, described } from '../../api/schema/response-schemas.ts'
import { forecast } from './forecast.ts'
import { progress } from './progress.ts'
import { addDays, runInZone, maxBuckets, rangeEntries, resolveRange, checkBucketCount, steps } from './range.ts'
import progressSql from '../../../sql/analytics/progress.sql'

interface Progress {
  found: boolean
  aligned: boolean
  figures: string
  remaining: number
  completedPerDay: string
}

const findProgress = query<Progress>(progressSql)

const schema = v.object({
  ...rangeEntries,
  interval: described(
    v.optional(v.picklist(steps, `takes one of ${steps.join(', ')}`), 'day'),
    `How long one interval of \`series\` is, of which there are at most ${maxBuckets}.`,
  ),
})

const docs: EndpointDocs = {
  operationId: 'getProgress',
  tag: 'Analytics',
  summary: 'Get the progress of a project',
  description: lines(
    'How the work went over a range of days, and when it will be done: the series of a burn-up and a burn-down chart,',
    'lead times, throughput and a forecast.',
    '',
    'The range is `from` to `to` (not included) in the days of `timezone`: by default the 30 days up to and with today in',
    'UTC. `from` alone goes up to today, `to` alone takes the 30 days before it. The first and the last interval are cut',
    'to the range, and a range of more than 1,100 of them is refused. The figures are exact, but for the percentiles of',
    'lead times, which are within 2 %.',
    '',
    'The forecast plays the future 1,000 times with days drawn at random from those of the range before today. It assumes',
    'that the days to come are like those, and that nobody adds tasks: choose a range that is typical, of whole weeks.',
    'It says the same for the same data all day. More about it in the [guide to analytics](/docs/analytics).',
  ),
}

export const getProgress = readEndpoint({
  docs,
  query: schema,
  response: dataBody(progress),
  view: noView,
  async read({ projectId, query: { interval, ...requested }, today }, db) {
    const range = resolveRange(requested, today)
    checkBucketCount(range, interval, 'interval')
    const { found, figures, remaining, completedPerDay } = await runInZone(
      findProgress(db, { ...range, interval, projectId, today }),
    )
    if (!found) throw notFound('project')
    const outlook = JSON.stringify(createOutlook(remaining, JSON.parse(completedPerDay) as number[], today))
    return jsonResponse(`{"data":${figures.slice(0, -1)},${outlook.slice(1)}}`)
  },
})

function createOutlook(remaining: number, completedPerDay: number[], today: string) {
  const days = forecast(remaining, completedPerDay)
  if (typeof days === 'string') return { forecast: null, forecastReason: days }
  const date = (after: number | null) => after && addDays(today, after)
  return {
    forecast: { remaining, p50Date: date(days.p50), p85Date: date(days.p85), p95Date: date(days.p95) },
    forecastReason: null,
  }
}
