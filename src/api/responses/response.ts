// Response types. Endpoints return an ApiResponse; a SentResponse is what one request gets, and a CompleteResponse
// has the headers that all responses have in common.

import type { Incoming } from '../incoming.ts'

export type Headers = Readonly<Record<string, string>>

export interface ApiResponse {
  status: number
  headers: Headers
  body: string
  /** Set on a page of a list that more pages follow. It becomes the Link header. */
  nextCursor?: string | null
  /** True if a request that waits should go on waiting for another response. */
  isPending?: boolean
}

export interface SentResponse extends Omit<ApiResponse, 'body'> {
  body: string | Uint8Array
  /** The headers as fieldsOf() returns them, if they are known already. */
  fields?: readonly string[] | undefined
  /** Further headers, which belong to this request only. */
  added?: Headers
}

/** A path that needs no key: a health check or a page of the documentation. */
export interface PublicRoute {
  /** The template of the path, for the log. */
  route: string
  get(headers: Incoming['headers'], publicUrl: string): Promise<SentResponse>
}

export type FindPublicRoute = (path: string) => Promise<PublicRoute | undefined>

/** The body is already JSON, as returned by the database. */
export function jsonResponse(body: string): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache' }, body }
}

/** A response with all of its headers. */
export interface CompleteResponse {
  status: number
  /** The names and values of the headers in turn, as Node takes them. */
  fields: readonly string[]
  body: string | Uint8Array
}

/** `common` are headers of responses to other requests, too. Those that are lists are added to the list of the response. */
export function completeResponse(
  { status, headers, fields = fieldsOf(headers), added, body }: SentResponse,
  requestId: string,
  common: readonly (Headers | undefined)[] = [],
): CompleteResponse {
  const all = fields.slice()
  all.push('x-content-type-options', 'nosniff', 'x-request-id', requestId)
  let vary = headers['vary']
  let link = headers['link']
  function add(more: Headers | undefined) {
    if (!more) return
    addFields(all, more)
    vary = joined(vary, more['vary'])
    link = joined(link, more['link'])
  }
  add(added)
  for (const more of common) add(more)
  if (vary !== undefined) all.push('vary', vary)
  if (link !== undefined) all.push('link', link)
  return { status, fields: all, body }
}

/** The headers that are not lists. */
export function fieldsOf(headers: Headers): string[] {
  const fields: string[] = []
  addFields(fields, headers)
  return fields
}

function addFields(fields: string[], headers: Headers) {
  for (const name in headers) if (name !== 'vary' && name !== 'link') fields.push(name, headers[name]!)
}

const joined = (first: string | undefined, second: string | undefined) =>
  first !== undefined && second !== undefined ? `${first}, ${second}` : (first ?? second)
