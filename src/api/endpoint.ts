// Defines endpoints: the declaration of a route, and the functions that parse its requests and respond to them. The
// pipeline in app.ts uses only these functions and a cache key.

import type * as v from 'valibot'
import type { Owner } from '../db/pool/connection-shares.ts'
import type { Projects } from '../db/projects.ts'
import type { Key, Operation, Reach } from './access/key.ts'
import type { Deprecations } from './deprecation.ts'
import type { Incoming } from './incoming.ts'
import type { Code } from './problems/problem.ts'
import type { ApiResponse } from './responses/response.ts'
import type { Wish } from './waiting.ts'
import type { BodySchema } from './input/body.ts'
import { parseQuery, type QuerySchema } from './input/query-string.ts'

/** The path of a request, with its parameters. Endpoints get it with ids in place of names. */
export interface RequestPath {
  path: string
  params: Readonly<Record<string, string>>
  /** Set on every path under /projects/:projectId, and within the key's scope when an endpoint runs. */
  projectId: string | null
}

/** The groups of operations in the documentation. */
// prettier-ignore
export type Tag = 'Key' | 'Projects' | 'People' | 'Boards' | 'Tasks' | 'Work packets' | 'Comments' | 'Files' | 'Time entries' | 'Documents' | 'Changes' | 'Analytics'

export interface EndpointDocs extends Deprecations {
  operationId: string
  tag: Tag
  summary: string
  /** Markdown. */
  description: string
}

/** Joins the lines of a description. */
export const lines = (...texts: string[]): string => texts.join('\n')

interface Declaration {
  docs: EndpointDocs
  query: QuerySchema
  /** The body of a successful response. */
  response: v.GenericSchema
  /** Problems that only some endpoints respond with. */
  refusals: readonly Code[]
}

/** Everything that the response to a read may depend on, besides the stored data. */
export interface ReadRequest<Query, View> extends RequestPath {
  query: Query
  /** The part of the key that the response depends on. */
  view: View
  /** The current date in UTC, by the database's clock. */
  today: string
}

/** A read with validated input, for one key. */
interface ParsedRead {
  /** Requests with equal cache keys get the same response while nothing changes. */
  cacheKey: string
  respond(today: string, db: Projects): Promise<ApiResponse>
  /** True if only the server that writes can respond. */
  needsPrimary: boolean
  /** Set if the request waits, as long as the response is pending. */
  wish: Wish | undefined
}

/** A read with a valid query, for any path and key. */
export type ValidRead = (path: RequestPath, key: Key) => ParsedRead

export interface Read extends Declaration {
  kind: 'read'
  /** Response headers that only some reads send. */
  responseHeaders: readonly 'link'[]
  /** The query string is without the question mark, still encoded. */
  parse(search: string): ValidRead
}

export interface Write extends Declaration {
  kind: 'write'
  /** The operation that the key must be granted. */
  operation: Operation
  body: BodySchema
  /** The status of a successful response. */
  status: 200 | 201
  /** Response headers that only some writes send. */
  responseHeaders: readonly ('etag' | 'location')[]
  /** The error message for each field that the statement can reject, or one for each reason that it gives. */
  invalidFields: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  /** Request headers that only some writes accept. */
  requestHeaders: readonly 'if-match'[]
  parse(
    search: string,
    incoming: Incoming,
    owner: Owner,
  ): Promise<(path: RequestPath, key: Key, db: Projects) => Promise<ApiResponse>>
}

export type Endpoint = Read | Write

/** The part of a key that a response depends on. Keys with equal digests of it share cached responses. */
interface KeyView<View> {
  of(key: Key): View
  digest(key: Key): string
}

/** For responses that do not depend on the key. */
export const noView: KeyView<null> = { of: () => null, digest: () => '' }
export const reachView: KeyView<Reach> = { of: ({ reach }) => reach, digest: ({ digests }) => digests.reach }
export const wholeKey: KeyView<Key> = { of: (key) => key, digest: ({ digests }) => digests.key }

interface ReadOptions<Schema extends QuerySchema, View> {
  docs: EndpointDocs
  query: Schema
  response: v.GenericSchema
  refusals?: readonly Code[]
  responseHeaders?: Read['responseHeaders']
  view: KeyView<View>
  read(request: ReadRequest<v.InferOutput<Schema>, View>, db: Projects): Promise<ApiResponse>
  /** For responses that depend on which transactions are running. */
  needsPrimary?: true
  /** The changes that can end the wait of a request with the parameter `wait`. */
  concerns?(request: RequestPath & { query: v.InferOutput<Schema>; key: Key }): Wish['concerns']
}

export function readEndpoint<Schema extends QuerySchema, View>(options: ReadOptions<Schema, View>): Read {
  const { view, read, needsPrimary = false, concerns, ...declaration } = options
  return {
    kind: 'read',
    refusals: [],
    responseHeaders: [],
    ...declaration,
    parse(search) {
      const query = parseQuery(declaration.query, search)
      const { wait: seconds = 0 } = query as { wait?: number }
      const queryText = JSON.stringify({ ...query, wait: undefined })
      return ({ path, params, projectId }, key) => {
        // Equivalent spellings of a query get the same cache key.
        const common = `${path} ${queryText}`
        return {
          cacheKey: `${common} ${view.digest(key)}`,
          needsPrimary,
          respond: (today, db) => read({ path, params, projectId, query, view: view.of(key), today }, db),
          wish:
            concerns && seconds > 0
              ? { seconds, concerns: concerns({ path, params, projectId, query, key }) }
              : undefined,
        }
      }
    },
  }
}
