// Documents the health checks, which are outside the API.

import * as v from 'valibot'
import { headerReferences } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { commonCodes, problemResponses } from './problems.ts'

const paths = [
  {
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Check that the process is running',
    status: 'ok',
    problems: commonCodes,
  },
  {
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Check that the database responds and is migrated',
    status: 'ready',
    problems: [...commonCodes, 'UNAVAILABLE'],
  },
] as const

export function servicePaths(schemas: Schemas) {
  return Object.fromEntries(
    paths.map(({ path, status, problems, ...docs }) => {
      const schema = schemas.convert(v.object({ status: v.literal(status) }), 'output')
      const response = {
        description: 'Healthy.',
        headers: headerReferences(['Cache-Control', 'X-Request-Id']),
        content: { 'application/json': { schema, example: { status } } },
      }
      return [
        path,
        {
          servers: [{ url: '/' }],
          get: {
            ...docs,
            tags: ['Service'],
            security: [],
            responses: { 200: response, ...problemResponses(problems, schemas) },
          },
        },
      ]
    }),
  )
}
