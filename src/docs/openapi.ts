// Generates the OpenAPI document from the routes and from the schemas of requests and responses.

import { setNewest } from '../runtime/newest-entries.ts'
import { apiPath } from '../api/router.ts'
import { routes } from '../routes.ts'
import { version } from '../runtime/program.ts'
import type { GuideGroup } from './guide-layout.ts'
import { guideGroups } from './guides.ts'
import { headers } from './headers.ts'
import { createSchemas, type Schemas } from './json-schema.ts'
import { describeOperation } from './operations.ts'
import { sharedParameters } from './parameters.ts'
import { problemExamples } from './problems.ts'
import { servicePaths } from './service-paths.ts'
import type { Tag } from '../api/endpoint.ts'
import { createRepresentation, type Representation } from '../api/responses/representation.ts'

const description = `
Workgate is an HTTP API over project data: projects, users, teams, boards, stages, tasks, comments, files, time
entries, document metadata and analytics. Each response contains everything that was committed before its
request, through any channel, including SQL.

Every request needs an [API key](/docs/keys), sent as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`. New here?
Read the [quick start](/docs/quick-start).

- **Responses.** A single object is \`{"data": {…}}\`. A list is
  \`{"data": […], "meta": {"limit", "nextCursor", "hasMore"}}\`. Absent values are \`null\`. Ids are UUIDs, times are UTC
  with milliseconds, and dates are \`YYYY-MM-DD\`.
- **Pagination.** A list returns up to \`limit\` items. While \`meta.hasMore\` is true, get the next page with
  \`cursor=<meta.nextCursor>\`, the same filters and the same sort, or follow the \`Link\` header. Rows that are
  added, removed or changed between pages never cause another row to be repeated or skipped. See [reading lists](/docs/pagination).
- **Changes.** To keep a copy, or to react to what happens, read \`/projects/{projectId}/changes\`. See [keep a copy](/docs/changes).
- **Filters.** Repeat a filter, or separate its values with commas; any of them matches. Different filters must all
  match. An unknown parameter fails with an error that names it, and so does repeating one that takes a single value.
- **Caching.** Every response to a read has a strong \`ETag\`. Send it as \`If-None-Match\`: as long as the data has not
  changed, the response is 304. See [freshness](/docs/freshness).
- **Errors** are \`application/problem+json\`. Handle them by their \`code\`. See [errors](/docs/errors).
- **Rate limits.** \`RateLimit\` and \`X-RateLimit-Remaining\` report how many requests the key has left. See
  [limits](/docs/limits).
- **Writes** are safe to retry with an \`Idempotency-Key\`. See [safe writes](/docs/idempotency).
- **Methods.** HEAD works wherever GET does.

${guideGroups.map(describeGroup).join('\n\n')}
`

function describeGroup({ title, guides }: GuideGroup): string {
  return `**${title}:** ${guides.map((guide) => `[${guide.title}](/docs/${guide.slug})`).join(', ')}.`
}

export type ApiDocument = ReturnType<typeof openApi>

export function openApi() {
  const schemas = createSchemas()
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
    paths: describePaths(schemas),
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

function describePaths(schemas: Schemas): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const [method, path] = route
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeOperation(route, schemas) }
  }
  return { ...paths, ...servicePaths(schemas) }
}

const descriptions: Record<Tag | 'Service', string> = {
  Key: 'The current API key and its permissions.',
  Projects: 'The projects that the key can access.',
  People: 'The users and teams of a project.',
  Boards: 'The boards of a project, and the stages through which tasks move.',
  Tasks: 'The tasks of a project or of several, in every state.',
  'Work packets':
    'Everything that is stored about a task, and verification of its state: [proof that a change was committed](/docs/verification).',
  Comments: 'Comments on tasks, and the metadata of their files.',
  Files: 'The metadata of the files of tasks and of their comments.',
  'Time entries': 'Time tracked on tasks, or on none of the tasks of a project.',
  Documents: 'Document metadata, without the text.',
  Changes: 'The changes of a project, deletions included. See [Keep a copy](/docs/changes).',
  Analytics: 'Exact figures, computed from the current data. See [their definitions](/docs/analytics).',
  Service: 'Health checks. They need no key.',
}

export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }))

// Requests through proxies can name any address, and each document takes half a megabyte.
const maxDocuments = 8

/** In descriptions, in servers, and in the examples of problems and of headers. */
const links = /(?<=\]\(|"(?:url|type|existing|example)":")(?=\/(?:docs|api)\b)/g

/** The document for the address under which a client reaches the service. */
export function createOpenApiPages(headers: Record<string, string>): (publicUrl: string) => Representation {
  const documents = new Map<string, Representation>()
  let text: string | undefined

  return (publicUrl) => {
    const known = documents.get(publicUrl)
    if (known) return known
    text ??= JSON.stringify(openApi())
    const body = text.replaceAll(links, publicUrl).replaceAll('"url":"/"', `"url":"${publicUrl || '/'}"`)
    const created = createRepresentation({ status: 200, headers, body })
    setNewest(documents, publicUrl, created, maxDocuments)
    return created
  }
}
