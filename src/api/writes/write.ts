// What all writes have in common: one statement that does all of it or nothing, the answer kept for an
// Idempotency-Key, and what a refusal is called.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Operation } from '../access/key.ts'
import { outOfScope } from '../access/scope.ts'
import type { Runner } from '../../db/pool.ts'
import { serverError } from '../../db/errors.ts'
import { include } from '../../db/include.ts'
import { query, type Params } from '../../db/query.ts'
import { jsonResponse, type Headers } from '../responses/response.ts'
import type { BodySchema } from '../schema/body.ts'
import type { Order, Saying, Write } from '../endpoint.ts'
import { invalid, Problem, type Code } from '../problems/problem.ts'
import { bodyOf } from '../schema/response-schemas.ts'
import writeSql from '../../../sql/writes/write.sql'

export interface Writer<Schema extends BodySchema> {
  operation: Operation
  status: 200 | 201
  body: Schema
  /** What is answered with, for the documentation. */
  item: v.GenericSchema
  /** The statements that write, as parts of the one in sql/writes/write.sql. */
  sql: string
  /** Of the first run, or of one after another writer was faster. */
  params(order: Order<v.InferOutput<Schema>>, again: boolean): Params
  /** Headers of the answer, from the item that was written and the body that shows it. */
  headers(item: Item, body: string, path: string): Headers
}

interface Item {
  id: string
  version: number
}

interface Written {
  refusal: keyof typeof refusals | 'VALIDATION_FAILED' | null
  faults: string | null
  status: number
  item: string
  replayed: boolean
}

const refusals = {
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

export const writeQuery = (sql: string) => query<Written>(include(writeSql, { write: sql }))

export function write<Schema extends BodySchema>(writer: Writer<Schema>, saying: Saying): Write {
  const { operation, status, body, item, sql, ...of } = writer
  const about = { ...saying, answer: bodyOf(item) }
  const run = writeQuery(sql)

  async function write(order: Order<v.InferOutput<Schema>>, db: Runner) {
    const { key, projectId } = order
    const params = {
      operation,
      status,
      projectId,
      recordsOf: projectId ?? noProject,
      keyId: key.id,
      keyName: key.name,
      idempotencyKey: idempotencyKeyOf(order.headers),
      requestHash: createHash('sha256')
        .update(JSON.stringify([order.path.toLowerCase(), order.body]))
        .digest('hex'),
    }
    const {
      refusal,
      faults,
      item: text,
      replayed,
      ...written
    } = await retryOnConflict((again) => run(db, { ...of.params(order, again), ...params }))
    if (refusal === 'VALIDATION_FAILED') throw invalid(...(JSON.parse(faults!) as string[]).map(notOfProject))
    if (refusal) throw new Problem(refusal, refusals[refusal])
    const answer = jsonResponse(`{"data":${text}}`)
    const headers = of.headers(JSON.parse(text) as Item, answer.body, order.path.replace(/\/$/, ''))
    const more = replayed ? { 'idempotency-replayed': 'true' } : {}
    return { ...answer, status: written.status, headers: { ...answer.headers, ...headers, ...more } }
  }

  return {
    about,
    query: v.object({}),
    operation,
    body,
    status,
    headers: Object.keys(of.headers({ id: noProject, version: 1 }, '', '')),
    refusals: Object.keys(refusals)
      .filter((code) => sql.includes(`'${code}'`))
      .map((code) => code as keyof typeof refusals),
    write,
  }
}

/** The creation of projects is recorded under the id of none. */
const noProject = '00000000-0000-0000-0000-000000000000'

/** What was there when the statement began and is gone when it writes, or the reverse: the next run sees it. */
const overtaken = ['23503', '23505']
const maxAttempts = 5

async function retryOnConflict(run: (again: boolean) => Promise<Written[]>): Promise<Written> {
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

function idempotencyKeyOf(headers: Order<unknown>['headers']): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  if (given.length === 1 && idempotencyKeyForm.test(given[0]!)) return given[0]!
  throw invalid({ in: 'header', name: 'Idempotency-Key', message: 'takes 1 to 255 visible ASCII characters, once' })
}

function notOfProject(name: string) {
  const whose = name === 'ownerId' ? 'names no user that the key can know of' : 'names nothing in this project'
  return {
    in: 'body' as const,
    name,
    message: /^(assignee|watcher)/.test(name) ? 'names no user of this project' : whose,
  }
}
