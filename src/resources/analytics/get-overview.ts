// GET /projects/:projectId/analytics/overview

import * as v from 'valibot'
import { query } from '../../db/query.ts'
import { jsonResponse } from '../../api/responses/response.ts'
import { endpoint, lines } from '../../api/endpoint.ts'
import { notFound } from '../../api/problems/problem.ts'
import { bodyOf } from '../../api/schema/response-schemas.ts'
import { overview } from './overview.ts'
import sql from '../../../sql/analytics/overview.sql'

const findOverview = query<{ data: string }>(sql)

const about = {
  operationId: 'getOverview',
  summary: 'Get an overview of a project',
  description: lines(
    'The project in figures of now: its tasks by state, stage, priority and assignee, what else there is, and its time.',
    '',
    'Each figure is exact, and as many as the list with the same filters has. `byStage` has every stage by board and',
    'position, `byPriority` every priority, and `byAssignee` the 50 assignees with most tasks. "Today" is the date in UTC.',
  ),
  answer: bodyOf(overview),
}

export const getOverview = endpoint(about, v.object({}), async ({ projectId }, db) => {
  const [found] = await findOverview(db, { projectId })
  if (!found) throw notFound('project')
  return jsonResponse(`{"data":${found.data}}`)
})
