// Without allowLocal, no request reaches an address that is not public, whatever its name resolves to and when.

import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { test } from 'node:test'
import { isPublicAddress, lookupPublic } from '../../src/sources/http/public-address.ts'
import { connectTo, response, startTracker } from './raw-tracker.ts'

// prettier-ignore
const privateAddresses = [
  '0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255', '169.254.169.254',
  '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '239.255.255.255', '240.0.0.1',
  '255.255.255.255',
  '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1',
  '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fdff::1',
  'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'not an address', '',
]
// prettier-ignore
const publicAddresses = [
  '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '172.15.255.255',
  '172.32.0.0', '192.167.255.255', '223.255.255.255', '::ffff:1.1.1.1', '2606:4700::1111', '2001:4860::8888',
  '2a01:4f8::1',
]
for (const address of privateAddresses)
  test(`"${address}" is private`, () => assert.equal(isPublicAddress(address), false))
for (const address of publicAddresses) test(`${address} is public`, () => assert.equal(isPublicAddress(address), true))

/** Resolves any name to the next list of addresses; the last list stays. */
function resolveTo(...lists: string[][]): LookupFunction {
  return (_name, _options, callback) => {
    const list = lists.length > 1 ? lists.shift()! : lists[0]!
    callback(
      null,
      list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

function resolve(lookup: LookupFunction, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((done, reject) =>
    lookupPublic(lookup)('tracker.example', { all }, (error, found) => (error ? reject(error) : done(found))),
  )
}

for (const all of [true, false]) {
  test(`a name that becomes private is refused ${all ? 'with' : 'without'} Happy Eyeballs`, async () => {
    const lookup = resolveTo(['1.1.1.1'], ['127.0.0.1'])
    assert.deepEqual(await resolve(lookup, all), all ? [{ address: '1.1.1.1', family: 4 }] : '1.1.1.1')
    await assert.rejects(resolve(lookup, all), { name: 'TrackerError', message: 'the address is private: 127.0.0.1' })
  })
  test(`of several addresses, only the public ones are used (all: ${all})`, async () => {
    const lookup = resolveTo(['127.0.0.1', '::1', '2606:4700::1111'])
    const found = [{ address: '2606:4700::1111', family: 6 }]
    assert.deepEqual(await resolve(lookup, all), all ? found : '2606:4700::1111')
  })
}

test('a name without addresses is refused', async () => {
  await assert.rejects(resolve(resolveTo([]), true), { message: 'the address is private: none' })
})

test('no connection is made to a private address', async () => {
  const tracker = await startTracker((socket) => socket.write(response(200, {}, '[]')))
  const origin = `http://tracker.example:${tracker.port}`
  const lookup = resolveTo(['127.0.0.1'])
  const http = connectTo({ origin }, { allowLocal: false, lookup })
  for (let time = 0; time < 2; time++)
    await assert.rejects(http.get('/'), { message: 'the address is private: 127.0.0.1', status: 0 })
  assert.equal(tracker.sockets.length, 0)
  // The same name and server with allowLocal: the refusals above are due to the address.
  assert.equal((await connectTo({ origin }, { lookup }).get('/')).status, 200)
})

test('each new connection looks the name up again', async () => {
  const tracker = await startTracker((socket) => socket.end(response(200, { connection: 'close' }, '[]')))
  let lookups = 0
  const toLoopback = resolveTo(['127.0.0.1'])
  const lookup: LookupFunction = (...all) => {
    lookups++
    toLoopback(...all)
  }
  const http = connectTo({ origin: `http://tracker.example:${tracker.port}` }, { lookup })
  await http.get('/')
  await http.get('/')
  assert.deepEqual([lookups, tracker.sockets.length], [2, 2])
})

for (const host of [
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:10.0.0.1]',
  '169.254.169.254',
  '[fe80::1]',
]) {
  test(`the origin http://${host} is refused, also with another scheme`, () => {
    for (const scheme of ['http', 'https'])
      assert.throws(() => connectTo({ origin: `${scheme}://${host}` }, { allowLocal: false }), {
        name: 'TrackerError',
        message: /^the address is private: /,
      })
  })
}

test('localhost is refused', async () => {
  const http = connectTo({ origin: 'http://localhost:1' }, { allowLocal: false })
  await assert.rejects(http.get('/'), { message: /^the address is private: / })
})
