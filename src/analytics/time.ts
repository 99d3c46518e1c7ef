// GET /projects/:projectId/analytics/time

import * as v from 'valibot'
import { query } from '../db/query.ts'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint } from '../http/endpoint.ts'
import { described, flag, ids } from '../lists/filters.ts'
import { notFound } from '../problem.ts'
import { inZone, mostBuckets, rangeEntries, rangeOf, refuseTooMany, steps } from './range.ts'
import timeSql from '../../sql/analytics/time.sql'
import byBucket from '../../sql/analytics/time-by-bucket.sql'
import byTask from '../../sql/analytics/time-by-task.sql'
import byUser from '../../sql/analytics/time-by-user.sql'

interface Time {
  found: boolean
  aligned: boolean
  data: string
}

const mostRows = 500

/** The groups of time with the answer around them, as one statement. */
export const timeQuery = (groups: string) => query<Time>(timeSql.replace('{{groups}}', () => groups))

const byStep = timeQuery(byBucket)
const findTime = { user: timeQuery(byUser), task: timeQuery(byTask), day: byStep, week: byStep, month: byStep }

const groupings = ['user', 'task', ...steps] as const

const schema = v.object({
  ...rangeEntries,
  groupBy: described(
    v.optional(v.picklist(groupings, `takes one of ${groupings.join(', ')}`), 'user'),
    `What one row is about. There are at most ${mostBuckets} days, weeks or months.`,
  ),
  billable: flag,
  userId: ids,
})

export const showTime = endpoint(schema, async ({ projectId, query, today }, db) => {
  const { groupBy, billable, userId } = query
  const range = rangeOf(query, today)
  const inBuckets = groupBy !== 'user' && groupBy !== 'task'
  if (inBuckets) refuseTooMany(range, groupBy, 'groupBy')
  const params = { projectId, ...range, groupBy, billable, userId, limit: inBuckets ? null : mostRows }
  const { found, data } = await inZone(findTime[groupBy](db, params))
  if (!found) throw notFound('project')
  return jsonAnswer(`{"data":${data}}`)
})
