// Slow, huge, malformed and abandoned requests, as bytes on a socket each, against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { problemExamples } from '../../../src/docs/problems.ts'
import { request } from '../../faults/fixtures/wire.ts'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { valuesOf } from '../../support/values.ts'
import { api, startArtifact } from '../../support/workgate.ts'
import { memoryOf } from '../faults/memory.ts'

const { url: DATABASE_URL, key, lock } = await databaseSuite()
const service = await startArtifact({ DATABASE_URL, RATE_LIMIT_PER_MINUTE: '0' })
after(() => service.close())

const open = () => connect(Number(new URL(service.url).port), '127.0.0.1')
const withKey = (line: string, ...headers: string[]) => request(line, `Authorization: Bearer ${key}`, ...headers)

/** All responses until the server closes the connection. */
function untilClosed(socket: Socket, timeoutMs = 60_000): Promise<ApiResponse[]> {
  let text = ''
  socket.setEncoding('latin1').on('data', (some: string) => (text += some))
  // Writing after the server has closed the connection is an error, but not the server's fault.
  socket.on('error', () => {})
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`the connection stays open after: ${text}`))
      socket.destroy()
    }, timeoutMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(parseResponses(text))
    })
  })
}

interface ApiResponse {
  status: number
  headers: Record<string, string>
  body: any
}

function parseResponses(text: string): ApiResponse[] {
  const responses: ApiResponse[] = []
  for (let at = 0; at < text.length;) {
    const body = text.indexOf('\r\n\r\n', at) + 4
    const [first, ...fields] = text.slice(at, body - 4).split('\r\n')
    const headers = Object.fromEntries(fields.map((field) => field.toLowerCase().split(': ', 2) as [string, string]))
    at = body + Number(headers['content-length'] ?? 0)
    const content = text.slice(body, at)
    responses.push({ status: Number(first!.split(' ')[1]), headers, body: content && JSON.parse(content) })
  }
  return responses
}

async function send(bytes: string): Promise<ApiResponse[]> {
  const socket = open()
  socket.write(bytes, 'latin1')
  return untilClosed(socket)
}

function assertProblem(response: ApiResponse | undefined, status: number, code: string) {
  assert.deepEqual([response?.status, response?.body.status, response?.body.code], [status, status, code])
  assert.equal(response!.headers['content-type'], 'application/problem+json')
  assert.equal(response!.headers['x-request-id'], response!.body.requestId)
  assert.equal(response!.headers['connection'], 'close')
  assert.ok(response!.headers['date'])
}

const chunked = 'Transfer-Encoding: chunked'
// wire-http.test.ts tests the status of more of them.
// prettier-ignore
const broken: [claim: string, bytes: () => string, status: number, code: string][] = [
  ['garbage',                              () => 'hello\r\n\r\n',                                       400, 'MALFORMED_REQUEST'],
  ['HTTP/2',                               () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',                    400, 'MALFORMED_REQUEST'],
  ['CONNECT',                              () => request('CONNECT a:443'),                              400, 'MALFORMED_REQUEST'],
  ['bare line feeds',                      () => 'GET /healthz HTTP/1.1\nHost: a\n\n',                  400, 'MALFORMED_REQUEST'],
  ['a folded header',                      () => request('GET /healthz', 'X-A: b', ' c'),               400, 'MALFORMED_REQUEST'],
  ['chunks and a length',                  () => request('POST /healthz', chunked, 'Content-Length: 5') + '0\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['two lengths in one',                   () => request('POST /healthz', 'Content-Length: 1, 1'),      400, 'MALFORMED_REQUEST'],
  ['a length with a sign',                 () => request('POST /healthz', 'Content-Length: +1'),        400, 'MALFORMED_REQUEST'],
  ['chunks with a space before the colon', () => request('POST /healthz', 'Transfer-Encoding : chunked'), 400, 'MALFORMED_REQUEST'],
  ['chunked before identity',              () => request('POST /healthz', 'Transfer-Encoding: chunked, identity'), 400, 'MALFORMED_REQUEST'],
  ['20 KiB of headers',                    () => request('GET /healthz', `X-A: ${'a'.repeat(20_480)}`), 431, 'HEADERS_TOO_LARGE'],
  ['a URL of 9 KiB',                       () => withKey(`GET ${api}/key?q=${'a'.repeat(9_216)}`, 'Connection: close'), 414, 'URI_TOO_LONG'],
  ['Expect: 100-continue',                 () => withKey(`POST ${api}/key`, 'Expect: 100-continue', 'Content-Length: 9'), 405, 'METHOD_NOT_ALLOWED'],
]

describe('malformed requests get a problem and the connection is closed:', { concurrency: true }, () => {
  for (const [claim, bytes, status, code] of broken) {
    test(claim, async () => {
      const responses = await send(bytes())
      assert.equal(responses.length, 1)
      assertProblem(responses[0], status, code)
      if (code !== 'METHOD_NOT_ALLOWED') assert.equal(responses[0]!.body.detail, problemExamples[code]!.value.detail)
    })
  }
})

test('a connection that is reset after CONNECT does not end the process', async () => {
  for (let n = 0; n < 50; n++) {
    const socket = open().on('error', () => {})
    socket.write(request('CONNECT a:443'))
    await once(socket, 'data')
    socket.resetAndDestroy()
  }
  assert.equal((await send(request('GET /healthz', 'Connection: close')))[0]?.status, 200)
  assert.equal(service.child.exitCode, null)
})

test('the body of a request that waits is not received', async (t) => {
  const release = await lock(t, 'freshness_versions')
  const socket = open()
  let response = ''
  socket.on('error', () => {}).on('data', (bytes: Buffer) => (response += bytes))
  socket.write(withKey(`POST ${api}/projects`, 'Content-Type: application/json', chunked))
  const chunk = Buffer.from(`10000\r\n${`${'a'.repeat(1_020)}\r\n\r\n`.repeat(64)}\r\n`)
  let sent = 0
  while (response === '' && sent < 2e8) {
    if (socket.write(chunk)) await nextTurn()
    else await Promise.race([once(socket, 'drain'), once(socket, 'data')])
    sent += chunk.length
  }
  socket.destroy()
  await release()
  assert.ok(sent < 5e7, `${sent} bytes were accepted`)
})

// wire-http.test.ts tests more of them.
describe('unusual requests get a response:', { concurrency: true }, () => {
  const last = 'Connection: close'
  // prettier-ignore
  const unusual: [claim: string, bytes: () => string, statuses: number[]][] = [
    ['a complete body with a GET',        () => withKey(`GET ${api}/key`, 'Content-Length: 2') + '{}' + request('GET /readyz', last), [400, 200]],
    ['complete bodies with many GETs',    () => (withKey(`GET ${api}/key`, 'Content-Length: 2') + '{}').repeat(50) + request('GET /readyz', last), [...Array<number>(50).fill(400), 200]],
    ['an unknown expectation',            () => request('GET /healthz', 'Expect: tea', last), [200]],
    ['no path',                           () => request('OPTIONS *', last), [204]],
  ]
  for (const [claim, bytes, statuses] of unusual) {
    test(claim, async () => {
      const responses = await send(bytes())
      assert.deepEqual(valuesOf(responses, 'status'), statuses)
    })
  }
})

describe('connections of slow clients are closed with 408, without delaying others:', { concurrency: true }, () => {
  // prettier-ignore
  const slow: [claim: string, begin: string, statuses: number[]][] = [
    ['nothing at all',           '',                                         [408]],
    ['half a request line',      'GET /hea',                                 [408]],
    ['headers without an end',   'GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ', [408]],
    ['half of a second request', request('GET /healthz') + 'GET /hea',       [200, 408]],
  ]
  for (const [claim, begin, statuses] of slow) {
    test(claim, async () => {
      const socket = open()
      socket.write(begin)
      // Single bytes do not extend the deadline.
      const drip = setInterval(() => begin !== '' && socket.write('x'), 500)
      const responses = await untilClosed(socket)
      clearInterval(drip)
      assert.deepEqual(valuesOf(responses, 'status'), statuses)
      assertProblem(responses.at(-1), 408, 'REQUEST_TIMEOUT')
    })
  }
})

describe('huge requests get a response without being read:', { concurrency: true }, () => {
  const block = Buffer.alloc(65_536, 'a')
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), block, Buffer.from('\r\n')])
  // The service looks for empty lines to find the end of a request's head.
  const emptyLines = Buffer.from(`${'a'.repeat(996)}\r\n\r\n`.repeat(65))
  const gigabyte = 'Content-Length: 1000000000'
  const json = 'Content-Type: application/json'
  // prettier-ignore
  const huge: [claim: string, head: () => string, part: Buffer, status: number, code: string][] = [
    ['a gigabyte posted',             () => withKey(`POST ${api}/projects`, gigabyte, json), block, 413, 'BODY_TOO_LARGE'],
    ['a gigabyte of another type',    () => withKey(`POST ${api}/projects`, gigabyte), block, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a gigabyte for another method', () => withKey(`POST ${api}/key`, gigabyte),  block, 405, 'METHOD_NOT_ALLOWED'],
    ['a gigabyte with a GET',         () => withKey(`GET ${api}/projects`, gigabyte),  block, 400, 'VALIDATION_FAILED'],
    ['a gigabyte with empty lines',   () => request(`POST ${api}/projects`, gigabyte), emptyLines, 401, 'UNAUTHENTICATED'],
    ['endless chunks',                () => withKey(`POST ${api}/projects`, chunked, json), chunk, 413, 'BODY_TOO_LARGE'],
    ['chunks without a key',          () => request(`POST ${api}/projects`, chunked),  chunk, 401, 'UNAUTHENTICATED'],
    ['chunks to a public path',       () => request('POST /healthz', chunked),         chunk, 405, 'METHOD_NOT_ALLOWED'],
    ['an endless header',             () => 'GET /healthz HTTP/1.1\r\nX-A: ',          block, 431, 'HEADERS_TOO_LARGE'],
    ['endless garbage',               () => 'hello',                                   block, 400, 'MALFORMED_REQUEST'],
  ]
  for (const [claim, head, part, status, code] of huge) {
    test(claim, async () => {
      const memory = memoryOf(service.child.pid!)
      const socket = open()
      const closed = untilClosed(socket)
      socket.write(head())
      let sent = 0
      while (!socket.destroyed && sent < 1e9) {
        sent += part.length
        if (!socket.write(part)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
        else await nextTurn()
      }
      assertProblem((await closed)[0], status, code)
      assert.ok(sent < 5e7, `${sent} bytes were accepted`)
      assert.ok(memoryOf(service.child.pid!) - memory < 1e8)
    })
  }
})

test('clients that disconnect at any moment do not affect others', async () => {
  const { pid } = service.child
  const whole = withKey(`GET ${api}/projects`) + withKey(`POST ${api}/key`, 'Content-Length: 100') + 'half of a body'
  for (let n = 0; n < 300; n++) {
    const socket = open()
    socket.on('error', () => {})
    socket.write(whole.slice(0, 1 + ((n * 7) % whole.length)))
    if (n % 3 === 0) socket.write(whole.repeat(5))
    socket.once('connect', () => setTimeout(() => (n % 2 ? socket.destroy() : socket.resetAndDestroy()), n % 5))
    if (n % 50 === 0) await sleep(5)
  }
  assert.equal((await send(withKey(`GET ${api}/key`, 'Connection: close')))[0]!.status, 200)
  assert.equal(service.child.pid, pid)
  assert.equal(service.child.exitCode, null)
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
