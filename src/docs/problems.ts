// Documents problems: which ones each operation can respond with, and an example of each.

import * as v from 'valibot'
import { requestIdPattern } from '../api/request-id.ts'
import { problemResponse } from '../api/problems/problem-response.ts'
import { maxFaults, Problem, problems, type Code, type Fault } from '../api/problems/problem.ts'
import type { Route } from '../api/router.ts'
import { rateLimitHeaders, headerReferences, type HeaderName } from './headers.ts'
import type { Schemas } from './json-schema.ts'

const codes = Object.keys(problems) as Code[]

const problem = v.pipe(
  v.object({
    type: v.pipe(
      v.string(),
      v.description('A link to the explanation of the code.'),
      v.metadata({ format: 'uri-reference' }),
    ),
    title: v.string(),
    status: v.pipe(v.number(), v.integer()),
    code: v.pipe(
      v.picklist(codes),
      v.description('The kind of error. Programs should handle errors by this field. New codes may be added.'),
      v.metadata({ ref: 'ProblemCode', 'x-extensible': true }),
    ),
    detail: v.pipe(v.string(), v.description('An explanation specific to this request.')),
    requestId: v.pipe(
      v.string(),
      v.regex(requestIdPattern),
      v.description('The id of the request, as recorded in the log of the service.'),
    ),
    errors: v.optional(
      v.pipe(
        v.array(
          v.pipe(
            v.object({ in: v.picklist(['query', 'path', 'body', 'header']), name: v.string(), message: v.string() }),
            v.metadata({ ref: 'Fault' }),
          ),
        ),
        v.minLength(1),
        v.maxLength(maxFaults),
        v.description('The invalid parameters and fields.'),
      ),
    ),
  }),
  v.description('The body of every error response (RFC 9457).'),
  v.metadata({ ref: 'Problem' }),
)

/** Problems that any request can cause. */
export const commonCodes: readonly Code[] = [
  'MALFORMED_REQUEST',
  'REQUEST_TIMEOUT',
  'URI_TOO_LONG',
  'HEADERS_TOO_LARGE',
  'NOT_IMPLEMENTED',
  'INTERNAL',
]

// prettier-ignore
const keyCodes: readonly Code[] = ['VALIDATION_FAILED', 'AMBIGUOUS_CREDENTIALS', 'UNAUTHENTICATED', 'KEY_EXPIRED', 'KEY_REVOKED', 'RATE_LIMITED', 'UNAVAILABLE']
// prettier-ignore
const writeCodes: readonly Code[] = ['OPERATION_DENIED', 'MALFORMED_JSON', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED']

export function codesOf([, path, endpoint]: Route): readonly Code[] {
  return [
    ...keyCodes,
    ...commonCodes,
    ...(path.startsWith('/projects/:projectId') ? (['ACCESS_DENIED', 'NOT_FOUND'] as const) : []),
    ...(endpoint.kind === 'write' ? writeCodes : []),
    ...endpoint.refusals,
  ]
}

/** One response for each status, in order. */
export function problemResponses(possibleCodes: readonly Code[], schemas: Schemas) {
  const schema = schemas.convert(problem, 'output')
  const ordered = codes.filter((code) => possibleCodes.includes(code))
  const statuses = [...new Set(ordered.map((code) => problems[code][0]))]
  return Object.fromEntries(
    statuses.map((status) => {
      const statusCodes = ordered.filter((code) => problems[code][0] === status)
      const examples = Object.fromEntries(statusCodes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
      return [
        String(status),
        {
          description: statusCodes
            .map((code) => `[\`${code}\`](/docs/errors#${code}): ${problems[code][1]}.`)
            .join(' '),
          headers: headerReferences(['X-Request-Id', ...(headersByStatus[status] ?? [])]),
          content: { 'application/problem+json': { schema, examples } },
        },
      ]
    }),
  )
}

const headersByStatus: Partial<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', ...rateLimitHeaders],
  503: ['Retry-After'],
}

const cursorMessage = 'must be the meta.nextCursor of a page with the same filters and sort'

const exampleFaults: Partial<Record<Code, Fault>> = {
  VALIDATION_FAILED: { in: 'query', name: 'stauts', message: 'is unknown; did you mean status?' },
  INVALID_CURSOR: { in: 'query', name: 'cursor', message: cursorMessage },
}

/** The guide to errors shows them, too. */
export const exampleDetails: Record<Code, string> = {
  VALIDATION_FAILED: 'stauts: is unknown; did you mean status?',
  MALFORMED_JSON: 'The body is not valid JSON.',
  INVALID_CURSOR:
    'The cursor does not belong to this list with these filters and this sort. Start again without a cursor.',
  MALFORMED_REQUEST: 'The connection is closed.',
  AMBIGUOUS_CREDENTIALS: 'The Authorization and X-API-Key headers contain different keys. Send only one.',
  UNAUTHENTICATED: 'The API key is unknown or mistyped.',
  KEY_EXPIRED: 'The API key "old" expired at 2025-01-31T00:00:00.000Z.',
  KEY_REVOKED: 'The API key "billing" has been revoked.',
  ACCESS_DENIED: 'The project is outside the scope of the API key.',
  OPERATION_DENIED: 'The API key was not granted the operation create_project.',
  NOT_FOUND: 'No such task.',
  METHOD_NOT_ALLOWED: 'This path supports GET, POST, HEAD, OPTIONS.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  TASK_CANCELLED: 'A cancelled task cannot be completed.',
  PROJECT_ARCHIVED: 'The project is archived and cannot be changed.',
  PROJECT_KEY_TAKEN: 'Another project has this key. Choose a different one, or omit it to get an unused one.',
  PROJECT_LIMIT_REACHED:
    'The API key already selects 1000 projects, the maximum. The operator can change its selection.',
  IDEMPOTENCY_IN_PROGRESS: 'A request with this Idempotency-Key is still running. Try again in a moment.',
  PRECONDITION_FAILED:
    'The task does not match If-Match: it has changed, or the header is not the ETag of a single task. Read the task again.',
  BODY_TOO_LARGE: 'The body is larger than 262144 bytes.',
  URI_TOO_LONG: 'The URL is longer than 8192 characters.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as UTF-8 with "Content-Type: application/json".',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for a different request. Use a new one for each new request.',
  RATE_LIMITED: 'The API key is limited to 2 requests per minute. Try again in 30 s.',
  HEADERS_TOO_LARGE: 'The connection is closed.',
  INTERNAL: 'The cause is in the service log, under this request id.',
  NOT_IMPLEMENTED: 'The connection is closed.',
  UNAVAILABLE: 'The database is temporarily unavailable. Try again in a moment.',
}

/** Created by the same code as real problem responses. */
export const problemExamples: Record<string, { summary: string; value: { detail: string } }> = Object.fromEntries(
  codes.map((code) => {
    const fault = exampleFaults[code]
    const problem = new Problem(code, exampleDetails[code], { faults: fault ? [fault] : [] })
    const { body } = problemResponse(problem, '48a87ce8-eae7-46da-a820-67398cea7b3f')
    return [code, { summary: problems[code][1], value: JSON.parse(body) as { detail: string } }]
  }),
)
