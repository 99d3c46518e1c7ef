// GET /projects/:projectId/analytics/overview

import * as v from 'valibot'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { jsonResponse } from '../../api/responses/response.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { notFound } from '../../api/problems/problem.ts'
import { dataBody } from '../../api/responses/response-schemas.ts'
import { measureEntry, notANumber } from './measure.ts'
import { overview } from './overview.ts'
import isNumber from '../../../sql/analytics/is-number.sql'
import sql from '../../../sql/analytics/overview.sql'

export const findOverview = query<{ data: string; isNumber: boolean }>(include(sql, { isNumber }), () => 'generic')

export const getOverview = readEndpoint({
  docs: {
    operationId: 'getOverview',
    tag: 'Analytics',
    summary: 'Get an overview of a project',
    description: lines(
      'Returns the current figures of a project: tasks by state, stage, priority and assignee, the number of other',
      'objects, and tracked and estimated time.',
      '',
      'Each count is exact and equals the length of the list with the same filters. `byStage` lists every stage, sorted',
      'by board and position, `byPriority` every priority, and `byAssignee` the 50 assignees with the most tasks.',
      '"Today" is the current date in UTC.',
      '',
      '`measure=storyPoints` sums an own field of tasks instead of counting them. See the [guide to analytics](/docs/analytics).',
    ),
  },
  query: v.object(measureEntry),
  response: dataBody(overview),
  view: noView,
  async read({ projectId, query: { measure = null } }, db) {
    const [found] = await findOverview(db, { projectId, measure })
    if (!found) throw notFound('project')
    if (!found.isNumber) throw notANumber()
    return jsonResponse(`{"data":${found.data}}`)
  },
})
