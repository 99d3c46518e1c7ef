// Generates the OpenAPI document from the routes and from the schemas of requests and responses.

import { apiPath } from '../api/router.ts'
import { routes } from '../routes.ts'
import { version } from '../runtime/version.ts'
import { headers } from './headers.ts'
import { createSchemas, type Schemas } from './json-schema.ts'
import { describeOperation } from './operations.ts'
import { sharedParameters } from './parameters.ts'
import { problemExamples } from './problems.ts'
import { servicePaths } from './service-paths.ts'
import { tags } from './tags.ts'

const description = `
Projects, users, teams, boards, stages, tasks, comments, time entries and the metadata of documents, and figures about
them: what was committed through any channel, SQL included, the next request sees.

Every request needs a [key](/docs/keys), as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`. [Start here](/docs/quick-start).

- **Answers.** One object is \`{"data": {…}}\`, a list is \`{"data": […], "meta": {"limit", "nextCursor", "hasMore"}}\`.
  An absent value is \`null\`. Ids are UUIDs, times are UTC with milliseconds, dates are \`YYYY-MM-DD\`.
- **Pages.** A list shows \`limit\` items, and the next ones under \`cursor=<meta.nextCursor>\` with the same filters and the same sort, as
  long as \`meta.hasMore\` is true. Rows that come, go or change between pages never make another row appear twice or not
  at all. [More](/docs/pagination)
- **Filters.** Several values go into one parameter, separated by commas, and any of them matches; different filters all
  have to match. An unknown or repeated parameter is an error that names it.
- **Fresh answers.** A read has a strong \`ETag\`; with it as \`If-None-Match\` the answer is 304 as long as the same is
  stored. [More](/docs/freshness)
- **Errors** are \`application/problem+json\`; go by their \`code\`. [All of them](/docs/errors)
- **Limits.** \`RateLimit\` and \`X-RateLimit-Remaining\` tell what is left to the key. [More](/docs/limits)
- **Writes** can be sent again safely with an \`Idempotency-Key\`. [More](/docs/idempotency)
- HEAD works wherever GET does.

Further: [proof that a change has landed](/docs/verification), [what the figures mean](/docs/analytics),
[running the service](/docs/self-hosting).
`

export function openApi(): object {
  const schemas = createSchemas()
  const paths = {
    ...describePaths(routes, schemas),
    ...servicePaths(schemas),
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Workgate',
      version,
      summary: 'A key-authenticated, project-scoped API over project data',
      description: description.trim(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiPath }],
    security: [{ bearerKey: [] }, { apiKeyHeader: [] }],
    tags,
    paths,
    components: {
      securitySchemes: {
        bearerKey: { type: 'http', scheme: 'bearer', description: 'The API key.' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key.' },
      },
      schemas: schemas.named,
      parameters: sharedParameters,
      headers,
      examples: problemExamples,
    },
  }
}

function describePaths(apiRoutes: typeof routes, schemas: Schemas) {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of apiRoutes) {
    const [method, path] = route
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeOperation(route, schemas) }
  }
  return paths
}
