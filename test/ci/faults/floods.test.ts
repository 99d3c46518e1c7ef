// Clients that send requests without reading the responses: other clients are served, and memory stays bounded.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { cleanUp } from '../../faults/fixtures/embedded.ts'
import { recordAttack } from '../../support/figures.ts'
import { ask } from './ask.ts'
import { memoryOf } from './memory.ts'
import { prepare, startPostgres, startService } from './stage.ts'

const connections = 200
const megabyte = 1_048_576
const request = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'

const floods = [
  [100_000, 20],
  [3_345_000, 669],
] as const

test(`requests on ${connections} connections that read no responses`, async (t) => {
  const server = await startPostgres(t)
  await prepare(t, server.url('postgres'))
  const service = await startService(t, { DATABASE_URL: server.url('postgres') })
  await ask(`${service.url}/openapi.json`, {})
  await latencies(service.url, 100)
  for (const [bytesPerConnection, megabytes] of floods) {
    const before = memoryOf(service.child.pid!)
    const sockets = Array.from({ length: connections }, () => connect(Number(new URL(service.url).port), '127.0.0.1'))
    cleanUp(t, () => sockets.forEach((socket) => socket.destroy()))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const bytes = Buffer.from(request.repeat(Math.ceil(bytesPerConnection / request.length)))
    for (const socket of sockets) flood(socket, bytes)
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, memoryOf(service.child.pid!))), 50)
    const times = await latencies(service.url, 500)
    clearInterval(watch)
    for (const socket of sockets) socket.destroy()
    const grown = (most - before) / megabyte
    recordAttack(
      `${megabytes} MB of requests on ${connections} connections that read no responses`,
      'at most 9 requests of each connection are started; the rest is not read',
      { 'memory in MB': `+${Math.round(grown)}`, 'p99 of `/healthz` in ms': times[Math.floor(times.length * 0.99)]! },
    )
    assert.ok(grown < 150, `memory grew by ${grown} MB`)
  }
})

/** Sends requests of another client, one at a time. Returns their times in milliseconds, in ascending order. */
async function latencies(url: string, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    assert.equal((await ask(`${url}/healthz`, {})).status, 200)
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}

function flood(socket: Socket, bytes: Buffer) {
  socket.on('error', () => {}).pause()
  socket.write(bytes)
}
