// GET /projects/:projectId/analytics/progress

import * as v from 'valibot'
import { query } from '../db/query.ts'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint } from '../http/endpoint.ts'
import { described } from '../lists/filters.ts'
import { notFound } from '../problem.ts'
import { forecast } from './forecast.ts'
import { addDays, inZone, mostBuckets, rangeEntries, rangeOf, refuseTooMany, steps } from './range.ts'
import progressSql from '../../sql/analytics/progress.sql'

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
    `How long one interval of \`series\` is, of which there are at most ${mostBuckets}.`,
  ),
})

export const showProgress = endpoint(schema, async ({ projectId, query: { interval, ...asked }, today }, db) => {
  const range = rangeOf(asked, today)
  refuseTooMany(range, interval, 'interval')
  const { found, figures, remaining, completedPerDay } = await inZone(
    findProgress(db, { ...range, interval, projectId, today }),
  )
  if (!found) throw notFound('project')
  const outlook = JSON.stringify(outlookOf(remaining, JSON.parse(completedPerDay) as number[], today))
  return jsonAnswer(`{"data":${figures.slice(0, -1)},${outlook.slice(1)}}`)
})

function outlookOf(remaining: number, completedPerDay: number[], today: string) {
  const days = forecast(remaining, completedPerDay)
  if (typeof days === 'string') return { forecast: null, forecastReason: days }
  const date = (after: number | null) => after && addDays(today, after)
  return {
    forecast: { remaining, p50Date: date(days.p50), p85Date: date(days.p85), p95Date: date(days.p95) },
    forecastReason: null,
  }
}
