// Documents problems: which ones each operation can respond with, and an example of each.

import * as v from 'valibot'
import { requestIdPattern } from '../api/request-log.ts'
import { problemResponse } from '../api/problems/problem-response.ts'
import { maxFaults, Problem, problems, type Code, type Fault } from '../api/problems/problem.ts'
import { described, named } from '../api/responses/response-schemas.ts'
import { apiPath, otherChanges, type Route } from '../api/router.ts'
import { cursorExpired, expiryReason } from '../resources/changes/cursor-expired.ts'
import { deletion, taskDeleted, type Deletion } from '../resources/tasks/deletion.ts'
import { invalidCursor } from '../api/lists/cursor.ts'
import { refusalDetails } from '../api/writes/write.ts'
import { rateLimitHeaders, headerReferences, type HeaderName } from './headers.ts'
import type { Schemas } from './json-schema.ts'
import { demoIds } from './parameters.ts'

const codes = Object.keys(problems) as Code[]

const fault = v.pipe(
  v.object({ in: v.picklist(['query', 'path', 'body', 'header']), name: v.string(), message: v.string() }),
  v.metadata({ ref: 'Fault' }),
)

const problem = named('Problem', 'The body of every error response (RFC 9457).', {
  type: v.pipe(
    described(v.string(), 'A link to the explanation of the code.'),
    v.metadata({ format: 'uri-reference' }),
  ),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  code: v.pipe(
    described(
      v.picklist(codes),
      'The kind of error. Programs should handle errors by this field. New codes may be added.',
    ),
    v.metadata({ ref: 'ProblemCode', 'x-extensible': true }),
  ),
  detail: described(v.string(), 'An explanation specific to this request.'),
  requestId: described(
    v.pipe(v.string(), v.regex(requestIdPattern)),
    'The id of the request, as recorded in the log of the service.',
  ),
  existing: v.optional(
    described(
      v.pipe(v.string(), v.metadata({ format: 'uri-reference' })),
      'The URL of the object that already exists, or its path if the service does not know its own address.',
    ),
  ),
  externalUrl: v.optional(described(v.string(), 'The address of the project in the tracker that its tasks come from.')),
  deletion: v.optional(deletion),
  reason: v.optional(expiryReason),
  errors: v.optional(
    described(v.pipe(v.array(fault), v.minLength(1), v.maxLength(maxFaults)), 'The invalid parameters and fields.'),
  ),
})

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
  const isInProject = path.startsWith('/projects/:projectId')
  return [
    ...keyCodes,
    ...commonCodes,
    ...(isInProject ? (['ACCESS_DENIED', 'NOT_FOUND'] as const) : []),
    ...(endpoint.kind === 'write' ? writeCodes : []),
    ...(endpoint.kind === 'write' && isInProject ? (['PROJECT_SYNCED'] as const) : []),
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

const cursorProblem = invalidCursor()
const expiredCursor = cursorExpired('too_old')
/** The example in the guide to verification. */
const deletedTask = taskDeleted({
  taskId: '019aa732-8fcd-7848-acbb-3b3c3ccd8e2a',
  deletedAt: '2026-11-22T02:00:04.118Z',
  by: { channel: 'import', actor: { name: 'cleanup' } },
  number: 45,
  version: 2,
})

const exampleExisting: Partial<Record<Code, string>> = {
  EXTERNAL_ID_TAKEN: `${apiPath}/projects/${demoIds.projectId}/tasks/${demoIds.taskId}`,
}

const exampleExternalUrls: Partial<Record<Code, string>> = { PROJECT_SYNCED: 'https://github.com/acme/web' }

const exampleDeletion: Partial<Record<Code, object>> = { TASK_DELETED: deletedTask.deletion! }

const exampleReasons: Partial<Record<Code, string>> = { CURSOR_EXPIRED: expiredCursor.reason! }

const exampleFaults: Partial<Record<Code, Fault>> = {
  VALIDATION_FAILED: { in: 'query', name: 'stauts', message: 'is unknown; did you mean status?' },
  INVALID_CURSOR: cursorProblem.faults[0]!,
  CURSOR_EXPIRED: expiredCursor.faults[0]!,
}

/** The guide to errors shows them, too. */
export const exampleDetails: Record<Code, string> = {
  ...refusalDetails,
  CURSOR_EXPIRED: expiredCursor.detail,
  TASK_DELETED: deletedTask.detail,
  VALIDATION_FAILED: 'stauts: is unknown; did you mean status?',
  MALFORMED_JSON: 'The body is not valid JSON.',
  INVALID_CURSOR: cursorProblem.detail,
  MALFORMED_REQUEST: 'The connection is closed.',
  AMBIGUOUS_CREDENTIALS: 'The Authorization and X-API-Key headers contain different keys. Send only one.',
  UNAUTHENTICATED: 'The API key is unknown or mistyped.',
  KEY_EXPIRED: 'The API key "old" expired at 2025-01-31T00:00:00.000Z.',
  KEY_REVOKED: 'The API key "billing" has been revoked.',
  OPERATION_DENIED: 'The API key was not granted the operation create_project.',
  NOT_FOUND: 'No such task.',
  METHOD_NOT_ALLOWED: `This path supports GET, POST, HEAD, OPTIONS. ${otherChanges}`,
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  BODY_TOO_LARGE: 'The body is larger than 262144 bytes.',
  URI_TOO_LONG: 'The URL is longer than 8192 characters.',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as UTF-8 with "Content-Type: application/json".',
  RATE_LIMITED: 'The API key is limited to 2 requests per minute. Try again in 30 s.',
  HEADERS_TOO_LARGE: 'The connection is closed.',
  INTERNAL: 'The cause is in the service log, under this request id.',
  NOT_IMPLEMENTED: 'The connection is closed.',
  UNAVAILABLE: 'The database is temporarily unavailable. Try again in a moment.',
}

interface ProblemExample {
  summary: string
  value: { detail: string; deletion?: Deletion }
}

/** Created by the same code as real problem responses. */
export const problemExamples: Record<string, ProblemExample> = Object.fromEntries(
  codes.map((code) => {
    const fault = exampleFaults[code]
    const existing = exampleExisting[code]
    const externalUrl = exampleExternalUrls[code]
    const deletion = exampleDeletion[code]
    const reason = exampleReasons[code]
    const problem = new Problem(code, exampleDetails[code], {
      faults: fault ? [fault] : [],
      ...(existing !== undefined && { existing }),
      ...(externalUrl !== undefined && { externalUrl }),
      ...(deletion && { deletion }),
      ...(reason !== undefined && { reason }),
    })
    const { body } = problemResponse(problem, '48a87ce8-eae7-46da-a820-67398cea7b3f')
    return [code, { summary: problems[code][1], value: JSON.parse(body) as ProblemExample['value'] }]
  }),
)
