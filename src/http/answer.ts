// What a request is answered with. Endpoints return it; the server turns it into bytes.

export type Headers = Readonly<Record<string, string>>

export interface Answer {
  status: number
  headers: Headers
  body: string
}

/** What goes to the socket. */
export interface Sent extends Omit<Answer, 'body'> {
  body: string | Uint8Array
}

/** Text that is JSON already, as the database gave it. */
export function jsonAnswer(body: string): Answer {
  return { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'private, no-cache' }, body }
}
