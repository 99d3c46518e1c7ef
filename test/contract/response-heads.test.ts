// The heads of responses contain the same lines as those that Node writes by itself, without Keep-Alive.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, ServerResponse, IncomingMessage } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { SentResponse } from '../../src/api/responses/response.ts'
import { listen, type Listener } from '../../src/server/http/listen.ts'
import { writeHead } from '../../src/server/http/write-head.ts'

const headers = { 'content-type': 'text/plain', etag: '"é"', 'x-request-id': 'one' }
const close = { connection: 'close' }
const responses: Record<string, SentResponse> = {
  '/text': { status: 200, headers, body: 'text' },
  '/empty': { status: 200, headers, body: '' },
  '/none': { status: 204, headers, body: '' },
  '/same': { status: 304, headers, body: '' },
  '/error': { status: 503, headers: { ...headers, 'retry-after': '1' }, body: 'text' },
  '/last': { status: 200, headers: { ...headers, ...close }, body: 'text' },
}

const hstsMaxAge = 60
const hsts = { 'strict-transport-security': `max-age=${hstsMaxAge}` }
let ours: Listener
const nodes = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const { status, headers, body } = responses[request.url!]!
  const length = [204, 304].includes(status) ? {} : { 'content-length': Buffer.byteLength(String(body)) }
  response.writeHead(status, { ...headers, ...hsts, ...length })
  response.end(Buffer.from(body))
})

before(async () => {
  const app = async ({ target }: { target: string }) => responses[target]!
  const limits = { maxConnections: 100, maxPerAddress: 100, trustProxy: 0, hstsMaxAge, publicUrl: '' }
  ours = await listen(app, { host: '127.0.0.1', port: 0, ...limits })
  await once(nodes.listen(0, '127.0.0.1'), 'listening')
})
after(async () => {
  nodes.close()
  await ours.close(0)
})

/** Sends a request and ends the connection. Returns the lines of the head in order of their names, and the body. */
async function ask(port: number, head: string) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.end(`${head}\r\nHost: a\r\n\r\n`)
  const [lines, body] = (await socket.toArray()).join('').split('\r\n\r\n') as [string, string]
  const [status, ...rest] = lines.replace(/^Date: .* GMT$/m, 'Date: …').split('\r\n')
  return { status, lines: rest.sort(), body }
}

for (const version of ['1.1', '1.0'])
  for (const method of ['GET', 'HEAD'])
    for (const path of Object.keys(responses)) {
      const request = `${method} ${path} HTTP/${version}`
      test(`${request}`, async () => {
        const { port } = nodes.address() as AddressInfo
        const nodeHead = await ask(port, request)
        const lines = nodeHead.lines.filter((line) => !line.startsWith('Keep-Alive:'))
        assert.deepEqual(await ask(Number(new URL(ours.url).port), request), { ...nodeHead, lines })
      })
    }

test('a value with a line break is refused', () => {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  const broken = { location: '/a\r\nset-cookie: b' }
  assert.throws(() => writeHead(response, 201, broken, '', 0), { code: 'ERR_INVALID_CHAR' })
})
