// What a route leads to: a schema for what comes in, and a function from it to an answer.

import type * as v from 'valibot'
import type { Key, Operation } from './access/key.ts'
import type { Database } from '../db/database.ts'
import type { Runner } from '../db/pool.ts'
import type { Confirmed } from './freshness/freshness.ts'
import type { Waiting } from '../resources/work-packets/waiting.ts'
import type { Code } from './problems/problem.ts'
import type { ApiResponse } from './responses/response.ts'
import type { BodySchema } from './schema/body.ts'
import type { Incoming } from './incoming.ts'
import type { QuerySchema } from './schema/query-string.ts'

/** What of a request a read may look at: its answer is given to every request that has the same of all this. */
export interface Question<Query, View = unknown> {
  /** Set, and within the key's scope, on every path under /projects/:projectId. */
  projectId: string | null
  path: string
  params: Readonly<Record<string, string>>
  query: Query
  /** What the endpoint asked for of the key. */
  view: View
  /** The current date in UTC, by the clock of the database. */
  today: string
}

/** What the documentation says of an endpoint. */
export interface About {
  operationId: string
  summary: string
  /** In Markdown. */
  description: string
  /** The body of an answer that is no problem: made of src/api/schema/response-schemas.ts. */
  answer: v.GenericSchema
}

/** What an endpoint says of itself; what it answers may follow from what it is made of. */
export type Saying = Omit<About, 'answer'>

/** A text of several lines. */
export const lines = (...texts: string[]): string => texts.join('\n')

export interface Read {
  about: About
  query: QuerySchema
  /** What of the key is to be seen in the answer. */
  view(key: Key): unknown
  read(question: Question<never, never>, db: Runner): Promise<ApiResponse>
  write?: never
  operation?: never
  body?: never
  /** Where an answer may wait until it is another: that one, and when it was seen. Undefined: it stands as it is. */
  hold?(body: string, request: Held<never>, waiting: Waiting): Promise<{ answer: ApiResponse; at: string } | undefined>
}

export interface Held<Query> extends Omit<Question<Query>, 'view'> {
  key: Key
  /** What was confirmed before the answer was made. */
  confirmed: Confirmed
  /** The key as it is now. Throws what a request would get that came now. */
  checkAgain(): Promise<Key>
  onDisconnect: Incoming['onDisconnect']
}

export interface Order<Body> extends Omit<Question<unknown>, 'view' | 'today' | 'query'> {
  key: Key
  body: Body
  headers: Incoming['headers']
}

export interface Write {
  about: About
  query: QuerySchema
  /** The operation that a key needs for it. */
  operation: Operation
  body: BodySchema
  /** Of an answer that is no problem. */
  status: 200 | 201
  /** The headers of that answer that not every write has. */
  headers: readonly string[]
  /** For what it may be refused beside what refuses any write. */
  refusals: readonly Code[]
  write(order: Order<never>, db: Database): Promise<ApiResponse>
}

export type Endpoint = Read | Write

export function endpoint<Schema extends QuerySchema>(
  about: About,
  query: Schema,
  read: (question: Question<v.InferOutput<Schema>, null>, db: Runner) => Promise<ApiResponse>,
): Read {
  return viewingEndpoint(about, query, () => null, read)
}

/** One whose answer shows something of the key. */
export function viewingEndpoint<Schema extends QuerySchema, View>(
  about: About,
  query: Schema,
  view: (key: Key) => View,
  read: (question: Question<v.InferOutput<Schema>, View>, db: Runner) => Promise<ApiResponse>,
): Read {
  return { about, query, view, read }
}
