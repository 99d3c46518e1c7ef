// Listens for HTTP requests: sockets, limits, timeouts and graceful shutdown.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { App } from '../../api/app.ts'
import {
  respondToMalformed,
  createMalformedResponse,
  checkHead,
  maxHeaders,
  closing,
  requestEvents,
} from './malformed-requests.ts'
import type { Certificate } from '../../config/certificate.ts'
import { trackConnections, type ConnectionCounts, type ConnectionLimits, type Connections } from './connections.ts'
import type { Incoming } from '../../api/incoming.ts'
import { handleConnections, type Connection } from './connection.ts'
import { parseAddress, unmapAddress } from '../../runtime/network-address.ts'
import { createBodyReceiver } from './receive-body.ts'
import { limitClientMemory } from './client-memory.ts'
import { createTimeSlices } from './time-slices.ts'
import { createSecureServer, hstsFieldsOf, replaceCertificate } from './tls.ts'
import { formatAddress } from './reserve-address.ts'

export interface ServerOptions extends ConnectionLimits {
  host: string
  port: number
  /** The number of proxies in front of the service that add to X-Forwarded-For. */
  trustProxy: number
  /** The max-age of Strict-Transport-Security; 0: no such header. */
  hstsMaxAge: number
  /** PUBLIC_URL, for links in the responses to malformed requests. */
  publicUrl: string
  /** If given, the server speaks TLS. */
  certificate?: Certificate | undefined
}

export type Listener = Awaited<ReturnType<typeof listen>>

const limits = {
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the idle timeout of load balancers, so that they close idle connections first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  // Node's own response to a request without Host is not in the API's error format; see hasOneHost.
  requireHostHeader: false,
}
const noBody = Buffer.alloc(0)
// Disconnects clients that stop reading or never send anything.
const silentSocketMs = 75_000

export async function listen(app: App, options: ServerOptions) {
  const { certificate } = options
  const secureServer = certificate && createSecureServer(limits, certificate)
  const server: Server = secureServer ?? createServer(limits)
  // Node copies no more headers than this. One more than the limit, so that checkHead() notices.
  server.maxHeadersCount = maxHeaders + 1
  server.setTimeout(silentSocketMs)
  const isSecure = secureServer !== undefined
  const connections = trackConnections(server, options, isSecure)
  const { counts } = connections
  const connectionOf = handleConnections(server, isSecure, {
    counts,
    memory: limitClientMemory(counts),
    slices: createTimeSlices(),
    onBusy: connections.setBusy,
  })
  let isDraining = false
  const { publicUrl } = options
  const hstsFields = hstsFieldsOf(options.hstsMaxAge)
  const receiveBody = createBodyReceiver()
  for (const event of requestEvents) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      const connection = connectionOf(request.socket)
      connection.begin(response)
      void respond(connection, request, response)
    })
  }
  respondToMalformed(server, connectionOf, publicUrl, hstsFields)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })

  async function respond(connection: Connection, request: IncomingMessage, response: ServerResponse) {
    const incoming: Incoming = {
      method: request.method ?? 'GET',
      target: request.url ?? '/',
      headers: request.headersDistinct,
      address: clientAddress(request, options.trustProxy),
      hasBody: request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0,
      readBody: (maxBytes, owner) => receiveBody(request, response, maxBytes, owner),
      onDisconnect: (listener) => connection.onDisconnect(response, listener),
      isDisconnected: () => response.destroyed,
    }
    // Node's parser skips the bytes after such a request. The service speaks no other protocol, so it responds as usual, and
    // closes the connection, which tells a proxy that no later request was processed.
    const isUpgrade = request.headers.upgrade !== undefined
    if (isUpgrade) connection.end()
    const malformed = checkHead(request)
    if (malformed) counts.malformed++
    const { status, fields, body } = malformed ? createMalformedResponse(malformed, publicUrl) : await app(incoming)
    // Does not wait for the rest of an unread body, which can be very long.
    const isBodyUnread = incoming.hasBody && !request.complete
    // While draining, the requests that follow on the connection and run already get their responses first.
    const isLast = isBodyUnread || isUpgrade || (isDraining && connection.last === response)
    if (isLast || isDraining) connection.end()
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const length = status === 204 || status === 304 ? [] : ['content-length', `${bytes.length}`]
    response.writeHead(status, [...fields, ...hstsFields, ...length, ...(isLast || malformed ? closing : [])])
    connection.send(response, request.method === 'HEAD' ? noBody : bytes)
  }

  return {
    url: serverUrl(server, secureServer ? 'https' : 'http'),
    connections: counts as Readonly<ConnectionCounts>,
    /** Applies to new connections. */
    replaceCertificate: (replacement: Certificate) => secureServer && replaceCertificate(secureServer, replacement),
    /** Keeps serving, but closes each connection after its response. */
    drain: () => void (isDraining = true),
    /** Accepts no more connections, and lets running requests finish within the grace period. */
    close(graceMs: number) {
      isDraining = true
      return close(server, connections, graceMs)
    },
  }
}

/** If the proxies forward no address, all their clients share the address of the nearest proxy. */
function clientAddress(request: IncomingMessage, trustProxy: number): string {
  const peer = unmapAddress(request.socket.remoteAddress ?? '')
  if (trustProxy === 0) return peer
  const hops = (request.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',')
  return parseAddress((hops.at(-trustProxy) ?? '').trim()) ?? peer
}

function serverUrl(server: Server, scheme: string): string {
  const { address, port } = server.address() as AddressInfo
  return `${scheme}://${formatAddress(address, port)}`
}

async function close(server: Server, connections: Connections, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  connections.closeUnused()
  const timer = setTimeout(connections.closeAll, graceMs)
  await closed
  clearTimeout(timer)
}
