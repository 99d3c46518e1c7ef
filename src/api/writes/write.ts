// What all writes share: one statement that does everything or nothing, the stored response for an Idempotency-Key, and
// the problem for each refusal.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { serverError } from '../../db/errors.ts'
import { include } from '../../db/include.ts'
import type { Runner } from '../../db/pool.ts'
import { query, type Params } from '../../db/query.ts'
import type { Key, Operation } from '../access/key.ts'
import { outOfScope } from '../access/scope.ts'
import type { EndpointDocs, Target, Write } from '../endpoint.ts'
import type { Incoming } from '../incoming.ts'
import { invalid, Problem, type Code } from '../problems/problem.ts'
import { jsonResponse } from '../responses/response.ts'
import { readBody, type BodySchema } from '../schema/body.ts'
import { parseQuery } from '../schema/query-string.ts'
import { dataBody } from '../schema/response-schemas.ts'
import writeSql from '../../../sql/writes/write.sql'

export interface WriteRequest<Body> extends Omit<Target, 'search'> {
  key: Key
  body: Body
  headers: Incoming['headers']
}

type ResponseHeader = Write['responseHeaders'][number]

export interface WriteOptions<Schema extends BodySchema, Header extends ResponseHeader> {
  operation: Operation
  docs: EndpointDocs
  body: Schema
  requestHeaders?: Write['requestHeaders']
  /** The statements that write, as part of the one in sql/writes/write.sql. */
  sql: string
  /** isRetry: another writer was faster the first time. */
  params(request: WriteRequest<v.InferOutput<Schema>>, isRetry: boolean): Params
  /** The refusals in the statement, besides those of every write. */
  refusals: readonly Refusal[]
  /** The message for each field that the statement can refuse. */
  invalidFields?: Readonly<Record<string, string>>
  status: 200 | 201
  /** The item that was written. */
  item: v.GenericSchema
  /** Response headers, from the item, the body that shows it, and the path of the request. */
  headers: Readonly<Record<Header, (item: Item, body: string, path: string) => string>>
}

interface Item {
  id: string
  version: number
}

interface Written {
  refusal: Refusal | 'VALIDATION_FAILED' | null
  faults: string | null
  status: number
  item: string
  replayed: boolean
}

const details = {
  ACCESS_DENIED: outOfScope,
  NOT_FOUND: 'There is no such project or task.',
  PROJECT_ARCHIVED: 'Nothing is written into an archived project.',
  PROJECT_KEY_TAKEN: 'Another project has this key. Choose another one, or leave it out to get a free one.',
  TASK_CANCELLED: 'A cancelled task cannot be completed.',
  PRECONDITION_FAILED:
    'The task is not as If-Match has it: it was changed, or this is not the ETag of a task alone. Read the task again.',
  IDEMPOTENCY_IN_PROGRESS: 'A request with this Idempotency-Key is running. Ask again in a moment.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for another request. Take a new one for a new request.',
} satisfies Partial<Record<Code, string>>

export type Refusal = keyof typeof details

export const writeQuery = (sql: string) => query<Written>(include(writeSql, { write: sql }))

const noParameters = v.object({})

export function writeEndpoint<Schema extends BodySchema, Header extends ResponseHeader>(
  options: WriteOptions<Schema, Header>,
): Write {
  const { docs, operation, body, requestHeaders = [], refusals, invalidFields = {}, status, item, headers } = options
  const run = writeQuery(options.sql)
  const responseHeaders = Object.keys(headers) as Header[]

  async function write(request: WriteRequest<v.InferOutput<Schema>>, db: Runner) {
    const common = commonParams(request, operation, status)
    const written = await retryOnConflict((isRetry) => run(db, { ...options.params(request, isRetry), ...common }))
    if (written.refusal === 'VALIDATION_FAILED') throw invalidBody(JSON.parse(written.faults!), invalidFields)
    if (written.refusal) throw new Problem(written.refusal, details[written.refusal])
    const response = jsonResponse(`{"data":${written.item}}`)
    const shown = JSON.parse(written.item) as Item
    const path = request.path.replace(/\/$/, '')
    const own = responseHeaders.map((name) => [name, headers[name](shown, response.body, path)])
    const replayed = written.replayed ? { 'idempotency-replayed': 'true' } : {}
    return {
      ...response,
      status: written.status,
      headers: { ...response.headers, ...Object.fromEntries(own), ...replayed },
    }
  }

  return {
    kind: 'write',
    docs,
    operation,
    query: noParameters,
    body,
    requestHeaders,
    refusals,
    status,
    response: dataBody(item),
    responseHeaders,
    invalidFields,
    async parse({ path, params, projectId, search }, incoming) {
      parseQuery(noParameters, search)
      const parsed = await readBody(body, incoming)
      return (key, db) => write({ key, path, params, projectId, body: parsed, headers: incoming.headers }, db)
    },
  }
}

function commonParams<Body>(request: WriteRequest<Body>, operation: Operation, status: number) {
  const { key, projectId, path, body, headers } = request
  return {
    operation,
    status,
    projectId,
    recordsOf: projectId ?? noProject,
    keyId: key.id,
    keyName: key.name,
    idempotencyKey: idempotencyKeyOf(headers),
    requestHash: createHash('sha256')
      .update(JSON.stringify([path.toLowerCase(), body]))
      .digest('hex'),
  }
}

/** The creation of projects is recorded under the id of none. */
const noProject = '00000000-0000-0000-0000-000000000000'

/** What was there when the statement began and is gone when it writes, or the reverse: the next run sees it. */
const overtaken = ['23503', '23505']
const maxAttempts = 5

async function retryOnConflict(run: (isRetry: boolean) => Promise<Written[]>): Promise<Written> {
  for (let n = 0; ; n++) {
    try {
      const [written] = await run(n > 0)
      return written!
    } catch (error) {
      if (n + 1 === maxAttempts || !overtaken.includes(serverError(error)?.code ?? '')) throw error
    }
  }
}

export const idempotencyKeyForm = /^[!-~]{1,255}$/

function idempotencyKeyOf(headers: Incoming['headers']): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  if (given.length === 1 && idempotencyKeyForm.test(given[0]!)) return given[0]!
  throw invalid({ in: 'header', name: 'Idempotency-Key', message: 'takes 1 to 255 visible ASCII characters, once' })
}

/** Names such as watcherIds.3 are elements of a field. */
function invalidBody(names: string[], messages: Readonly<Record<string, string>>): Problem {
  return invalid(...names.map((name) => ({ in: 'body' as const, name, message: messages[name.split('.')[0]!]! })))
}
