// Requests over HTTP, one at a time on each of several connections. Reads no more of an answer than its length and status, to
// leave the processor to what is measured.

import { once } from 'node:events'
import { connect } from 'node:net'

export interface Ask {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** How many answers a second; every one has to be a good one. */
export async function load(url: string, clients: number, seconds: number, next: () => Ask): Promise<number> {
  const { hostname, port } = new URL(url)
  const until = performance.now() + seconds * 1000
  let answers = 0

  async function client() {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    await once(socket, 'connect')
    let received: Buffer = Buffer.alloc(0)
    let wake = () => {}
    socket.on('data', (bytes: Buffer) => {
      received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
      if (isWhole(received)) wake()
    })
    while (performance.now() < until) {
      const ask = next()
      received = Buffer.alloc(0)
      const answered = new Promise<void>((resolve) => (wake = resolve))
      socket.write(textOf(ask))
      await answered
      const status = Number(received.subarray(9, 12).toString('latin1'))
      if (status >= 300) throw new Error(`${ask.method} ${ask.path} was answered with ${received}`)
      answers++
    }
    socket.destroy()
  }

  await Promise.all(Array.from({ length: clients }, client))
  return answers / seconds
}

function textOf({ method, path, headers = {}, body = '' }: Ask): string {
  const all = {
    host: 'bench',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(bytes.subarray(0, end).toString('latin1')) ?? []
  return bytes.length >= end + 4 + Number(length ?? 0)
}
