// GET /key: the key that asks, and what it may.

import * as v from 'valibot'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint } from '../http/endpoint.ts'

export const showKey = endpoint(v.object({}), async ({ key }) => {
  const { id, name, scopeMode, projectIds, operations, rateLimitPerMinute, expiresAt, createdAt } = key
  const data = {
    id,
    name,
    scopeMode,
    projectIds: scopeMode === 'all_projects' ? null : projectIds,
    operations,
    rateLimitPerMinute,
    expiresAt,
    createdAt,
  }
  return jsonAnswer(JSON.stringify({ data }))
})
