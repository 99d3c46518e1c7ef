// Clients that send requests without reading the responses: other clients are served, and memory stays bounded.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { cleanUp } from '../../faults/fixtures/embedded.ts'
import { printFigures } from '../../support/figures.ts'
import { ask } from './ask.ts'
import { memoryOf } from './memory.ts'
import { prepare, startPostgres, startService } from './stage.ts'

const connections = 200
const megabyte = 1_048_576
const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'

// prettier-ignore
const floods: [claim: string, bytesPerConnection: number][] = [
  ['20 MB of requests',  100_000],
  ['669 MB of requests', 3_345_000],
]

for (const [claim, bytesPerConnection] of floods) {
  test(`${claim} on ${connections} connections that read nothing`, async (t) => {
    const server = await startPostgres(t)
    await prepare(t, server.url('postgres'))
    const service = await startService(t, { DATABASE_URL: server.url('postgres') })
    const healthz = `${service.url}/healthz`
    const latencies = async (count: number) => {
      const times: number[] = []
      for (let n = 0; n < count; n++) {
        const began = performance.now()
        assert.equal((await ask(healthz, {})).status, 200)
        times.push(performance.now() - began)
      }
      return times.sort((a, b) => a - b)
    }
    await ask(`${service.url}/openapi.json`, {})
    await latencies(100)
    const before = memoryOf(service.child.pid!)
    const sockets = Array.from({ length: connections }, () => connect(Number(new URL(service.url).port), '127.0.0.1'))
    cleanUp(t, () => sockets.forEach((socket) => socket.destroy()))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const bytes = Buffer.from(request.repeat(Math.ceil(bytesPerConnection / request.length)))
    for (const socket of sockets) flood(socket, bytes)
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, memoryOf(service.child.pid!))), 50)
    const times = await latencies(500)
    clearInterval(watch)
    const grown = (most - before) / megabyte
    printFigures(`${claim} on ${connections} connections that read nothing`, {
      'requests of others': times.length,
      'status 200': times.length,
      'memory grew by MB': grown,
      'p99 of others in ms': times[Math.floor(times.length * 0.99)]!,
    })
    assert.ok(grown < 150, `memory grew by ${grown} MB`)
  })
}

function flood(socket: Socket, bytes: Buffer) {
  socket.on('error', () => {}).pause()
  socket.write(bytes)
}
