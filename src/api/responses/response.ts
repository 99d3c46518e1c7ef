// What a request is answered with. Endpoints return it; the server turns it into bytes.

export type Headers = Readonly<Record<string, string>>

export interface ApiResponse {
  status: number
  headers: Headers
  body: string
}

/** What goes to the socket. */
export interface SentResponse extends Omit<ApiResponse, 'body'> {
  body: string | Uint8Array
}

/** Text that is JSON already, as the database gave it. */
export function jsonResponse(body: string): ApiResponse {
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache' }, body }
}
