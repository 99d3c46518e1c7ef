// Who is connected: never more than may be, and in the end nobody.

import type { Server, Socket } from 'node:net'
import { single, type Metric } from '../../runtime/metrics/metrics.ts'

export interface ConnectionCounts {
  accepted: number
  refused: number
  /** Of what came on them, what was no TLS where it should be, not HTTP, too slow, or had too many headers: nobody else hears of it. */
  malformed: number
  readonly open: number
}

export interface Connections {
  readonly counts: ConnectionCounts
  /** Ends those that have not asked for anything. Node does not count as idle what was opened ahead, as browsers do. */
  endUnused(): void
  endAll(): void
}

export function trackConnections(server: Server, most: number, isSecure: boolean): Connections {
  const sockets = new Set<Socket>()
  /** What HTTP is spoken on: with TLS another object than the socket below. */
  const inside = isSecure ? new Set<Socket>() : sockets
  const counts = {
    accepted: 0,
    refused: 0,
    malformed: 0,
    get open() {
      return sockets.size
    },
  }

  function keep(socket: Socket, among: Set<Socket>) {
    among.add(socket)
    socket.once('close', () => among.delete(socket))
  }

  server.on('connection', (socket: Socket) => {
    // Node's own limit makes a worker hand the connection back, which is then offered to it again and again.
    if (sockets.size >= most) {
      counts.refused++
      return void socket.destroy()
    }
    counts.accepted++
    keep(socket, sockets)
  })
  if (isSecure) server.on('secureConnection', (socket: Socket) => keep(socket, inside))

  const endAll = (except: ReadonlySet<string> = new Set()) => {
    for (const socket of sockets) if (!except.has(peerOf(socket))) socket.destroy()
  }

  return {
    counts,
    endUnused: () => endAll(new Set([...inside].filter(({ bytesRead }) => bytesRead > 0).map(peerOf))),
    endAll: () => endAll(),
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`

// prettier-ignore
export function connectionMetrics({ accepted, refused, malformed, open }: ConnectionCounts): Metric[] {
  return [
    single('gauge',   'workgate_connections', 'Connections of clients that there are.', open),
    single('counter', 'workgate_connections_accepted_total', 'Connections that were taken.', accepted),
    single('counter', 'workgate_connections_refused_total', 'Connections that were one too many.', refused),
    single('counter', 'workgate_malformed_requests_total', 'What came in and was not HTTP (or TLS), too slow, or had too many headers; counted nowhere else.', malformed),
  ]
}
