// Many clients that do not read large responses: the service closes the connections of those that have not read for
// longest, and serves the others. Against the artifact.

import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { limitClientMemory, maxClientBytes, sizeOf } from '../../../src/server/http/client-memory.ts'
import { recordAttack } from '../../support/figures.ts'
import { api } from '../../support/workgate.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { startWire } from '../../faults/fixtures/wire.ts'

const connections = 60

let service: Awaited<ReturnType<typeof startWire>>

before(async () => {
  // Without the cache, no two responses share their memory.
  service = await startWire('HTTP', { CACHE_MB: '0' })
  await service.sql`
    insert into workgate.projects (key, name, description)
    select 'P' || n, 'Project ' || n, repeat('d', 20000) from generate_series(1, 30) n`
})
after(() => service.close())

test('responses that clients do not read take at most 64 MiB, and a client that reads gets all of them', async (t) => {
  const page = (n: number) => service.request(`GET ${api}/projects?limit=${200 - n}`)
  let closed = 0
  let unsent = 0
  for (let n = 0; n < connections && closed === 0; n++) {
    const accepted = await service.read('workgate_connections_accepted_total')
    // The kernel buffers the first of them.
    service
      .open(t)
      .pause()
      .write(Array.from({ length: 14 }, (_, n) => page(n)).join(''))
    await until(
      'it waits',
      async () =>
        (await service.read('workgate_connections_accepted_total')) > accepted &&
        (await service.read('workgate_http_requests_in_flight')) === 0,
    )
    unsent = await service.read('workgate_client_bytes')
    closed = await service.read('workgate_connections_unread_total')
    assert.ok(unsent <= maxClientBytes, `${unsent} bytes`)
  }
  assert.ok(closed > 0, `${unsent} bytes`)
  recordAttack(
    'Connections that each request 14 different pages of 500 KB and read none',
    'unread responses take at most 64 MiB; then the connection that has not read for longest is closed',
    { 'unread in MiB': unsent / 1_048_576, 'connections closed': closed },
  )
  const socket = service.open(t)
  socket.write(page(0).repeat(7) + service.request(`GET ${api}/projects?limit=200`, '', 'Connection: close'))
  const text = Buffer.concat(await socket.toArray()).toString()
  const lengths = [...text.matchAll(/content-length: (\d+)/gi)].map(([, length]) => Number(length))
  assert.equal(lengths.length, 8)
  assert.ok(lengths[0]! > 500_000 && text.length > 8 * lengths[0]!)
})

test('the headers of a request count until its response has been read', () => {
  const counts = { clientBytes: 0, unread: 0 }
  const socket = new Socket()
  const unread = new IncomingMessage(socket)
  unread.rawHeaders = ['Cookie', 'c'.repeat(15_000)]
  const release = limitClientMemory(counts).keep(socket, sizeOf(unread), Buffer.alloc(500))
  assert.ok(counts.clientBytes > 8_192 + 15_000 + 500, `${counts.clientBytes} bytes`)
  release()
  assert.equal(counts.clientBytes, 0)
})

test('a response that many clients do not read counts once', async (t) => {
  await until('nothing is unsent', async () => (await service.read('workgate_client_bytes')) === 0)
  const closed = await service.read('workgate_connections_unread_total')
  const paused = await service.read('workgate_connections_paused_total')
  for (let n = 0; n < 40; n++) service.open(t).pause().write(service.request('GET /openapi.json').repeat(400))
  await until('they wait', async () => (await service.read('workgate_connections_paused_total')) >= paused + 40)
  assert.ok((await service.read('workgate_client_bytes')) < 10_000_000)
  assert.equal(await service.read('workgate_connections_unread_total'), closed)
})
