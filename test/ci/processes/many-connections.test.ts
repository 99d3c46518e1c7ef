// Thousands of connections that send many requests at once: fewer of each run, and memory stays bounded. Against the
// artifact.

import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { until } from '../../faults/fixtures/embedded.ts'
import { request, startWire } from '../../faults/fixtures/wire.ts'
import { memoryOf } from '../faults/memory.ts'

const connections = 4_000
const maxGrowth = 300 * 1_048_576

const service = await startWire()
after(() => service.close())

/** Opens connections, no more at once than the accept queue holds. */
async function open(t: TestContext, bytes?: Buffer) {
  await until('no connection is open', async () => (await service.read('workgate_connections')) === 0)
  const accepted = await service.read('workgate_connections_accepted_total')
  for (let count = 250; count <= connections; count += 250) {
    for (let n = 0; n < 250; n++) {
      const socket = service.open(t).pause()
      if (bytes) socket.write(bytes)
    }
    await until(
      'they are open',
      async () => (await service.read('workgate_connections_accepted_total')) >= accepted + count,
    )
  }
}

test('each runs one request at once, or two while a body arrives', async (t) => {
  await open(t)
  const release = await service.lockProjects(t)
  const socket = service.open(t)
  socket.write(service.createProject('One of many').repeat(20))
  await until('the connection is paused', async () => (await service.read('workgate_connections_paused_total')) === 1)
  assert.ok((await service.read('workgate_http_requests_in_flight')) <= 2)
  let text = ''
  socket.setEncoding('latin1').on('data', (some: string) => (text += some))
  await release()
  await until('all responses have arrived', () => text.split('HTTP/1.1 201').length === 21)
})

test('memory grows by less than 300 MB while each sends 1 MB of requests and reads nothing', async (t) => {
  const before = memoryOf(service.pid)
  const paused = await service.read('workgate_connections_paused_total')
  await open(t, Buffer.from(request('GET /openapi.json').repeat(25_000)))
  let most = 0
  await until('each waits or is closed', async () => {
    most = Math.max(most, memoryOf(service.pid))
    const waiting = (await service.read('workgate_connections_paused_total')) - paused
    return waiting + (await service.read('workgate_connections_unread_total')) >= connections
  })
  assert.ok(most - before < maxGrowth, `${(most - before) / 1_048_576} MB`)
})
