// GET /projects/:projectId/analytics/time

import * as v from 'valibot'
import { include } from '../../db/statements/template.ts'
import { query } from '../../db/statements/query.ts'
import { jsonResponse } from '../../api/responses/response.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { flag, ids } from '../../api/lists/filters.ts'
import { notFound } from '../../api/problems/problem.ts'
import { dataBody, described } from '../../api/responses/response-schemas.ts'
import { maxBuckets, rangeEntries, resolveRange, checkBucketCount } from './range.ts'
import { groupings, timeReport } from './time-report.ts'
import timeSql from '../../../sql/analytics/time.sql'
import byBucket from '../../../sql/analytics/time-by-bucket.sql'
import byTask from '../../../sql/analytics/time-by-task.sql'
import byUser from '../../../sql/analytics/time-by-user.sql'

const maxGroups = 500

/** Inserts the SQL that computes the groups into the statement of the whole report. */
const timeQuery = (groups: string) =>
  query<{ found: boolean; data: string }>(include(timeSql, { groups }), () => 'generic')

const findByInterval = timeQuery(byBucket)
export const findTime = {
  user: timeQuery(byUser),
  task: timeQuery(byTask),
  day: findByInterval,
  week: findByInterval,
  month: findByInterval,
}

const schema = v.object({
  ...rangeEntries,
  groupBy: described(
    v.optional(v.picklist(groupings, `must be one of ${groupings.join(', ')}`), 'user'),
    `The grouping of the rows. A range can have at most ${maxBuckets} days, weeks or months.`,
  ),
  billable: described(flag, '`true`: only billable time; `false`: only other time.'),
  userId: described(ids, 'Only the time of these users.'),
})

export const getTimeReport = readEndpoint({
  docs: {
    operationId: 'getTimeReport',
    tag: 'Analytics',
    summary: 'Get a time report',
    description: lines(
      'Returns the time tracked in a project over a range of days, by user, task, day, week or month, with totals.',
      '',
      'The range starts with `from` and ends before `to`. The default is the last 30 days including today, in UTC. An entry',
      'counts in full on the day `spentOn`. Running entries count only in `running`. Grouped by user or task, the report',
      'has at most 500 rows, and `other` contains the sums of the rest. Grouped by task, the row of time that belongs to',
      'no task has the `key` and the `name` `null`. A range of more than 1,100 days, weeks or months fails with 400.',
    ),
  },
  query: schema,
  response: dataBody(timeReport),
  view: noView,
  async read({ projectId, query, today }, db) {
    const { groupBy, billable, userId } = query
    const range = resolveRange(query, today)
    const isByInterval = groupBy !== 'user' && groupBy !== 'task'
    if (isByInterval) checkBucketCount(range, groupBy, 'groupBy')
    const params = { projectId, ...range, groupBy, billable, userId, limit: isByInterval ? null : maxGroups }
    const [report] = await findTime[groupBy](db, params)
    if (!report!.found) throw notFound('project')
    return jsonResponse(`{"data":${report!.data}}`)
  },
})
