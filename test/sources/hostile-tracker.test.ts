// Every answer that a hostile or broken tracker can give ends with a short error, in bounded time and memory.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { maxBodyBytes } from '../../src/sources/http/read-body.ts'
import { TrackerError } from '../../src/sources/http/tracker-error.ts'
import { connectTo, response, startTracker, token, type Answer } from './raw-tracker.ts'

const gzipped = { 'content-encoding': 'gzip' }
const chunkedHead = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n'
const tooLarge = `the answer is larger than ${maxBodyBytes} bytes`
// Both are read only by code that has no limit of its own for sizes.
const megabyte = Buffer.alloc(1_048_576, ' ')
const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))

/** Writes as fast as the client reads, until it disconnects. */
function writeEndlessly(socket: Socket, head: string, chunk: Buffer): void {
  socket.write(head)
  const fill = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', fill)
  fill()
}

function drip(socket: Socket, text: string, repeated: string): void {
  socket.write(text)
  const timer = setInterval(() => socket.write(repeated), 10)
  socket.once('close', () => clearInterval(timer))
}

const send =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text)
const json = (body: string) => send(response(200, {}, body))

// prettier-ignore
const hostile: [name: string, answer: Answer, message: string, status: number, options?: { timeoutMs: number }][] = [
  ['an endless body',               (socket) => writeEndlessly(socket, 'HTTP/1.1 200 OK\r\n\r\n', megabyte), tooLarge, 200],
  ['an endless body of a 404',      (socket) => writeEndlessly(socket, 'HTTP/1.1 404 No\r\n\r\n', megabyte), tooLarge, 404],
  ['a body of 1 GB',                (socket) => writeEndlessly(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n', megabyte), tooLarge, 200],
  ['an endless zip bomb',           (socket) => writeEndlessly(socket, 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n', bomb), tooLarge, 200],
  ['a slow body',                   (socket) => drip(socket, `${chunkedHead}\r\n`, '1\r\n \r\n'), 'the tracker does not answer within 0.3 s', 0, { timeoutMs: 300 }],
  ['slow headers',                  (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx: ', 'x'),      'the tracker does not answer within 0.3 s', 0, { timeoutMs: 300 }],
  ['endless interim responses',     (socket) => drip(socket, '', 'HTTP/1.1 103 Early\r\n\r\n'),   'the tracker does not answer within 0.3 s', 0, { timeoutMs: 300 }],
  ['no answer',                     () => {},                                                     'the tracker does not answer within 0.3 s', 0, { timeoutMs: 300 }],
  ['gzip, then endless bytes',      (socket) => writeEndlessly(socket, `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n${gzipSync('[]').toString('latin1')}`, megabyte), 'the answer is not valid gzip', 200],
  ['broken gzip',                   send(response(200, gzipped, 'not gzip')),                     'the answer is not valid gzip', 200],
  ['gzip that ends early',          (socket) => void socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n'), gzipSync('[1, 2, 3]').subarray(0, 20)])), 'the answer is not valid gzip', 200],
  ['an unknown encoding',           send(response(200, { 'content-encoding': 'br' }, '[]')),      'the answer has another encoding than gzip', 200],
  ['two encodings',                 send(response(200, { 'content-encoding': 'gzip, gzip' }, '[]')), 'the answer has another encoding than gzip', 200],
  ['HTML',                          json(`<html>${token}</html>`),                                'the answer is not JSON', 200],
  ['an empty body',                 json(''),                                                     'the answer is not JSON', 200],
  ['JSON that ends early',          json(`["${token}`),                                           'the answer is not JSON', 200],
  ['deep JSON',                     json('['.repeat(1_000_000)),                                  'the answer is nested more than 100 levels deep', 200],
  ['deep objects after a string',   json(`["\\"]}",${'{"a":'.repeat(101)}`),                      'the answer is nested more than 100 levels deep', 200],
  ['too many values',               json(`[${'{},'.repeat(500_000)}0]`),                          'the answer contains more than 500000 values', 200],
  ['a length that is too large',    (socket) => void socket.end(response(200, { 'content-length': '9' }, '[]')),     'the connection to the tracker failed: ECONNRESET', 200],
  ['a length that is too small',    send(response(200, { 'content-length': '1' }, '[]')),         'the answer is not JSON', 200],
  ['two lengths',                   send(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]`),     'the connection to the tracker failed: HPE_UNEXPECTED_CONTENT_LENGTH', 0],
  ['a chunk without a length',      send(`${chunkedHead}\r\n${token}`),                           'the connection to the tracker failed: ECONNRESET', 200],
  ['a reset before the answer',     (socket) => void socket.resetAndDestroy(),                    'the connection to the tracker failed: ECONNRESET', 0],
  ['a reset in the body',           (socket) => void socket.write(`${chunkedHead}\r\n1\r\n[\r\n`, () => socket.resetAndDestroy()), 'the connection to the tracker failed: ECONNRESET', 200],
  ['an end in the body',            (socket) => void socket.end(`${chunkedHead}\r\n1\r\n[\r\n`),  'the connection to the tracker failed: ECONNRESET', 200],
  ['a large header',                send(response(200, { x: 'x'.repeat(20_000) }, '[]')),         'the connection to the tracker failed: HPE_HEADER_OVERFLOW', 0],
  ['endless headers',               (socket) => writeEndlessly(socket, 'HTTP/1.1 200 OK\r\n', Buffer.from('x: x\r\n')), 'the connection to the tracker failed: HPE_HEADER_OVERFLOW', 0],
  ['something else than HTTP',      send(`SSH-2.0-${token}\r\n`),                                 'the connection to the tracker failed: HPE_INVALID_CONSTANT', 0],
  ['another protocol',              send('HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'), 'the tracker ends the connection without an answer', 0],
  ['a token in the reason',         send(`HTTP/1.1 503 ${token}\r\nx-token: ${token}\r\ncontent-length: 0\r\n\r\n`),  'the tracker answers with 503', 503],
  ['304 that was not asked for',    send(response(304)),                                          'the tracker answers with 304', 304],
]

for (const [name, answer, message, status, options] of hostile) {
  test(name, async () => {
    const tracker = await startTracker(answer)
    const error = await errorOf(connectTo(tracker, options).get('/'))
    assert.equal(error.message, message)
    assert.equal(error.status, status)
  })
}

test('an endless body is ended soon after the limit', async () => {
  const tracker = await startTracker((socket) => writeEndlessly(socket, 'HTTP/1.1 200 OK\r\n\r\n', megabyte))
  await errorOf(connectTo(tracker).get('/'))
  const [socket] = tracker.sockets
  await new Promise((resolve) => (socket!.closed ? resolve(0) : socket!.once('close', resolve)))
  // The rest is in the buffers of the kernel.
  assert.ok(socket!.bytesWritten < maxBodyBytes + 16 * 1_048_576, `${socket!.bytesWritten} bytes`)
})

test('deep and long JSON within the limits is read', async () => {
  const body = `${'['.repeat(100)}${']'.repeat(100)}`
  const tracker = await startTracker(json(body))
  assert.equal(JSON.stringify((await connectTo(tracker).get('/')).data), body)
})

/** Nothing that was sent is in an error: its message is constant, and it has no other text. */
async function errorOf(running: Promise<unknown>): Promise<TrackerError> {
  const error = await running.then(
    () => assert.fail('no error'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof TrackerError, inspect(error))
  assert.deepEqual(Reflect.ownKeys(error).sort(), ['message', 'name', 'retryMs', 'stack', 'status'])
  assert.ok(!inspect(error, { showHidden: true, depth: Infinity }).includes(token))
  return error
}
