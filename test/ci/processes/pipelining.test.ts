// Many requests on one connection at once: at most 8 of them run, the others wait unparsed. Against the artifact.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { api } from '../../support/workgate.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { request, startWire } from '../../faults/fixtures/wire.ts'

const maxRunning = 8

const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']

for (const protocol of ['HTTP', 'HTTPS'] as const) {
  describe(protocol, () => {
    let service: Awaited<ReturnType<typeof startWire>>

    before(async () => {
      service = await startWire(protocol)
    })
    after(() => service.close())

    const read = (name: string) => service.read(name)
    const countProjects = async () => (await service.sql`select from workgate.projects`).length

    for (const [how, count] of [
      ['in one packet', 200],
      ['in packets of their own', 50],
    ] as const) {
      test(`of requests that arrive ${how}, at most 8 run at once, and all get their response in order`, async (t) => {
        const release = await service.lockProjects(t)
        const socket = service.open(t).setNoDelay()
        let text = ''
        socket.setEncoding('latin1').on('data', (some: string) => (text += some))
        const [before, paused] = [await countProjects(), await read('workgate_connections_paused_total')]
        const requests = Array.from({ length: count }, (_, n) => service.createProject(`Project ${n}`))
        for (const packet of how === 'in one packet' ? [requests.join('')] : requests) {
          await new Promise((resolve) => socket.write(packet, resolve))
          await new Promise((resolve) => setImmediate(resolve))
        }
        await until('the connection is paused', async () => (await read('workgate_connections_paused_total')) > paused)
        assert.ok((await read('workgate_http_requests_in_flight')) <= maxRunning)
        await release()
        await until('all responses have arrived', () => text.split('HTTP/1.1 201').length === count + 1)
        const names = [...text.matchAll(/"name":"Project (\d+)"/g)].map(([, n]) => Number(n))
        assert.deepEqual(names, [...Array(count).keys()])
        assert.equal(await countProjects(), before + count)
      })
    }

    test('hardly any request is started for a client that has disconnected', async (t) => {
      const release = await service.lockProjects(t)
      const socket = service.open(t)
      const before = await countProjects()
      socket.write(Array.from({ length: 200 }, () => service.createProject('Abandoned')).join(''))
      await until('requests run', async () => (await read('workgate_http_requests_in_flight')) === maxRunning)
      socket.destroy()
      await release()
      await until('no request runs', async () => (await read('workgate_http_requests_in_flight')) === 0)
      const created = (await countProjects()) - before
      // Only the first response shows that the client does not just send no more.
      assert.ok(created <= 2 * maxRunning, `${created} projects were created`)
    })

    test('a client that sends no more gets every response', async (t) => {
      const socket = service.open(t, { allowHalfOpen: true })
      socket.end(Array.from({ length: 20 }, () => service.createProject('Half-closed')).join(''))
      const text = Buffer.concat(await socket.toArray()).toString()
      assert.equal(text.split('HTTP/1.1 201').length, 21)
    })

    test('a client that reads late gets every response in order', async (t) => {
      const socket = service.open(t)
      const count = 400
      const paused = await read('workgate_connections_paused_total')
      const ids = Array.from({ length: count }, (_, n) => `late-${n}`)
      socket.pause()
      for (const id of ids) socket.write(service.request('GET /openapi.json', '', `X-Request-Id: ${id}`))
      await until('the connection is paused', async () => (await read('workgate_connections_paused_total')) > paused)
      assert.ok((await read('workgate_http_requests_in_flight')) <= maxRunning)
      const received: string[] = []
      let rest = ''
      socket.setEncoding('latin1').on('data', (some: string) => {
        const lines = (rest + some).split('\r\n')
        rest = lines.pop()!.slice(-100)
        received.push(...lines.filter((line) => /^x-request-id: late-/i.test(line)).map((line) => line.split(': ')[1]!))
      })
      socket.resume()
      await until('all responses have arrived', () => received.length === count)
      assert.deepEqual(received, ids)
    })

    test('a body that follows 7 waiting requests is received', async (t) => {
      const release = await service.lockProjects(t)
      const socket = service.open(t)
      let text = ''
      socket.setEncoding('latin1').on('data', (some: string) => (text += some))
      const name = 'n'.repeat(200)
      const description = 'd'.repeat(10_000)
      const large = service.request(`POST ${api}/projects`, JSON.stringify({ name, description }))
      socket.write(Array.from({ length: 30 }, () => large).join(''))
      await until('requests run', async () => (await read('workgate_http_requests_in_flight')) === maxRunning)
      await release()
      await until('all responses have arrived', () => text.split('HTTP/1.1 201').length === 31)
    })

    // prettier-ignore
    const lastRequests: [claim: string, bytes: () => string, status: string][] = [
      ['a request that closes the connection',  () => service.request('GET /healthz', '', 'Connection: close'), '200'],
      ['a request with Upgrade',                () => service.request('GET /healthz', '', ...upgrade),          '200'],
      ['a request whose body is not needed',    () => service.request('POST /healthz', '', 'Content-Length: 1000000'), '405'],
      ['bytes that are not HTTP',               () => 'hello\r\n\r\n',                                          '400'],
      ['CONNECT',                               () => service.request('CONNECT a:443'),                         '400'],
    ]

    test('clients that read late get every response before a connection is closed, whatever they still send', async (t) => {
      await until('no other connection is open', async () => (await read('workgate_connections')) === 0)
      const accepted = await read('workgate_connections_accepted_total')
      // Less than a megabyte, which the service does not read at once: the rest remains in the buffer of its kernel.
      const rest = request('GET /healthz').repeat(20_000)
      const sockets = lastRequests.map(([, bytes]) => {
        const socket = service.open(t).pause()
        socket.write(service.request('GET /openapi.json').repeat(4) + bytes() + rest)
        return socket
      })
      await until(
        'the service has closed all connections',
        async () =>
          (await read('workgate_connections_accepted_total')) === accepted + sockets.length &&
          (await read('workgate_connections')) === 0,
      )
      for (const [n, [claim, , status]] of lastRequests.entries()) {
        let text = ''
        for await (const some of sockets[n]!.setEncoding('latin1')) text += some
        assert.deepEqual(
          [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code),
          ['200', '200', '200', '200', status],
          claim,
        )
        assert.ok(text.endsWith('}') || text.endsWith('ok'), claim)
      }
    })

    // prettier-ignore
    const upgrades: [claim: string, request: () => string, parts: number, status: string][] = [
      ['GET',                                      () => service.request('GET /healthz', '', ...upgrade), 1,                                           '200'],
      ['POST',                                     () => service.request(`POST ${api}/projects`, JSON.stringify({ name: 'Upgrade' }), ...upgrade), 1,   '201'],
      ['POST whose body arrives in several parts', () => service.request(`POST ${api}/projects`, JSON.stringify({ name: 'U'.repeat(200) }), ...upgrade), 5, '201'],
    ]

    for (const [claim, upgradeRequest, parts, status] of upgrades) {
      test(`${claim} with Upgrade gets its response, the connection is closed, and later requests are not run`, async (t) => {
        const socket = service.open(t).setNoDelay()
        const bytes = service.createProject('First') + upgradeRequest() + service.createProject('Later')
        const before = (await service.sql`select from workgate.projects where name = 'Later'`).length
        const length = Math.ceil(bytes.length / parts)
        for (let at = 0; at < bytes.length; at += length) {
          socket.write(bytes.slice(at, at + length))
          await new Promise((resolve) => setImmediate(resolve))
        }
        const heads = Buffer.concat(await socket.toArray())
          .toString()
          .split(/(?=HTTP\/1\.1 )/)
        assert.deepEqual(
          heads.map((head) => head.slice(9, 12)),
          ['201', status],
        )
        assert.match(heads[1]!, /\r\nconnection: close\r\n/i)
        assert.equal((await service.sql`select from workgate.projects where name = 'Later'`).length, before)
      })
    }
  })
}
