// Documents a route as an OpenAPI operation: its parameters, body, responses and problems.

import * as v from 'valibot'
import type { Endpoint, Write } from '../api/endpoint.ts'
import type { Route } from '../api/router.ts'
import { examples } from './examples.ts'
import { rateLimitHeaders, findHeader, headerReferences, type HeaderName } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { parametersOf } from './parameters.ts'
import { codesOf, problemResponses } from './problems.ts'

export function describeOperation(route: Route, schemas: Schemas) {
  const [, path, endpoint] = route
  const { tag, ...docs } = endpoint.docs
  return {
    ...docs,
    tags: [tag],
    parameters: parametersOf(path, endpoint, schemas),
    ...(endpoint.kind === 'write' && { requestBody: describeRequestBody(endpoint, schemas) }),
    responses: {
      ...successResponses(endpoint, schemas),
      ...problemResponses(codesOf(route), schemas),
    },
  }
}

function describeRequestBody({ docs, body }: Write, { convert }: Schemas) {
  const example = examples[docs.operationId]?.request
  const content = { schema: convert(body, 'input'), ...(example !== undefined && { example }) }
  return { required: !v.is(body, {}), content: { 'application/json': content } }
}

const commonHeaders: readonly HeaderName[] = ['Cache-Control', ...rateLimitHeaders, 'X-Request-Id']

function successResponses(endpoint: Endpoint, { convert }: Schemas) {
  const { response, docs } = endpoint
  // A new operation has no example until EXAMPLES=write has created it.
  const example = examples[docs.operationId]?.response
  const content = { 'application/json': { schema: convert(response, 'output'), example } }
  if (endpoint.kind === 'write') {
    const headers = [...endpoint.responseHeaders.map(findHeader), 'Idempotency-Replayed', ...commonHeaders] as const
    const description = endpoint.status === 201 ? 'The created object.' : 'The object after the write.'
    return { [endpoint.status]: { description, headers: headerReferences(headers), content } }
  }
  const headers = headerReferences([
    'ETag',
    ...endpoint.responseHeaders.map(findHeader),
    'X-Observed-At',
    ...commonHeaders,
  ])
  return {
    200: { description: 'The requested data.', headers, content },
    304: { description: 'Not modified: the `ETag` matches `If-None-Match`, so your copy is current.', headers },
  }
}
