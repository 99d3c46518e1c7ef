// Sockets and bytes: limits, timeouts, and an end in good order.

import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer } from './answer.ts'
import type { App } from './app.ts'
import type { Incoming } from './context.ts'
import { Problem, type Code } from '../problem.ts'
import { problemAnswer } from './problem-answer.ts'

export interface ServerOptions {
  host: string
  port: number
  maxConnections: number
  /** How many proxies in front of us add to X-Forwarded-For. */
  trustProxy: number
}

export interface Listening {
  url: string
  /** Takes no more connections, lets what runs finish within the grace, then closes. */
  close(graceMs: number): Promise<void>
}

const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than load balancers keep their side, so that it is they who close.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // Node's own answer to a request without Host is not of our shape; see namesHost.
  requireHostHeader: false,
}
// Of a client that has stopped to read, or of one that never says anything.
const silentSocketMs = 75_000

export async function listen(app: App, options: ServerOptions): Promise<Listening> {
  const server = createServer(limits)
  const sockets = new Set<Socket>()
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  server.maxConnections = options.maxConnections
  server.setTimeout(silentSocketMs)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // No expectation is met ahead of the answer: a body is not waited for before it is known that it is wanted.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      lastResponses.set(request.socket, response)
      void answer(app, options, request, response, server)
    })
  }
  server.on('connect', (request) => refuse(request.socket, 'MALFORMED_REQUEST'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    const code = brokenRequests[error.code ?? ''] ?? 'MALFORMED_REQUEST'
    // Whole requests in front of the broken one are answered first.
    const before = lastResponses.get(socket)
    if (!before || before.closed) return refuse(socket, code)
    socket.pause()
    before.once('close', () => refuse(socket, code))
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return { url: urlOf(server), close: (graceMs) => close(server, sockets, graceMs) }
}

async function answer(app: App, { trustProxy }: ServerOptions, request: IncomingMessage, response: ServerResponse) {
  const incoming: Incoming = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: request.headersDistinct,
    address: addressOf(request, trustProxy),
    hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
  }
  write(response, incoming, await app(incoming))
}

function write(response: ServerResponse, { method, hasBody }: Incoming, { status, headers, body }: Answer) {
  const bytes = Buffer.from(body)
  // A body that nobody read would have to be read now, however long it is, before the next request.
  const end = hasBody ? { connection: 'close' } : {}
  const length = status === 204 ? {} : { 'content-length': bytes.length }
  response.writeHead(status, { ...headers, ...length, ...end })
  response.end(method === 'HEAD' ? undefined : bytes)
}

function addressOf(request: IncomingMessage, trustProxy: number): string {
  const peer = request.socket.remoteAddress ?? ''
  if (trustProxy === 0) return peer
  const hops = (request.headersDistinct['x-forwarded-for'] ?? [])
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
  return hops.at(-trustProxy) || peer
}

const brokenRequests: Record<string, Code> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** What is not HTTP never reaches the app; it gets the same shape of error all the same. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = new Problem(brokenRequests[error.code ?? ''] ?? 'MALFORMED_REQUEST', 'The connection is closed.')
  const { status, headers, body } = problemAnswer(problem, crypto.randomUUID())
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

function urlOf(server: Server): string {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('the server listens on no port')
  return `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}
