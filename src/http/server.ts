// Sockets and bytes: limits, timeouts, and an end in good order.

import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Sent } from './answer.ts'
import type { App } from './app.ts'
import type { Certificate } from './certificate.ts'
import { keepConnections, type ConnectionCounts, type Connections } from './connections.ts'
import type { Incoming } from './context.ts'
import { Problem, type Code } from '../problem.ts'
import { problemAnswer } from './problem-answer.ts'
import { failBody, receiveBody } from './receive-body.ts'
import { createSecureServer, renewCertificate } from './tls.ts'

export interface ServerOptions {
  host: string
  port: number
  maxConnections: number
  /** How many proxies in front of us add to X-Forwarded-For. */
  trustProxy: number
  /** With it, TLS is spoken. */
  certificate?: Certificate | undefined
}

export interface Listening {
  url: string
  readonly connections: Readonly<ConnectionCounts>
  /** For connections that come from now on. */
  renew(certificate: Certificate): void
  /** Serves as before, but says after each answer that the connection ends. */
  drain(): void
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
const mostHeaders = 2_000
// Of a client that has stopped to read, or of one that never says anything.
const silentSocketMs = 75_000
// From the answer to the end of a connection whose client may still be sending. What is sent to a closed connection
// makes the client's system throw away an answer that it has not read.
const lingerMs = 1_000

export async function listen(app: App, options: ServerOptions): Promise<Listening> {
  const { certificate } = options
  const secure = certificate && createSecureServer(limits, certificate)
  const server: Server = secure ?? createServer(limits)
  // Left to itself, Node drops those beyond a thousand without a word: a condition, or a key, that the client has sent.
  server.maxHeadersCount = 0
  server.setTimeout(silentSocketMs)
  const connections = keepConnections(server, options.maxConnections, secure !== undefined)
  const { counts } = connections
  let draining = false
  const around = { app, trustProxy: options.trustProxy, isLast: () => draining, counts }
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  // No expectation is met ahead of the answer: a body is not waited for before it is known that it is wanted.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      lastResponses.set(request.socket, response)
      void respond(around, request, response)
    })
  }
  server.on('connect', ({ socket }) => refuseInTurn(socket, 'MALFORMED_REQUEST'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (lastResponses.get(socket)?.req.complete === false) failBody(socket)
    else refuseInTurn(socket, brokenRequests[error.code ?? ''] ?? 'MALFORMED_REQUEST')
  })

  /** After the answers to the requests in front of it. */
  function refuseInTurn(socket: Socket, code: Code) {
    counts.malformed++
    socket.pause()
    const before = lastResponses.get(socket)
    if (before && !before.destroyed) before.once('close', () => refuse(socket, code))
    else refuse(socket, code)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  return {
    url: urlOf(server, secure ? 'https' : 'http'),
    connections: counts,
    renew: (renewed) => secure && renewCertificate(secure, renewed),
    drain: () => void (draining = true),
    close(graceMs) {
      draining = true
      return close(server, connections, graceMs)
    },
  }
}

interface Around {
  app: App
  trustProxy: number
  /** Whether the connection is to end after the answer. */
  isLast(): boolean
  counts: ConnectionCounts
}

async function respond(
  { app, trustProxy, isLast, counts }: Around,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const incoming: Incoming = {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: request.headersDistinct,
    address: addressOf(request, trustProxy),
    readBody: (mostBytes) => receiveBody(request, response, mostBytes),
    hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
    whenGone: (listener) => void (response.destroyed ? listener() : response.once('close', listener)),
    isGone: () => response.destroyed,
  }
  const broken = brokenHead(request)
  if (broken) counts.malformed++
  const answer = broken ? brokenAnswer(broken) : await app(incoming)
  // Of a body that nobody wanted the rest is not waited for, however long it is.
  const unread = incoming.hasBody && !request.complete
  const { status, headers, body } = unread || isLast() ? closing(answer) : answer
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  response.writeHead(status, { ...headers, ...(![204, 304].includes(status) && { 'content-length': bytes.length }) })
  const content = request.method === 'HEAD' ? undefined : bytes
  if (!unread) return void response.end(content)
  response.flushHeaders()
  if (content) response.write(content)
  setTimeout(() => response.end(), lingerMs)
}

function brokenHead(request: IncomingMessage): Code | undefined {
  if (request.rawHeaders.length > 2 * mostHeaders) return 'HEADERS_TOO_LARGE'
  return namesHost(request) ? undefined : 'MALFORMED_REQUEST'
}

/** One Host, as HTTP/1.1 wants it: what stands in front of us may have gone by either of two. */
function namesHost({ httpVersion, headersDistinct: { host = [] } }: IncomingMessage): boolean {
  return host.length === 1 || (host.length === 0 && httpVersion === '1.0')
}

const closing = (answer: Sent): Sent => ({ ...answer, headers: { ...answer.headers, connection: 'close' } })

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
function brokenAnswer(code: Code): Sent {
  const requestId = crypto.randomUUID()
  const answer = problemAnswer(new Problem(code, 'The connection is closed.'), requestId)
  return closing({ ...answer, headers: { ...answer.headers, 'x-request-id': requestId } })
}

function refuse(socket: Socket, code: Code) {
  if (!socket.writable) return
  const { status, headers, body } = brokenAnswer(code)
  const all = { ...headers, date: new Date().toUTCString(), 'content-length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMs)
}

function urlOf(server: Server, scheme: string): string {
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('the server listens on no port')
  return `${scheme}://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`
}

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  connections.endUnused()
  const timer = setTimeout(connections.endAll, graceMs)
  await closed
  clearTimeout(timer)
}
