// Sends a request, with a deadline: a request without a response by then hangs.

import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  body: any
}

export interface RequestOptions {
  method?: 'GET' | 'POST'
  key?: string
  headers?: Record<string, string>
  body?: object
  agent?: Agent
}

/** No request takes this long, however slow the machine. */
const deadlineMs = 60_000

export class Hung extends Error {}
/** The connection was cut, or could not be opened. */
export class Cut extends Error {}

export function ask(
  address: string,
  { method = 'GET', key, headers = {}, body, agent }: RequestOptions,
): Promise<ApiResponse> {
  const text = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(address, {
      method,
      agent: agent ?? false,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    })
    const deadline = setTimeout(() => outgoing.destroy(new Hung(`${method} ${address} hangs`)), deadlineMs)
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(deadline)
      reject(error instanceof Hung ? error : new Cut(error.code ?? error.message))
    }
    outgoing.once('error', fail)
    outgoing.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', fail)
      response.once('end', () => {
        clearTimeout(deadline)
        const received = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode!, headers: response.headers, body: received && JSON.parse(received) })
      })
    })
    outgoing.end(text)
  })
}
