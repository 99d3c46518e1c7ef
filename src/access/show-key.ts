// GET /key: the key that asks, and what it may.

import * as v from 'valibot'
import { jsonAnswer } from '../http/answer.ts'
import { viewingEndpoint } from '../http/endpoint.ts'
import type { Key } from './key.ts'

export const showKey = viewingEndpoint(
  v.object({}),
  (key) => key,
  ({ view }) => Promise.resolve(describe(view)),
)

function describe(key: Key) {
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
}
