// Documents a route as an OpenAPI operation: its parameters, body, responses and problems.

import * as v from 'valibot'
import type { Deprecation } from '../api/deprecation.ts'
import type { Write } from '../api/endpoint.ts'
import type { Route } from '../api/router.ts'
import { rateLimitHeaders, findHeader, headerReferences, type HeaderName } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { linksOf } from './links.ts'
import { parametersOf } from './parameters.ts'
import { codesOf, problemResponses } from './problems.ts'
import stored from './examples.json' with { type: 'json' }

export function describeOperation(route: Route, schemas: Schemas) {
  const [, path, endpoint] = route
  const { tag, deprecated, deprecatedParameters = {}, ...docs } = endpoint.docs
  return {
    ...docs,
    ...describeDeprecation(docs.description, deprecated),
    tags: [tag],
    parameters: parametersOf(path, endpoint, schemas).map((parameter) =>
      'name' in parameter
        ? { ...parameter, ...describeDeprecation(parameter.description, deprecatedParameters[parameter.name]) }
        : parameter,
    ),
    ...(endpoint.kind === 'write' && { requestBody: describeRequestBody(endpoint, schemas) }),
    responses: {
      ...successResponses(route, schemas),
      ...problemResponses(codesOf(route), schemas),
    },
  }
}

/** Responses contain the same dates; see src/api/deprecation.ts. */
function describeDeprecation(description: string | undefined, deprecation: Deprecation | undefined) {
  if (!deprecation) return {}
  const { since, sunset, guide } = deprecation
  const notice = `**Deprecated** since ${since}, available until at least ${sunset}: [what to use instead](/docs/${guide}).`
  return {
    description: [notice, description].filter(Boolean).join('\n\n'),
    deprecated: true,
    'x-deprecated-since': since,
    'x-sunset': sunset,
  }
}

function describeRequestBody({ docs, body }: Write, { convert }: Schemas) {
  const example = examples[docs.operationId]?.request
  const content = { schema: convert(body, 'input'), ...(example !== undefined && { example }) }
  return { required: !v.is(body, {}), content: { 'application/json': content } }
}

const commonHeaders: readonly HeaderName[] = ['Cache-Control', ...rateLimitHeaders, 'X-Request-Id']

function successResponses(route: Route, { convert }: Schemas) {
  const [, , endpoint] = route
  const { response, docs } = endpoint
  // A new operation has no example until npm run refresh has created it.
  const example = examples[docs.operationId]?.response
  const content = { 'application/json': { schema: convert(response, 'output'), example } }
  const links = linksOf(route)
  const withLinks = Object.keys(links).length > 0 && { links }
  if (endpoint.kind === 'write') {
    const headers = [...endpoint.responseHeaders.map(findHeader), 'Idempotency-Replayed', ...commonHeaders] as const
    const description = endpoint.status === 201 ? 'The created object.' : 'The object after the write.'
    return { [endpoint.status]: { description, headers: headerReferences(headers), content, ...withLinks } }
  }
  const headers = headerReferences([
    'ETag',
    ...endpoint.responseHeaders.map(findHeader),
    'X-Observed-At',
    ...commonHeaders,
  ])
  return {
    200: { description: 'The requested data.', headers, content, ...withLinks },
    304: { description: 'Not modified: the `ETag` matches `If-None-Match`, so your copy is current.', headers },
  }
}

export interface Example {
  /** The request body, if there is one. */
  request?: unknown
  /** The response body. */
  response: unknown
}

/** Requests and responses of the real service with the demo data, by operationId. test/docs/examples.test.ts writes them. */
export const examples: Readonly<Record<string, Example | undefined>> = stored
