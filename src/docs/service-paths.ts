// The paths outside of the API, for whoever watches the service.

import * as v from 'valibot'
import { headerReferences } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { ofAll, problemResponses } from './problems.ts'

const paths = [
  { path: '/healthz', operationId: 'getHealth', summary: 'Whether the process is up', status: 'ok', problems: ofAll },
  {
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether the database answers and is migrated',
    status: 'ready',
    problems: [...ofAll, 'UNAVAILABLE'],
  },
] as const

export function servicePaths(schemas: Schemas) {
  return Object.fromEntries(
    paths.map(({ path, status, problems, ...told }) => {
      const schema = schemas.convert(v.object({ status: v.literal(status) }), 'output')
      const answer = {
        description: 'It is so.',
        headers: headerReferences(['Cache-Control', 'X-Request-Id']),
        content: { 'application/json': { schema, example: { status } } },
      }
      return [
        path,
        {
          servers: [{ url: '/' }],
          get: {
            ...told,
            tags: ['Service'],
            security: [],
            responses: { 200: answer, ...problemResponses(problems, schemas) },
          },
        },
      ]
    }),
  )
}
