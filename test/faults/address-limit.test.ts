// The limit of connections from one address. Real sockets, whose addresses the test chooses: all tests run on loopback,
// which the limit does not apply to.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { trackConnections } from '../../src/server/http/connections.ts'
import { listen } from '../support/server.ts'
import { cleanUp, until } from './fixtures/embedded.ts'

const maxPerAddress = 3

async function start(t: TestContext, maxConnections: number) {
  const server = createServer()
  let address = ''
  // Runs before the listener of trackConnections().
  server.on('connection', (socket) => Object.defineProperty(socket, 'remoteAddress', { value: address }))
  const { counts } = trackConnections(server, { maxConnections, maxPerAddress }, false)
  const port = await listen(server)
  cleanUp(t, () => server.close())
  return {
    counts,
    /** Returns the connection, or undefined if it was closed immediately. */
    async open(from: string): Promise<Socket | undefined> {
      address = from
      const before = counts.accepted
      const socket = connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume()
      cleanUp(t, () => socket.destroy())
      const closed = once(socket, 'close')
      await Promise.race([closed, until('it is accepted', () => counts.accepted > before || socket.destroyed)])
      return counts.accepted > before ? socket : undefined
    },
  }
}

// prettier-ignore
const networks: [claim: string, addresses: string[], accepted: number][] = [
  ['one address',                          Array<string>(5).fill('192.0.2.1'),                                                    3],
  ['two addresses',                        ['192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2'],        6],
  ['two spellings of an address',          ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1'],                    3],
  ['addresses of one IPv6 network (/64)',  ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:1::', '2001:db8::3:4'],                   3],
  ['addresses of several IPv6 networks',   ['2001:db8::1', '2001:db8:0:1::1', '2001:db8:0:2::1', '2001:db8:0:3::1'],              4],
  ['this machine',                         ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.1', '127.0.0.1'],        6],
  ['this machine, over IPv6',              ['::1', '::1', '::1', '::1', '::ffff:127.0.0.1'],                                      5],
]

for (const [claim, addresses, accepted] of networks) {
  test(`${accepted} of ${addresses.length} connections from ${claim} are accepted`, async (t) => {
    const { open, counts } = await start(t, 100)
    const opened: (Socket | undefined)[] = []
    for (const address of addresses) opened.push(await open(address))
    assert.equal(opened.filter(Boolean).length, accepted)
    assert.deepEqual(counts.refused, { total: 0, address: addresses.length - accepted })
  })
}

test('after a connection ends, another one from its address is accepted', async (t) => {
  const { open, counts } = await start(t, 100)
  const [first] = [await open('192.0.2.1'), await open('192.0.2.1'), await open('192.0.2.1')]
  assert.equal(await open('192.0.2.1'), undefined)
  first!.destroy()
  await until('the end is noticed', () => counts.open === 2)
  assert.ok(await open('192.0.2.1'))
  assert.equal(await open('192.0.2.1'), undefined)
})

test('one address cannot use up MAX_CONNECTIONS', async (t) => {
  const { open, counts } = await start(t, 4)
  for (let n = 0; n < 10; n++) await open('192.0.2.1')
  assert.ok(await open('192.0.2.2'))
  assert.ok(await open('192.0.2.3'))
  assert.deepEqual([counts.open, counts.displaced], [4, 1])
})
