// Builds write endpoints: one atomic statement, the stored response for an Idempotency-Key, and the problem for each
// refusal.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { serverError } from '../../db/errors.ts'
import { include, type Params } from '../../db/statements/template.ts'
import type { Runner } from '../../db/pool/pool.ts'
import type { Projects } from '../../db/projects.ts'
import { query } from '../../db/statements/query.ts'
import { maxSelectedProjects, outOfScope, type Key } from '../access/key.ts'
import type { RequestPath, Write } from '../endpoint.ts'
import type { Incoming } from '../incoming.ts'
import { invalid, Problem, type Code } from '../problems/problem.ts'
import { jsonResponse } from '../responses/response.ts'
import { readBody, type BodySchema } from '../input/body.ts'
import { parseQuery } from '../input/query-string.ts'
import { uuidOf } from '../input/values.ts'
import { dataBody } from '../responses/response-schemas.ts'
import writeSql from '../../../sql/writes/write.sql'

interface WriteRequest<Body> extends RequestPath {
  key: Key
  body: Body
  headers: Incoming['headers']
}

type ResponseHeader = Write['responseHeaders'][number]

interface WriteOptions<Schema extends BodySchema, Header extends ResponseHeader>
  extends Pick<Write, 'operation' | 'docs' | 'status'>, Partial<Pick<Write, 'requestHeaders' | 'invalidFields'>> {
  body: Schema
  /** The writing statements, which become part of the one in sql/writes/write.sql. */
  sql: string
  /** `isRetry` is true if an earlier attempt conflicted with another write. */
  params(request: WriteRequest<v.InferOutput<Schema>>, isRetry: boolean): Params
  /** The refusals of this statement, besides those of every write. */
  refusals: readonly Code[]
  /** Returns the problem for a request that is refused with NOT_FOUND, if there is a better one. */
  missing?(path: RequestPath, db: Runner): Promise<Problem | undefined>
  /** The schema of the written item. */
  item: v.GenericSchema
  /** Response headers, computed from the item, the response body and the path of the request. */
  headers: Readonly<Record<Header, (item: Item, body: string, path: string) => string>>
}

interface Item {
  id: string
  version: number
}

interface WriteResult {
  refusal: Refusal | 'VALIDATION_FAILED' | null
  faults: string | null
  /** That of the tracker, if the project gets its tasks from one. */
  address: string | null
  status: number
  /** Null if there is no task or project to show. */
  item: string | null
  replayed: boolean
}

export const refusalDetails = {
  ACCESS_DENIED: outOfScope,
  NOT_FOUND: 'No such project or task.',
  PROJECT_ARCHIVED: 'The project is archived and cannot be changed.',
  PROJECT_SYNCED: 'The project gets its tasks from the tracker at externalUrl. Create and complete them there.',
  PROJECT_KEY_TAKEN: 'Another project has this key. Choose a different one, or omit it to get an unused one.',
  EXTERNAL_ID_TAKEN: 'A task of the project already has this externalId.',
  PROJECT_LIMIT_REACHED: `The API key already selects ${maxSelectedProjects} projects, the maximum. The operator can change its selection.`,
  TASK_CANCELLED: 'A cancelled task cannot be completed.',
  PRECONDITION_FAILED:
    'The task does not match If-Match: it has changed, or the header is not the ETag of a single task. Read the task again.',
  IDEMPOTENCY_IN_PROGRESS: 'A request with this Idempotency-Key is still running. Try again in a moment.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for a different request. Use a new one for each new request.',
} satisfies Partial<Record<Code, string>>

type Refusal = keyof typeof refusalDetails

/** Writes in a project find every row by its key, so one plan suits all parameters. Planning would take half of the time. */
export const writeQuery = (sql: string) =>
  query<WriteResult>(include(writeSql, { write: sql }), ({ projectId }) => (projectId === null ? 'custom' : 'generic'))

const noParameters = v.object({})

export function writeEndpoint<Schema extends BodySchema, Header extends ResponseHeader>(
  options: WriteOptions<Schema, Header>,
): Write {
  const { sql, params: paramsOf, item: itemSchema, headers, missing, ...declaration } = options
  const { operation, body, status, invalidFields = {} } = declaration
  const run = writeQuery(sql)
  const responseHeaders = Object.keys(headers) as Header[]

  async function write(request: WriteRequest<v.InferOutput<Schema>>, db: Projects) {
    const common = commonParams(request, operation, status)
    // A new project gets an id of the place where the request is recorded.
    const [place] = request.projectId === null ? await db.placesNow([common.idempotencyProjectId]) : [{ db }]
    const written = await retryOnConflict((isRetry) => run(place!.db, { ...paramsOf(request, isRetry), ...common }))
    if (written.refusal === 'VALIDATION_FAILED') throw invalidBody(JSON.parse(written.faults!), invalidFields)
    const path = request.path.replace(/\/$/, '')
    const better = written.refusal === 'NOT_FOUND' ? await missing?.(request, place!.db) : undefined
    if (better) throw better
    if (written.refusal) throw refused(written.refusal, written, path)
    const response = jsonResponse(`{"data":${written.item}}`)
    const item = JSON.parse(written.item!) as Item
    const itemHeaders = responseHeaders.map((name) => [name, headers[name](item, response.body, path)])
    const replayed = written.replayed ? { 'idempotency-replayed': 'true' } : {}
    return {
      ...response,
      status: written.status,
      headers: { ...response.headers, ...Object.fromEntries(itemHeaders), ...replayed },
    }
  }

  return {
    kind: 'write',
    requestHeaders: [],
    ...declaration,
    query: noParameters,
    response: dataBody(itemSchema),
    responseHeaders,
    invalidFields,
    async parse(search, incoming, owner) {
      parseQuery(noParameters, search)
      const parsed = await readBody(body, incoming, owner)
      return ({ path, params, projectId }, key, db) =>
        write({ key, path, params, projectId, body: parsed, headers: incoming.headers }, db)
    },
  }
}

function commonParams<Body>(request: WriteRequest<Body>, operation: string, status: number) {
  const { key, projectId, path, body, headers } = request
  const idempotencyKey = readIdempotencyKey(headers)
  return {
    operation,
    status,
    projectId,
    idempotencyProjectId: projectId ?? idOfAttempt(key.firstId, operation, idempotencyKey),
    keyId: key.id,
    keyName: key.name,
    firstKeyId: key.firstId,
    idempotencyKey,
    requestHash: createHash('sha256')
      .update(JSON.stringify([path.toLowerCase(), body]))
      .digest('hex'),
  }
}

/**
 * Stands for the project of a request that creates one, which has no id yet, so that its repetition finds the idempotency
 * record. In a cluster, the project gets an id in the place of this one.
 */
function idOfAttempt(...names: readonly (string | null)[]): string {
  if (names.includes(null)) return crypto.randomUUID()
  const digest = createHash('sha256').update(JSON.stringify(names)).digest()
  return uuidOf(digest.subarray(0, 16))
}

/**
 * A foreign key, unique or check violation, or a source that the project did not have: a row was removed or added after
 * the statement began, or the key has selected its last project, and a retry sees the change.
 */
const retryableCodes = ['23503', '23505', '23514', 'WG015']
const maxAttempts = 5

async function retryOnConflict(run: (isRetry: boolean) => Promise<WriteResult[]>): Promise<WriteResult> {
  for (let attempt = 0; ; attempt++) {
    try {
      const [written] = await run(attempt > 0)
      return written!
    } catch (error) {
      if (attempt + 1 === maxAttempts || !retryableCodes.includes(serverError(error)?.code ?? '')) throw error
    }
  }
}

export const idempotencyKeyPattern = /^[!-~]{1,255}$/

function readIdempotencyKey(headers: Incoming['headers']): string | null {
  const values = headers['idempotency-key']
  if (values === undefined) return null
  if (values.length === 1 && idempotencyKeyPattern.test(values[0]!)) return values[0]!
  throw invalid({
    in: 'header',
    name: 'Idempotency-Key',
    message: 'must be a single value of 1 to 255 visible ASCII characters',
  })
}

/** The item is the one that already exists. */
function refused(refusal: Refusal, { item, address }: WriteResult, path: string): Problem {
  const isTaken = refusal === 'EXTERNAL_ID_TAKEN'
  return new Problem(refusal, refusalDetails[refusal], {
    ...(isTaken && { existing: `${path}/${(JSON.parse(item!) as Item).id}` }),
    ...(refusal === 'PROJECT_SYNCED' && { externalUrl: address! }),
  })
}

/** A name such as watcherIds.3 refers to one element of a field, and fields.sprint/text to the reason, too. */
function invalidBody(names: string[], messages: Write['invalidFields']): Problem {
  return invalid(
    ...names.map((fault) => {
      const [name = '', reason = ''] = fault.split('/')
      const message = messages[name.split('.')[0]!]!
      return { in: 'body' as const, name, message: typeof message === 'string' ? message : message[reason]! }
    }),
  )
}
