// Requests to a tracker: answers, redirects, ETags, and how they end.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { TrackerError } from '../../src/sources/http/tracker-error.ts'
import { pairs } from '../support/certificates.ts'
import { connectTo, response, startTracker, token, type Answer } from './raw-tracker.ts'

const send =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text)

const isNotModified = (head: string, etag: string) => head.includes(`if-none-match: ${etag}\r\n`)

test('an answer has the status, the data, the headers and the clock of the tracker', async () => {
  const headers = { date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'X-Total-Count': '7' }
  const tracker = await startTracker(send(response(200, headers, '{"id":1}')))
  const http = connectTo(tracker)
  const answer = await http.get('/api/v1/issues?q=a%2Fb')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.data, { id: 1 })
  assert.equal(answer.headers.get('x-total-count'), '7')
  assert.equal(answer.date?.toISOString(), '1994-11-06T08:49:37.000Z')
  assert.equal(answer.notModified, false)
  assert.match(tracker.heads[0]!, /^GET \/api\/v1\/issues\?q=a%2Fb HTTP\/1\.1\r\n/)
  assert.ok(tracker.heads[0]!.includes(`authorization: token ${token}`))
  assert.deepEqual(http.counts, { requests: 1, notModified: 0, bytes: 8 })
})

test('gzip is decompressed', async () => {
  const body = gzipSync('["é"]')
  const head = `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`
  const tracker = await startTracker((socket) => void socket.write(Buffer.concat([Buffer.from(head), body])))
  const answer = await connectTo(tracker).get('/')
  assert.deepEqual(answer.data, ['é'])
  assert.equal(answer.date, undefined)
  assert.match(tracker.heads[0]!, /^accept-encoding: gzip$/im)
})

test('the headers are read for each request, on one connection', async () => {
  const tracker = await startTracker(send(response(200, {}, '[]')))
  let number = 0
  const http = connectTo(tracker, { headers: async () => ({ authorization: `token ${++number}`, Accept: 'text/x' }) })
  await http.get('/')
  await http.get('/')
  assert.match(tracker.heads[0]!, /^authorization: token 1$/m)
  assert.match(tracker.heads[1]!, /^authorization: token 2$/m)
  assert.match(tracker.heads[1]!, /^accept: text\/x$/im)
  assert.equal(tracker.sockets.length, 1)
})

test('refusals are returned without their body', async () => {
  for (const status of [401, 403, 404, 410, 422]) {
    const tracker = await startTracker(
      send(response(status, status === 404 ? { 'content-encoding': 'gzip' } : {}, status === 404 ? '' : '<html>')),
    )
    const answer = await connectTo(tracker).get('/')
    assert.deepEqual([answer.status, answer.data], [status, undefined])
  }
})

test('a redirect is returned, and not followed', async () => {
  const other = await startTracker(send(response(200, {}, '[]')))
  const tracker = await startTracker(send(response(301, { location: `${other.origin}/a` })))
  const http = connectTo(tracker)
  const answer = await http.get('/')
  assert.equal(answer.status, 301)
  const location = answer.headers.get('location')!
  assert.equal(location, `${other.origin}/a`)
  assert.throws(() => http.pathOf(location), otherOrigin)
  assert.deepEqual([other.sockets.length, tracker.heads.length], [0, 1])
})

const otherOrigin = { name: 'TrackerError', message: /another scheme, host or port/ }
const addresses = connectTo({ origin: 'https://tracker.example:8443' })

// prettier-ignore
const paths: [address: string, from: string, path: string | undefined][] = [
  ['https://tracker.example:8443/a?b=c#d',  '/',      '/a?b=c'],
  ['https://TRACKER.example:8443/a',        '/',      '/a'],
  ['/a?b',                                  '/x/y',   '/a?b'],
  ['?page=2',                               '/x?y',   '/x?page=2'],
  ['https://u:p@tracker.example:8443/a',    '/',      '/a'],
  ['http://tracker.example:8443/a',         '/',      undefined],
  ['https://tracker.example/a',             '/',      undefined],
  ['https://other.example:8443/a',          '/',      undefined],
  ['https://tracker.example:8443@other/a',  '/',      undefined],
  ['//other.example/a',                     '/',      undefined],
  ['/\\other.example/a',                    '/',      undefined],
  ['file:///etc/passwd',                    '/',      undefined],
  ['https://[',                             '/',      undefined],
]
for (const [address, from, path] of paths) {
  test(`${address} from ${from} ${path ? `is ${path}` : 'is refused'}`, () => {
    if (path === undefined) assert.throws(() => addresses.pathOf(address, from), otherOrigin)
    else assert.equal(addresses.pathOf(address, from), path)
  })
}

// prettier-ignore
const links: [link: string | undefined, path: string | undefined | RegExp][] = [
  [undefined,                                                        undefined],
  ['</a?page=2>; rel="next", </a?page=9>; rel="last"',               '/a?page=2'],
  ['</a?page=9>; rel="last", </a?page=2>; title="x"; REL=next',      '/a?page=2'],
  ['</a?page=9>; rel="last next"',                                   '/a?page=9'],
  ['</a?page=1>; rel="prev"',                                        undefined],
  ['</a>; rel="nextish"',                                            undefined],
  ['<https://other.example/a>; rel="next"',                          /another scheme, host or port/],
]
for (const [link, path] of links) {
  test(`the next page of ${link}`, async () => {
    const tracker = await startTracker(send(response(200, link === undefined ? {} : { link }, '[]')))
    const http = connectTo(tracker)
    const answer = await http.get('/a')
    if (path instanceof RegExp) assert.throws(() => http.nextPath(answer, '/a'), path)
    else assert.equal(http.nextPath(answer, '/a'), path)
  })
}

test('a path that leaves the origin is refused without a request', async () => {
  const tracker = await startTracker(send(response(200, {}, '[]')))
  const http = connectTo(tracker)
  for (const path of ['//other.example/a', 'http://other.example/', 'a', '@other.example/', ''])
    await assert.rejects(http.get(path), TrackerError)
  assert.equal(http.counts.requests, 0)
  await http.get('/a b\r\nx: y')
  assert.match(tracker.heads[0]!, /^GET \/a%20bx:%20y HTTP/)
})

test('only an origin is accepted', () => {
  for (const origin of ['ftp://a', 'https://a/b', 'https://u:p@a', 'https://a?b', 'a', ''])
    assert.throws(() => connectTo({ origin }), { message: /^the address of a tracker consists of/ }, origin)
})

test('an unchanged answer is remembered, with fresh data for each caller', async () => {
  const tracker = await startTracker((socket, head) =>
    socket.write(
      isNotModified(head, 'W/"1"')
        ? response(304, { etag: 'W/"1"', 'x-fresh': 'yes', 'content-encoding': 'gzip' })
        : response(200, { etag: 'W/"1"', link: 'x' }, '{"a":[1]}'),
    ),
  )
  const http = connectTo(tracker)
  const first = await http.get('/a')
  ;(first.data as { a: number[] }).a.push(2)
  for (let round = 0; round < 2; round++) {
    const second = await http.get('/a')
    assert.deepEqual([second.status, second.data, second.notModified], [200, { a: [1] }, true])
    assert.deepEqual([second.headers.get('link'), second.headers.get('x-fresh')], ['x', 'yes'])
  }
  assert.equal((await http.get('/b')).notModified, false)
  assert.deepEqual(http.counts, { requests: 4, notModified: 2, bytes: 18 })
})

test('a changed answer replaces the remembered one', async () => {
  const etags = ['"1"', '"2"', '', '']
  const tracker = await startTracker((socket) => {
    const etag = etags.shift()
    socket.write(response(200, etag ? { etag, 'last-modified': 'Sun, 06 Nov 1994 08:49:37 GMT' } : {}, '[]'))
  })
  const http = connectTo(tracker)
  for (let round = 0; round < 4; round++) await http.get('/a')
  const conditions = tracker.heads.map((head) => /^if-(?:none-match|modified-since): (.*)$/im.exec(head)?.[1]?.trim())
  assert.deepEqual(conditions, [undefined, '"1"', '"2"', undefined])
})

test('the answer that was not used for the longest time is forgotten first', async () => {
  const tracker = await startTracker((socket, head) =>
    socket.write(
      isNotModified(head, '"1"') ? response(304) : response(200, { etag: '"1"' }, JSON.stringify('x'.repeat(400))),
    ),
  )
  const http = connectTo(tracker, { maxRememberedBytes: 1_000 })
  const isRemembered = []
  for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) isRemembered.push((await http.get(path)).notModified)
  assert.deepEqual(isRemembered, [false, false, true, false, true, false])
})

test('no error contains the token', async () => {
  const line = connectTo({ origin: 'http://127.0.0.1:9' }, { headers: () => ({ authorization: `${token}\n` }) })
  const error = await line.get('/').catch((thrown: unknown) => thrown)
  assert.match(String(error), /the token contains a character/)
  assert.ok(!inspect(error, { showHidden: true, depth: Infinity }).includes(token))
})

for (const [when, text] of [
  ['before the answer', ''],
  ['in the body', 'HTTP/1.1 200 OK\r\n\r\n['],
] as const) {
  test(`a signal ${when} ends the request with its reason, and refuses later ones`, async () => {
    const stop = new AbortController()
    const reason = new Error('the service stops')
    const tracker = await startTracker((socket) => socket.write(text, () => stop.abort(reason)))
    const http = connectTo(tracker, { signal: stop.signal })
    const isReason = (error: unknown) => error === reason
    await assert.rejects(http.get('/'), isReason)
    await assert.rejects(http.get('/'), isReason)
    const [socket] = tracker.sockets
    await new Promise((resolve) => (socket!.closed ? resolve(0) : socket!.once('close', resolve)))
    assert.equal(tracker.heads.length, 1)
  })
}

test('close() ends connections', async () => {
  const tracker = await startTracker(() => http.close())
  const http = connectTo(tracker)
  await assert.rejects(http.get('/'), { message: 'the connection to the tracker failed: ECONNRESET' })
})

test('a certificate that is not trusted is refused before the token is sent', async () => {
  let requests = 0
  const server = createServer(pairs.first, () => requests++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  await assert.rejects(connectTo({ origin: `https://localhost:${port}` }).get('/'), {
    name: 'TrackerError',
    message: /^the connection to the tracker failed: (SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/,
    status: 0,
  })
  assert.equal(requests, 0)
})
