// What a route leads to: a schema for the query, and a function from what came in to an answer.

import type * as v from 'valibot'
import type { Key, Operation } from '../access/key.ts'
import type { Database } from '../db/database.ts'
import type { Waiting } from '../work-packets/waiting.ts'
import type { Answer } from './answer.ts'
import type { BodySchema } from './body.ts'
import type { Incoming } from './context.ts'
import type { QuerySchema } from './query-string.ts'

/** What an endpoint may use beside its input. */
export interface Services {
  db: Database
  waiting: Waiting
}

export interface Input<Query, Body = undefined> {
  key: Key
  /** Set, and within the key's scope, on every path under /projects/:projectId. */
  projectId: string | null
  /** Path and query parameters. */
  path: string
  params: Readonly<Record<string, string>>
  query: Query
  /** Of a write; of a read it is undefined. */
  body: Body
  headers: Incoming['headers']
  /** For an answer that was held: throws what a request would get that came now. */
  checkAgain(): Promise<void>
  whenGone: Incoming['whenGone']
}

export interface Endpoint {
  query: QuerySchema
  /** What a write takes, and the operation that a key needs for it. */
  write?: { operation: Operation; body: BodySchema }
  handle(input: Input<never, never>, services: Services): Promise<Answer>
}

export function endpoint<Schema extends QuerySchema>(
  query: Schema,
  handle: (input: Input<v.InferOutput<Schema>>, services: Services) => Promise<Answer>,
): Endpoint {
  return { query, handle }
}
