// What is not HTTP, or comes too slowly to be a request: it never reaches the app, and gets the same shape of error all
// the same.

import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, type Code } from '../../api/problems/problem.ts'
import type { SentResponse } from '../../api/responses/response.ts'
import type { ConnectionCounts } from './connections.ts'
import { problemResponse } from '../../api/problems/problem-response.ts'
import { failBody } from './receive-body.ts'

// No expectation is met ahead of the answer: a body is not waited for before it is known that it is wanted.
export const requestEvents = ['request', 'checkContinue', 'checkExpectation']
// From the answer to the end of a connection whose client may still be sending. What is sent to a closed connection
// makes the client's system throw away an answer that it has not read.
export const lingerMs = 1_000

const maxHeaders = 2_000

const codes: Record<string, Code> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

export function respondToMalformed(server: Server, counts: ConnectionCounts) {
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  for (const event of requestEvents) {
    server.on(event, ({ socket }: IncomingMessage, response: ServerResponse) => lastResponses.set(socket, response))
  }
  server.on('connect', ({ socket }) => refuseInTurn(socket, 'MALFORMED_REQUEST'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const last = lastResponses.get(socket)?.req
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (last?.complete === false) failBody(last)
    else refuseInTurn(socket, codes[error.code ?? ''] ?? 'MALFORMED_REQUEST')
  })

  /** After the answers to the requests in front of it. */
  function refuseInTurn(socket: Socket, code: Code) {
    counts.malformed++
    socket.pause()
    const before = lastResponses.get(socket)
    if (before && !before.destroyed) before.once('close', () => refuse(socket, code))
    else refuse(socket, code)
  }
}

/** What the parser lets pass. */
export function malformedHead(request: IncomingMessage): Code | undefined {
  if (request.rawHeaders.length > 2 * maxHeaders) return 'HEADERS_TOO_LARGE'
  return namesHost(request) ? undefined : 'MALFORMED_REQUEST'
}

/** One Host, as HTTP/1.1 wants it: what stands in front of us may have gone by either of two. */
function namesHost({ httpVersion, headersDistinct: { host = [] } }: IncomingMessage): boolean {
  return host.length === 1 || (host.length === 0 && httpVersion === '1.0')
}

export function malformedResponse(code: Code): SentResponse {
  const requestId = crypto.randomUUID()
  const answer = problemResponse(new Problem(code, 'The connection is closed.'), requestId)
  return closing({ ...answer, headers: { ...answer.headers, 'x-request-id': requestId } })
}

export const closing = (answer: SentResponse): SentResponse => ({
  ...answer,
  headers: { ...answer.headers, connection: 'close' },
})

function refuse(socket: Socket, code: Code) {
  if (!socket.writable) return
  const { status, headers, body } = malformedResponse(code)
  const all = { ...headers, date: new Date().toUTCString(), 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs)
}
