// What a route leads to: a schema for the query, and a function from what came in to an answer.

import type * as v from 'valibot'
import type { Key } from '../access/key.ts'
import type { Database } from '../db/database.ts'
import type { Answer } from './answer.ts'
import type { QuerySchema } from './query-string.ts'

/** What an endpoint may use beside its input. */
export interface Services {
  db: Database
}

export interface Input<Query> {
  key: Key
  /** Set, and within the key's scope, on every path under /projects/:projectId. */
  projectId: string | null
  /** Path and query parameters. */
  path: string
  params: Readonly<Record<string, string>>
  query: Query
}

export interface Endpoint {
  query: QuerySchema
  handle(input: Input<never>, services: Services): Promise<Answer>
}

export function endpoint<Schema extends QuerySchema>(
  query: Schema,
  handle: (input: Input<v.InferOutput<Schema>>, services: Services) => Promise<Answer>,
): Endpoint {
  return { query, handle }
}
