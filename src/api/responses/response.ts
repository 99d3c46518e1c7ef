// Response types. Endpoints return an ApiResponse; the server writes a SentResponse to the socket.

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
  /** Further headers, as they are sent. Their values are valid. */
  headerText?: string
}

/** A path that needs no key: a health check or a page of the documentation. */
export interface PublicRoute {
  /** The template of the path, for the log. */
  route: string
  get(headers: Incoming['headers'], publicUrl: string): Promise<SentResponse>
}

export type FindPublicRoute = (path: string) => Promise<PublicRoute | undefined>

export function headerLines(headers: Headers): string {
  let lines = ''
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`
  return lines
}

/** The body is already JSON, as returned by the database. */
export function jsonResponse(body: string): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache' }, body }
}
