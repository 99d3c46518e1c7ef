// A tracker that answers over plain sockets, so that it can break every rule of HTTP.

import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after } from 'node:test'
import { createTrackerHttp, type TrackerHttp, type TrackerHttpOptions } from '../../src/sources/http/http.ts'

export type Answer = (socket: Socket, head: string) => void

export const token = 'tok-5e2f81c09ab34d76'

/** The closing is awaited at the end of the test file. */
export async function startTracker(answer: Answer) {
  const heads: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    let received = ''
    // Clients that refuse an answer reset the connection.
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      received += bytes.toString()
      for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
        const head = received.slice(0, end + 2)
        received = received.slice(end + 4)
        heads.push(head)
        answer(socket, head)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    /** The request lines and headers that arrived. */
    heads,
    sockets,
  }
}

export type Tracker = Awaited<ReturnType<typeof startTracker>>

export function connectTo({ origin }: { origin: string }, options: Partial<TrackerHttpOptions> = {}): TrackerHttp {
  const http = createTrackerHttp({
    origin,
    headers: () => ({ authorization: `token ${token}` }),
    signal: new AbortController().signal,
    allowLocal: true,
    ...options,
  })
  after(http.close)
  return http
}

/** The text of a response; Content-Length is added. */
export function response(status: number, headers: Record<string, string> = {}, body = ''): string {
  const fields = { 'content-length': `${Buffer.byteLength(body)}`, ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Any\r\n${lines.join('')}\r\n${body}`
}
