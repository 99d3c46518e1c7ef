// One request over a connection that is kept, with a deadline: what has no answer by then hangs.

import { Agent, request, type IncomingHttpHeaders } from 'node:http'

export interface ApiResponse {
  status: number
  headers: IncomingHttpHeaders
  body: any
}

export interface Question {
  method?: 'GET' | 'POST'
  key?: string
  headers?: Record<string, string>
  body?: object
  agent?: Agent
}

/** Nothing that the service does takes as long, however slow the machine. */
const deadlineMs = 60_000

export class Hung extends Error {}
/** The connection broke off, or could not be opened. */
export class Cut extends Error {}

export function ask(
  address: string,
  { method = 'GET', key, headers = {}, body, agent }: Question,
): Promise<ApiResponse> {
  const text = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const asking = request(address, {
      method,
      agent: agent ?? false,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        ...headers,
      },
    })
    const deadline = setTimeout(() => asking.destroy(new Hung(`${method} ${address} hangs`)), deadlineMs)
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(deadline)
      reject(error instanceof Hung ? error : new Cut(error.code ?? error.message))
    }
    asking.once('error', fail)
    asking.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('error', fail)
      response.once('end', () => {
        clearTimeout(deadline)
        const said = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode!, headers: response.headers, body: said && JSON.parse(said) })
      })
    })
    asking.end(text)
  })
}
