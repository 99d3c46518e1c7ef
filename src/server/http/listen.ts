// Sockets and bytes: limits, timeouts, and an end in good order.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { App } from '../../api/app.ts'
import {
  respondToMalformed,
  malformedResponse,
  malformedHead,
  closing,
  lingerMs,
  requestEvents,
} from './malformed-requests.ts'
import type { Certificate } from '../../config/certificate.ts'
import { trackConnections, type ConnectionCounts, type Connections } from './connections.ts'
import type { Incoming } from '../../api/incoming.ts'
import { receiveBody } from './receive-body.ts'
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
// Of a client that has stopped to read, or of one that never says anything.
const silentSocketMs = 75_000

export async function listen(app: App, options: ServerOptions): Promise<Listening> {
  const { certificate } = options
  const secure = certificate && createSecureServer(limits, certificate)
  const server: Server = secure ?? createServer(limits)
  // Left to itself, Node drops those beyond a thousand without a word: a condition, or a key, that the client has sent.
  server.maxHeadersCount = 0
  server.setTimeout(silentSocketMs)
  const connections = trackConnections(server, options.maxConnections, secure !== undefined)
  const { counts } = connections
  let draining = false
  const around = { app, trustProxy: options.trustProxy, isLast: () => draining, counts }
  for (const event of requestEvents) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => void respond(around, request, response))
  }
  respondToMalformed(server, counts)
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
    readBody: (maxBytes) => receiveBody(request, response, maxBytes),
    hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
    onDisconnect: (listener) => void (response.destroyed ? listener() : response.once('close', listener)),
    isDisconnected: () => response.destroyed,
  }
  const broken = malformedHead(request)
  if (broken) counts.malformed++
  const answer = broken ? malformedResponse(broken) : await app(incoming)
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

function addressOf(request: IncomingMessage, trustProxy: number): string {
  const peer = request.socket.remoteAddress ?? ''
  if (trustProxy === 0) return peer
  const hops = (request.headersDistinct['x-forwarded-for'] ?? [])
    .join(',')
    .split(',')
    .map((hop) => hop.trim())
  return hops.at(-trustProxy) || peer
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
