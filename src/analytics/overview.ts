// GET /projects/:projectId/analytics/overview

import * as v from 'valibot'
import { query } from '../db/query.ts'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint } from '../http/endpoint.ts'
import { notFound } from '../problem.ts'
import sql from '../../sql/analytics/overview.sql'

const findOverview = query<{ data: string }>(sql)

export const showOverview = endpoint(v.object({}), async ({ projectId }, db) => {
  const [overview] = await findOverview(db, { projectId })
  if (!overview) throw notFound('project')
  return jsonAnswer(`{"data":${overview.data}}`)
})
