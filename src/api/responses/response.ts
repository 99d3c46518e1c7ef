// Response types. Endpoints return an ApiResponse; a SentResponse is what one request gets, before complete-response.ts adds
// the headers that all responses have in common.

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
  fields?: readonly string[]
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
