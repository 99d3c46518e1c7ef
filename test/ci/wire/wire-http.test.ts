// HTTP as bytes on a socket, for every way to run Workgate: bodies in every form, pipelining, limits, and malformed
// requests.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { insertData, web } from '../../support/data.ts'
import { api, asService, issueKey, serviceDatabase, startArtifact } from '../../support/workgate.ts'

const database = await serviceDatabase('artifact')
after(() => database.drop())
const service = await startArtifact({ RATE_LIMIT_PER_MINUTE: '0', ...asService(database.url) })
after(() => service.close())
await insertData(database.sql)
const key = await issueKey(database.sql, 'wire')

const open = () => connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`
const last = 'Connection: close'
const chunked = 'Transfer-Encoding: chunked'
const withKey = (line: string, ...headers: string[]) => request(line, `Authorization: Bearer ${key}`, ...headers)
const write = (...headers: string[]) =>
  withKey(`POST ${api}/projects/${web}/tasks`, 'Content-Type: application/json', ...headers)
const body = (title: string, bytes = 0) => JSON.stringify({ title }).padEnd(bytes)
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const a = (count: number) => 'a'.repeat(count)

/** The statuses of all responses until the server closes the connection. */
async function statusesOf(...parts: string[]): Promise<number[]> {
  const socket = open()
  for (const part of parts) {
    socket.write(part, 'latin1')
    // Sends each part in a packet of its own.
    await new Promise((resolve) => setImmediate(resolve))
  }
  let text = ''
  for await (const bytes of socket.setEncoding('latin1')) text += bytes
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}
const countTasks = async (title: string) =>
  (await database.sql`select from workgate.tasks where title = ${title}`).length

// prettier-ignore
const requests: [claim: string, parts: () => string[], statuses: number[]][] = [
  ['several requests at once, in order',  () => [withKey(`GET ${api}/key`) + request('GET /healthz') + withKey(`GET ${api}/x`) + request('PUT /healthz', last)], [200, 200, 404, 405]],
  ['large responses, pipelined',          () => [request('GET /openapi.json').repeat(20) + request('GET /healthz', last)], Array<number>(21).fill(200)],
  ['large responses before the last one', () => [request('GET /openapi.json').repeat(4) + request('GET /healthz', last) + request('GET /healthz').repeat(20_000)], [200, 200, 200, 200, 200]],
  ['a valid request before garbage',      () => [withKey(`GET ${api}/key`) + 'garbage\r\n\r\n'],           [200, 400]],
  ['a request in single bytes',           () => [...request('GET /healthz', last)],                       [200]],
  ['HTTP/1.0',                            () => ['GET /healthz HTTP/1.0\r\n\r\n'],                         [200]],
  ['100 headers',                         () => [request('GET /healthz', last, ...Array.from({ length: 98 }, () => 'a:'))], [200]],
  ['101 headers',                         () => [request('GET /healthz', last, ...Array.from({ length: 99 }, () => 'a:'))], [431]],
  ['1,900 headers',                       () => [request('GET /healthz', last, ...Array.from({ length: 1_900 }, () => 'a:'))], [431]],
  ['an absolute URL',                     () => [request('GET http://a/healthz', last)],                  [200]],
  ['an absolute URL of another scheme',   () => [request('GET ftp://a/healthz')],                         [400]],
  ['chunks of a compressed body',         () => [request('POST /healthz', 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n'], [501]],
  ['16 KiB of headers',                   () => [request('GET /healthz', last, `X-A: ${a(17_000)}`)],      [431]],
  ['a URL of 9 KiB',                      () => [request(`GET /healthz?${a(9_216)}`, last)],               [414]],
  ['garbage',                             () => ['hello\r\n\r\n'],                                         [400]],
  ['bytes of TLS',                        () => ['\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],              [400]],
  ['no Host',                             () => ['GET /healthz HTTP/1.1\r\n\r\n'],                         [400]],
  ['two Hosts',                           () => [request('GET /healthz', 'Host: b')],                      [400]],
  ['a NUL in a header',                   () => [request('GET /healthz', 'X-A: b\0c')],                    [400]],
  ['a length and chunks',                 () => [request('POST /healthz', 'Content-Length: 5', chunked) + '0\r\n\r\n'], [400]],
  ['two lengths',                         () => [request('POST /healthz', 'Content-Length: 1', 'Content-Length: 2')], [400]],
  ['CONNECT',                             () => [request('CONNECT a:443')],                                [400]],
  ['an unknown upgrade',                  () => [request('GET /healthz', 'Connection: upgrade, close', 'Upgrade: tea')], [200]],
]

describe('every request gets a response:', { concurrency: true }, () => {
  for (const [claim, parts, statuses] of requests) {
    test(claim, async () => assert.deepEqual(await statusesOf(...parts()), statuses))
  }
})

// prettier-ignore
const bodies: [title: string, parts: (text: string) => string[], statuses: number[], bytes?: number][] = [
  ['with a length',                      (text) => [write(last, `Content-Length: ${text.length}`), text],                    [201]],
  ['in one-byte chunks',                 (text) => [write(last, chunked), ...[...text].map(chunk), '0\r\n\r\n'],             [201]],
  ['of 256 KiB in chunks',               (text) => [write(last, chunked), ...text.match(/.{1,65536}/g)!.map(chunk), '0\r\n\r\n'], [201], 262_144],
  ['over 256 KiB in chunks',             (text) => [write(last, chunked), ...text.match(/.{1,65536}/g)!.map(chunk), '0\r\n\r\n'], [413], 262_145],
  ['with a length over 256 KiB',         () => [write('Content-Length: 262145', 'Expect: 100-continue')],                    [413]],
  ['with Expect: 100-continue',          (text) => [write(last, 'Expect: 100-continue', `Content-Length: ${text.length}`), text], [100, 201]],
  ['with a malformed chunk',             () => [write(chunked), '2\r\n{"\r\nnonsense\r\n'],                                  [400]],
]

describe('a body', { concurrency: true }, () => {
  for (const [title, parts, statuses, bytes] of bodies) {
    test(`${title} gets ${statuses.join(' and ')}`, async () => {
      assert.deepEqual(await statusesOf(...parts(body(title, bytes))), statuses)
      assert.equal(await countTasks(title), statuses.includes(201) ? 1 : 0)
    })
  }

  test('that ends early writes nothing, and the service continues', async () => {
    const socket = open()
    socket.write(write('Content-Length: 100') + '{"title": "Early"')
    await once(socket, 'connect')
    socket.destroy()
    assert.deepEqual(await statusesOf(withKey(`GET ${api}/key`, last)), [200])
    assert.equal(await countTasks('Early'), 0)
  })
})

test('64 concurrent clients each get their own responses', async () => {
  const replies = await Promise.all(
    Array.from({ length: 64 }, (_, n) => service.send('GET /key', { key, headers: { 'x-request-id': `client-${n}` } })),
  )
  assert.deepEqual(
    replies.map(({ status, headers }) => [status, headers['x-request-id']]),
    replies.map((_, n) => [200, `client-${n}`]),
  )
})
