// Tracks client connections, refuses those over the limit, and closes them at shutdown.

import type { Server, Socket } from 'node:net'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'

export interface ConnectionCounts {
  accepted: number
  refused: number
  /** Input that was not HTTP (or not TLS), was too slow, or had too many headers. No other metric counts it. */
  malformed: number
  readonly open: number
}

export interface Connections {
  readonly counts: ConnectionCounts
  /** Closes connections without a request. Browsers open some in advance, which Node does not count as idle. */
  closeUnused(): void
  closeAll(): void
}

export function trackConnections(server: Server, maxConnections: number, isSecure: boolean): Connections {
  const sockets = new Set<Socket>()
  /** The sockets that carry HTTP. With TLS they are different objects from the TCP sockets. */
  const httpSockets = isSecure ? new Set<Socket>() : sockets
  const counts = {
    accepted: 0,
    refused: 0,
    malformed: 0,
    get open() {
      return sockets.size
    },
  }

  function track(socket: Socket, set: Set<Socket>) {
    set.add(socket)
    socket.once('close', () => set.delete(socket))
  }

  server.on('connection', (socket: Socket) => {
    // With Node's own limit, a worker returns the connection to the primary, which offers it again in a loop.
    if (sockets.size >= maxConnections) {
      counts.refused++
      return void socket.destroy()
    }
    counts.accepted++
    track(socket, sockets)
  })
  if (isSecure) server.on('secureConnection', (socket: Socket) => track(socket, httpSockets))

  const closeAll = (except: ReadonlySet<string> = new Set()) => {
    for (const socket of sockets) if (!except.has(peerAddress(socket))) socket.destroy()
  }

  return {
    counts,
    closeUnused: () => closeAll(new Set([...httpSockets].filter(({ bytesRead }) => bytesRead > 0).map(peerAddress))),
    closeAll: () => closeAll(),
  }
}

const peerAddress = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

export function connectionMetrics({ accepted, refused, malformed, open }: ConnectionCounts): Metric[] {
  return [
    catalogMetric('workgate_connections', open),
    catalogMetric('workgate_connections_accepted_total', accepted),
    catalogMetric('workgate_connections_refused_total', refused),
    catalogMetric('workgate_malformed_requests_total', malformed),
  ]
}
