// A route as an operation: what it takes, what it answers, and how it can fail.

import * as v from 'valibot'
import type { Endpoint, Write } from '../api/endpoint.ts'
import type { Route } from '../api/router.ts'
import { examples } from './examples.ts'
import { allowance, headerNamed, headerReferences, type HeaderName } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { parametersOf } from './parameters.ts'
import { codesOf, problemResponses } from './problems.ts'
import { tagOf } from './tags.ts'

export function operationOf(route: Route, schemas: Schemas) {
  const [, path, endpoint] = route
  const { answer: _, ...told } = endpoint.about
  return {
    ...told,
    tags: [tagOf(path)],
    parameters: parametersOf(path, endpoint, schemas),
    ...(endpoint.write && { requestBody: requestBody(endpoint, schemas) }),
    responses: {
      ...answersOf(endpoint, schemas),
      ...problemResponses(codesOf(route), schemas),
    },
  }
}

function requestBody({ about, body }: Write, { convert }: Schemas) {
  const example = examples[about.operationId]?.request
  const content = { schema: convert(body, 'input'), ...(example !== undefined && { example }) }
  return { required: !v.is(body, {}), content: { 'application/json': content } }
}

const ofEveryAnswer: readonly HeaderName[] = ['Cache-Control', ...allowance, 'X-Request-Id']

function answersOf(endpoint: Endpoint, { convert }: Schemas) {
  const { answer, operationId } = endpoint.about
  // A new operation has no example until EXAMPLES=write has made one.
  const example = examples[operationId]?.answer
  const content = { 'application/json': { schema: convert(answer, 'output'), example } }
  if (endpoint.write) {
    const headers = [...endpoint.headers.map(headerNamed), 'Idempotency-Replayed', ...ofEveryAnswer] as const
    const description = endpoint.status === 201 ? 'What was created.' : 'What there is now.'
    return { [endpoint.status]: { description, headers: headerReferences(headers), content } }
  }
  const headers = headerReferences(['ETag', 'X-Observed-At', ...ofEveryAnswer])
  return {
    200: { description: 'What there is.', headers, content },
    304: { description: 'What you have is what there is: the `ETag` is one of `If-None-Match`.', headers },
  }
}
