// When MAX_CONNECTIONS are open, a connection that the service does no work for makes room for a new one, whatever its
// client still has to send or to read. Against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, describe, test, type TestContext } from 'node:test'
import { api } from '../support/workgate.ts'
import { until } from './fixtures/embedded.ts'
import { request, startWire } from './fixtures/wire.ts'

const maxConnections = 4

const service = await startWire('HTTP', { MAX_CONNECTIONS: String(maxConnections) })
after(() => service.close())

const unknownKey = `Authorization: Bearer wg_${'0'.repeat(12)}_${'0'.repeat(48)}`
const json = 'Content-Type: application/json'
const unfinished = ['Content-Length: 100', json]

/** Opens as many connections as are allowed. */
async function fill(t: TestContext, bytes: string): Promise<Socket[]> {
  await until('no other connection is open', async () => (await service.read('workgate_connections')) === 0)
  return Array.from({ length: maxConnections }, () => {
    const socket = service.open(t, { allowHalfOpen: true }).pause()
    socket.write(bytes)
    return socket
  })
}

/** The status of the response to a request on a new connection; undefined if the connection is closed instead. */
async function tryAnother(t: TestContext): Promise<string | undefined> {
  const socket = service.open(t)
  socket.write(request('GET /healthz', 'Connection: close'))
  return Buffer.concat(await socket.toArray().catch(() => []))
    .toString()
    .split(' ')[1]
}

// prettier-ignore
const idle: [claim: string, bytes: () => string, status: string | undefined][] = [
  ['the rest of a body, without a key',            () => request(`POST ${api}/projects`, ...unfinished) + '{', '401'],
  ['the rest of a body, with an unknown key',      () => request(`POST ${api}/projects`, unknownKey, ...unfinished) + '{', '401'],
  ['the rest of a body in chunks, without a key',  () => request(`POST ${api}/projects`, 'Transfer-Encoding: chunked') + '1\r\n{\r\n', '401'],
  ['the rest of a body for a public path',         () => request('POST /healthz', ...unfinished) + '{', '405'],
  ['the rest of a body that is too large',         () => service.request('POST ' + api + '/projects', '', 'Content-Length: 1000000', json) + '{', '413'],
  ['the rest of a request after garbage',          () => 'hello\r\n\r\n', '400'],
]

describe('a connection makes room for a new one while its client has not sent', () => {
  for (const [claim, bytes, status] of idle) {
    test(claim, async (t) => {
      const sockets = await fill(t, bytes())
      for (const socket of sockets) {
        const [received] = (await once(socket.resume(), 'data')) as [Buffer]
        assert.equal(received.toString().split(' ')[1], status)
      }
      assert.equal(await tryAnother(t), '200')
    })
  }
})

test('a connection makes room for a new one while its client has not read the responses', async (t) => {
  const paused = await service.read('workgate_connections_paused_total')
  await fill(t, request('GET /openapi.json').repeat(400))
  await until(
    'the connections are paused',
    async () => (await service.read('workgate_connections_paused_total')) >= paused + maxConnections,
  )
  assert.equal(await tryAnother(t), '200')
})

test('the connections that have been idle longest make room first', async (t) => {
  const sockets = await fill(t, '')
  const order = [2, 0, 3, 1]
  for (const n of order) {
    sockets[n]!.write(request('GET /healthz'))
    await once(sockets[n]!.resume(), 'data')
  }
  const closed: number[] = []
  sockets.forEach((socket, n) => socket.once('end', () => closed.push(n)))
  assert.equal(await tryAnother(t), '200')
  await until('a connection is closed', () => closed.length > 0)
  assert.deepEqual(closed, [order[0]])
})

// prettier-ignore
const busy: [claim: string, bytes: () => string][] = [
  ['waits for the database',                     () => service.createProject('Waits')],
  ['with a valid key waits for its body',        () => service.request(`POST ${api}/projects`, '', ...unfinished)],
  ['waits, followed by half of another request', () => service.createProject('Waits') + 'GET /hea'],
]

for (const [claim, bytes] of busy) {
  test(`no connection is closed whose request ${claim}`, async (t) => {
    const release = await service.lockProjects(t)
    const displaced = await service.read('workgate_connections_displaced_total')
    const sockets = await fill(t, bytes())
    await until(
      'all requests run',
      async () => (await service.read('workgate_http_requests_in_flight')) === maxConnections,
    )
    assert.equal(await tryAnother(t), undefined)
    assert.equal(await service.read('workgate_connections_displaced_total'), displaced)
    for (const socket of sockets) socket.destroy()
    await release()
    // Otherwise, the next test would lock them out again.
    await until('no request runs', async () => (await service.read('workgate_http_requests_in_flight')) === 0)
  })
}
