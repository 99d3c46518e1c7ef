// Clients that are slow, huge, broken or gone, each with its own bytes on its own socket, against the artifact.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { api, openWorkgate, startArtifact, type Workgate } from '../support/workgate.ts'

let workgate: Workgate
let service: Awaited<ReturnType<typeof startArtifact>>
let key: string
const lines: string[] = []

before(async () => {
  workgate = await openWorkgate()
  key = await workgate.issueKey('clients')
  service = await startArtifact({ DATABASE_URL: workgate.url, RATE_LIMIT_PER_MINUTE: '0' }, lines)
})
after(async () => {
  await service.close()
  await workgate.close()
})

const open = (url = service.url) => connect(Number(new URL(url).port), '127.0.0.1')
const request = (line: string, ...headers: string[]) => `${[`${line} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`
const withKey = (line: string, ...headers: string[]) => request(line, `Authorization: Bearer ${key}`, ...headers)

/** Everything that comes until the server closes the connection. */
function untilClosed(socket: Socket, patienceMs = 60_000): Promise<Answer[]> {
  let text = ''
  socket.setEncoding('latin1').on('data', (some: string) => (text += some))
  // To write to a server that has closed is an error, and no fault of the server.
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => {
      reject(new Error(`the connection stays open after: ${text}`))
      socket.destroy()
    }, patienceMs)
    socket.once('close', () => {
      clearTimeout(patience)
      resolve(readAnswers(text))
    })
  })
}

interface Answer {
  status: number
  headers: Record<string, string>
  body: any
}

function readAnswers(text: string): Answer[] {
  if (text === '') return []
  const end = text.indexOf('\r\n\r\n')
  const [first, ...fields] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(fields.map((field) => field.toLowerCase().split(': ', 2) as [string, string]))
  const next = end + 4 + Number(headers['content-length'])
  const body: unknown = JSON.parse(text.slice(end + 4, next))
  return [{ status: Number(first!.split(' ')[1]), headers, body }, ...readAnswers(text.slice(next))]
}

async function send(bytes: string): Promise<Answer[]> {
  const socket = open()
  socket.write(bytes, 'latin1')
  return untilClosed(socket)
}

function assertProblem(answer: Answer | undefined, status: number, code: string) {
  assert.deepEqual([answer?.status, answer?.body.status, answer?.body.code], [status, status, code])
  assert.equal(answer!.headers['content-type'], 'application/problem+json')
  assert.equal(answer!.headers['x-request-id'], answer!.body.requestId)
  assert.equal(answer!.headers['connection'], 'close')
  assert.ok(answer!.headers['date'])
}

const chunked = 'Transfer-Encoding: chunked'
// prettier-ignore
const broken: [claim: string, bytes: () => string, status: number, code: string][] = [
  ['garbage',                          () => 'hello\r\n\r\n',                                       400, 'MALFORMED_REQUEST'],
  ['bytes of TLS',                     () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',            400, 'MALFORMED_REQUEST'],
  ['HTTP/2',                           () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',                    400, 'MALFORMED_REQUEST'],
  ['CONNECT',                          () => request('CONNECT a:443'),                              400, 'MALFORMED_REQUEST'],
  ['no Host',                          () => 'GET /healthz HTTP/1.1\r\n\r\n',                       400, 'MALFORMED_REQUEST'],
  ['two Hosts',                        () => request('GET /healthz', 'Host: b'),                    400, 'MALFORMED_REQUEST'],
  ['bare line feeds',                  () => 'GET /healthz HTTP/1.1\nHost: a\n\n',                  400, 'MALFORMED_REQUEST'],
  ['a folded header',                  () => request('GET /healthz', 'X-A: b', ' c'),               400, 'MALFORMED_REQUEST'],
  ['a NUL in a header',                () => request('GET /healthz', 'X-A: b\0c'),                  400, 'MALFORMED_REQUEST'],
  ['a length and chunks',              () => request('POST /healthz', 'Content-Length: 5', chunked) + '0\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['chunks and a length',              () => request('POST /healthz', chunked, 'Content-Length: 5') + '0\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['two lengths',                      () => request('POST /healthz', 'Content-Length: 1', 'Content-Length: 2'), 400, 'MALFORMED_REQUEST'],
  ['two lengths in one',               () => request('POST /healthz', 'Content-Length: 1, 1'),      400, 'MALFORMED_REQUEST'],
  ['a length with a sign',             () => request('POST /healthz', 'Content-Length: +1'),        400, 'MALFORMED_REQUEST'],
  ['chunks by a hidden name',          () => request('POST /healthz', 'Transfer-Encoding : chunked'), 400, 'MALFORMED_REQUEST'],
  ['chunks that are not the last',     () => request('POST /healthz', 'Transfer-Encoding: chunked, identity'), 400, 'MALFORMED_REQUEST'],
  ['20 KiB of headers',                () => request('GET /healthz', `X-A: ${'a'.repeat(20_480)}`), 431, 'HEADERS_TOO_LARGE'],
  ['a URL of 9 KiB',                   () => withKey(`GET ${api}/key?q=${'a'.repeat(9_216)}`, 'Connection: close'), 414, 'URI_TOO_LONG'],
  ['a body where none is taken',       () => withKey(`GET ${api}/key`, 'Content-Length: 2') + '{}', 400, 'VALIDATION_FAILED'],
  ['an invitation asked for',          () => withKey(`POST ${api}/key`, 'Expect: 100-continue', 'Content-Length: 9'), 405, 'METHOD_NOT_ALLOWED'],
]

describe('broken requests get their answer and the connection is closed:', { concurrency: true }, () => {
  for (const [claim, bytes, status, code] of broken) {
    test(claim, async () => {
      const answers = await send(bytes())
      assert.equal(answers.length, 1)
      assertProblem(answers[0], status, code)
    })
  }
})

describe('unusual requests are answered:', { concurrency: true }, () => {
  const last = 'Connection: close'
  // prettier-ignore
  const unusual: [claim: string, bytes: () => string, statuses: number[]][] = [
    ['several at once, in order',         () => withKey(`GET ${api}/key`) + request('GET /readyz') + withKey(`GET ${api}/x`) + request('PUT /healthz', last), [200, 200, 404, 405]],
    ['a good one in front of garbage',    () => withKey(`GET ${api}/key`) + 'garbage\r\n\r\n', [200, 400]],
    ['a whole URL',                       () => withKey(`GET http://elsewhere.example${api}/key`, last), [200]],
    ['HTTP/1.0',                          () => 'GET /healthz HTTP/1.0\r\n\r\n', [200]],
    ['an expectation nobody knows',       () => request('GET /healthz', 'Expect: tea', last), [200]],
    ['an upgrade nobody knows',           () => request('GET /healthz', 'Connection: upgrade, close', 'Upgrade: tea'), [200]],
    ['no path',                           () => request('OPTIONS *', last), [404]],
    ['a thousand headers without values', () => request('GET /healthz', ...Array.from({ length: 1_000 }, (_, n) => `a${n}:`), last), [200]],
  ]
  for (const [claim, bytes, statuses] of unusual) {
    test(claim, async () => {
      const answers = await send(bytes())
      assert.deepEqual(answers.map(({ status }) => status), statuses)
    })
  }
})
