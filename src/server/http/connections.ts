// Tracks client connections: limits their number, makes room for new ones by closing idle ones, and closes them at
// shutdown.

import type { Server, Socket } from 'node:net'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import { isLoopback, networkOf, unmapAddress } from '../../runtime/network-address.ts'

export interface ConnectionLimits {
  maxConnections: number
  /** The maximum for each client address (IPv6: each /64), except for connections from this machine. */
  maxPerAddress: number
}

export type Connections = ReturnType<typeof trackConnections>

export type ConnectionCounts = Connections['counts']

interface Connection {
  peer: string
  network: string
  socket: Socket
  /** Carries HTTP. With TLS it is a different object, which exists after the handshake. */
  httpSocket: Socket | undefined
}

export function trackConnections(server: Server, limits: ConnectionLimits, isSecure: boolean) {
  const connections = new Set<Connection>()
  const byPeer = new Map<string, Connection>()
  const byHttpSocket = new WeakMap<Socket, Connection>()
  const perNetwork = new Map<string, number>()
  /** Connections that the service does no work for, in the order in which they became idle. */
  const idle = new Set<Connection>()
  const counts = {
    accepted: 0,
    /** Closed immediately, by the limit that was reached. */
    refused: { total: 0, address: 0 },
    /** Idle connections that were closed to make room for new ones. */
    displaced: 0,
    /** Input that was not HTTP (or not TLS), was too slow, or had too many headers. No other metric counts it. */
    malformed: 0,
    /** How often requests of a connection had to wait for earlier ones, or because the client did not read. */
    pipelined: 0,
    /** The size of what clients have left behind (see client-memory.ts), and connections closed because of its limit. */
    clientBytes: 0,
    unread: 0,
    get open() {
      return connections.size
    },
  }

  server.on('connection', (socket: Socket) => {
    const address = unmapAddress(socket.remoteAddress ?? '')
    const network = networkOf(address)
    // With Node's own limit, a worker returns the connection to the primary, which offers it again in a loop.
    if (countOf(network) >= limits.maxPerAddress && !isLoopback(address)) return refuse(socket, 'address')
    if (connections.size >= limits.maxConnections && !closeLongestIdle()) return refuse(socket, 'total')
    add({ peer: peerOf(socket), network, socket, httpSocket: undefined })
  })
  if (isSecure) {
    server.on('secureConnection', (socket: Socket) => {
      const connection = byPeer.get(peerOf(socket))
      if (connection) carryHttp(connection, socket)
    })
  }

  const countOf = (network: string) => perNetwork.get(network) ?? 0

  function refuse(socket: Socket, limit: keyof typeof counts.refused) {
    counts.refused[limit]++
    socket.destroy()
  }

  function add(connection: Connection) {
    const { peer, network, socket } = connection
    counts.accepted++
    connections.add(connection)
    if (isSecure) byPeer.set(peer, connection)
    perNetwork.set(network, countOf(network) + 1)
    idle.add(connection)
    if (!isSecure) carryHttp(connection, socket)
    socket.once('close', () => remove(connection))
  }

  function carryHttp(connection: Connection, socket: Socket) {
    connection.httpSocket = socket
    byHttpSocket.set(socket, connection)
  }

  function remove(connection: Connection) {
    const { peer, network } = connection
    if (!connections.delete(connection)) return
    if (byPeer.get(peer) === connection) byPeer.delete(peer)
    idle.delete(connection)
    if (countOf(network) > 1) perNetwork.set(network, countOf(network) - 1)
    else perNetwork.delete(network)
  }

  function closeLongestIdle(): boolean {
    const [longest] = idle
    if (!longest) return false
    counts.displaced++
    // Its "close" event comes later.
    remove(longest)
    longest.socket.destroy()
    return true
  }

  return {
    counts,
    /**
     * Call it when the service begins to work on a request of the connection (the one that carries HTTP), and when it works
     * on none any more. A client could otherwise keep its connection busy by not sending a body, or not reading responses.
     */
    setBusy(httpSocket: Socket, isBusy: boolean) {
      const connection = byHttpSocket.get(httpSocket)
      if (!connection) return
      if (isBusy) idle.delete(connection)
      else if (connections.has(connection)) idle.add(connection)
    },
    /** Closes connections without a request. Browsers open some in advance, which Node does not count as idle. */
    closeUnused() {
      for (const { socket, httpSocket } of connections) if (!httpSocket?.bytesRead) socket.destroy()
    },
    closeAll() {
      for (const { socket } of connections) socket.destroy()
    },
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

export const connectionMetrics = (counts: ConnectionCounts): Metric[] => [
  catalogMetric('workgate_connections', counts.open),
  catalogMetric('workgate_connections_accepted_total', counts.accepted),
  catalogMetric(
    'workgate_connections_refused_total',
    Object.entries(counts.refused).map(([limit, n]) => [{ limit }, n] as const),
  ),
  catalogMetric('workgate_connections_displaced_total', counts.displaced),
  catalogMetric('workgate_connections_paused_total', counts.pipelined),
  catalogMetric('workgate_connections_unread_total', counts.unread),
  catalogMetric('workgate_client_bytes', counts.clientBytes),
  catalogMetric('workgate_malformed_requests_total', counts.malformed),
]
