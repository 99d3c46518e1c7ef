// Documents the health checks, which are outside the API.

import * as v from 'valibot'
import type { Code } from '../api/problems/problem.ts'
import { headerReferences } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { commonCodes, problemResponses } from './problems.ts'

export function servicePaths(schemas: Schemas) {
  const describeCheck = (operationId: string, summary: string, status: string, problems: readonly Code[]) => {
    const schema = schemas.convert(v.object({ status: v.literal(status) }), 'output')
    const response = {
      description: 'Healthy.',
      headers: headerReferences(['Cache-Control', 'X-Request-Id']),
      content: { 'application/json': { schema, example: { status } } },
    }
    const responses = { 200: response, ...problemResponses(problems, schemas) }
    return { servers: [{ url: '/' }], get: { operationId, summary, tags: ['Service'], security: [], responses } }
  }
  const readyCodes: readonly Code[] = [...commonCodes, 'UNAVAILABLE']
  return {
    '/healthz': describeCheck('getHealth', 'Check that the process is running', 'ok', commonCodes),
    '/readyz': describeCheck('getReadiness', 'Check that the database responds and is migrated', 'ready', readyCodes),
  }
}
