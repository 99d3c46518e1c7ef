// Every size limit of a request, at the limit and one over it. Against the artifact.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { api, issueKey, startArtifact } from '../support/workgate.ts'
import { insertData, web } from '../support/data.ts'
import { printFigures } from '../support/figures.ts'

const { sql, url } = await suiteDatabase(insertData)
const key = await issueKey(sql, 'limits')
const service = await startArtifact({ DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '0' })
atEnd(service.close)

/** Reads the response until the connection is closed. Returns its status, and the code of a problem. */
async function send(bytes: string): Promise<[status: number, code: string | undefined]> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => {}).write(bytes, 'latin1')
  let text = ''
  for await (const part of socket) text += part
  const [head, body] = text.split('\r\n\r\n', 2) as [string, string]
  assert.equal(text.match(/HTTP\/1\.1 /g)?.length, 1, text)
  return [Number(head.split(' ')[1]), body.startsWith('{') ? JSON.parse(body).code : undefined]
}

const statusCounts: Record<string, number> = {}

async function sendCounted(bytes: string) {
  const [status, code] = await send(bytes)
  const label = ['status', status, code].filter(Boolean).join(' ')
  statusCounts[label] = (statusCounts[label] ?? 0) + 1
  return [status, code]
}

const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`
const a = (count: number) => 'a'.repeat(count)

const write = (...headers: string[]) =>
  request(
    `POST ${api}/projects/${web}/tasks`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...headers,
  )
const body = (bytes: number) => '{"title": "Large"}'.padEnd(bytes)
const whole = (text: string) => write(`Content-Length: ${text.length}`) + text
const chunk = (text: string, extension = '') => `${text.length.toString(16)}${extension}\r\n${text}\r\n`
const chunked = 'Transfer-Encoding: chunked'
const inChunks = (text: string, size: number) =>
  write(chunked) + (text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).map((part) => chunk(part)).join('') + '0\r\n\r\n'

const sizeOfHeaders = '/healthz'.length + 'Hosta'.length + 'Connectionclose'.length

type Bytes = (count: number) => string

// prettier-ignore
const limits: [what: string, max: number, bytes: Bytes, accepted: number, status: number, code: string][] = [
  ['characters of the URL',                 8_192,   (n) => request(`GET /healthz?${a(n - 9)}`),                  200, 414, 'URI_TOO_LONG'],
  ['bytes of URL, names and values',        16_383,  (n) => request('GET /healthz', `X-A: ${a(n - sizeOfHeaders - 3)}`), 200, 431, 'HEADERS_TOO_LARGE'],
  ['headers',                               100,     (n) => request('GET /healthz', ...Array.from({ length: n - 2 }, () => 'a:')), 200, 431, 'HEADERS_TOO_LARGE'],
  ['bytes of a body',                       262_144, (n) => whole(body(n)),                                      201, 413, 'BODY_TOO_LARGE'],
  ['bytes of a body in large chunks',       262_144, (n) => inChunks(body(n), 65_536),                           201, 413, 'BODY_TOO_LARGE'],
  ['bytes of a body in small chunks',       262_144, (n) => inChunks(body(n), 100),                              201, 413, 'BODY_TOO_LARGE'],
  ['bytes of a chunk extension',            16_384,  (n) => write(chunked) + chunk(body(20), `;${a(n)}`) + '0\r\n\r\n', 201, 400, 'MALFORMED_REQUEST'],
  ['bytes of trailers',                     16_383,  (n) => write(chunked) + chunk(body(20)) + `0\r\nX-A: ${a(n - 3)}\r\n\r\n`, 201, 400, 'MALFORMED_REQUEST'],
  ['characters of an Idempotency-Key',      255,     (n) => write(`Idempotency-Key: ${a(n)}`, 'Content-Length: 20') + body(20), 201, 400, 'VALIDATION_FAILED'],
  ['items of a page',                       200,     (n) => request(`GET ${api}/projects?limit=${n}`, `X-API-Key: ${key}`), 200, 400, 'VALIDATION_FAILED'],
  ['characters of q',                       200,     (n) => request(`GET ${api}/projects?q=${a(n)}`, `X-API-Key: ${key}`), 200, 400, 'VALIDATION_FAILED'],
]

describe('the maximum is accepted, and one more is refused:', { concurrency: true }, () => {
  for (const [what, max, bytes, accepted, status, code] of limits) {
    test(`${max} ${what}`, async () => {
      assert.deepEqual(await sendCounted(bytes(max)), [accepted, undefined])
      assert.deepEqual(await sendCounted(bytes(max + 1)), [status, code])
    })
  }
})

test('refused requests wrote nothing, and every accepted one was written', async () => {
  const taken = statusCounts['status 201']!
  assert.equal(taken, limits.filter(([, , , accepted]) => accepted === 201).length)
  const written = await sql`select from workgate.tasks where title = 'Large'`
  printFigures('bodies and headers at and over each limit', {
    'requests made': Object.values(statusCounts).reduce((sum, count) => sum + count, 0),
    ...statusCounts,
    lost: taken - written.length,
  })
  assert.equal(written.length, taken)
})

test('an X-Request-Id of 64 characters is returned, one of 65 is not', async () => {
  for (const length of [64, 65]) {
    const { headers } = await fetch(`${service.url}/healthz`, { headers: { 'x-request-id': a(length) } })
    assert.equal(headers.get('x-request-id') === a(length), length === 64)
  }
})

test('a header after many others is not ignored', async () => {
  const many = Array.from({ length: 90 }, () => 'a:')
  assert.equal((await send(request(`GET ${api}/key`, ...many, 'X-API-Key: nobody')))[0], 401)
  assert.equal((await send(request(`GET ${api}/key`, ...many, `X-API-Key: ${key}`)))[0], 200)
  const far = Array.from({ length: 100 }, () => 'a:')
  assert.equal((await send(request(`GET ${api}/key`, `X-API-Key: ${key}`, ...far, 'If-None-Match: *')))[0], 431)
})
