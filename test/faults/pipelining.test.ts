// Many requests on one connection at once: at most 8 of them run, the others wait unparsed. Against the artifact.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test, type TestContext } from 'node:test'
import { readMetrics } from '../support/prometheus.ts'
import { api, freshDatabase, issueKey } from '../support/workgate.ts'
import { startWorkers } from '../workers/workers-service.ts'
import { cleanUp, until } from './fixtures/embedded.ts'

// One more than 8, because the body of the eighth may be received together with the head of the next request.
const maxRunning = 9

let database: Awaited<ReturnType<typeof freshDatabase>>
let service: Awaited<ReturnType<typeof startWorkers>>
let key: string
let metrics: string

before(async () => {
  database = await freshDatabase()
  key = await issueKey(database.sql, 'pipelining')
  service = await startWorkers({ DATABASE_URL: database.url, WORKERS: '1', METRICS_LISTEN: '127.0.0.1:0' })
  await service.untilLogged('serving metrics')
  metrics = service.linesWith('serving metrics')[0]!['url'] as string
})
after(async () => {
  service.child.kill('SIGKILL')
  await database.drop()
})

async function read(name: string): Promise<number> {
  const families = readMetrics(await (await fetch(metrics)).text())
  return families.get(name)!.samples.reduce((sum, { value }) => sum + value, 0)
}

const request = (line: string, body = '', ...headers: string[]) =>
  [
    `${line} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${key}`,
    ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
    ...headers,
    '',
    body,
  ].join('\r\n')
const createProject = (name: string) => request(`POST ${api}/projects`, JSON.stringify({ name }))

function open(t: TestContext) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {})
  cleanUp(t, () => socket.destroy())
  return socket
}

/** Blocks the creation of projects. Returns a function that ends the lock. */
async function lockProjects(t: TestContext): Promise<() => Promise<unknown>> {
  const session = await database.sql.reserve()
  cleanUp(t, () => session.release())
  await session`begin`
  await session`lock table workgate.projects in exclusive mode`
  return () => session`rollback`
}

const countProjects = async () => (await database.sql`select from workgate.projects`).length

test('at most 9 requests of a connection run at once, and all get their response in order', async (t) => {
  const release = await lockProjects(t)
  const socket = open(t)
  let text = ''
  socket.setEncoding('latin1').on('data', (some: string) => (text += some))
  const before = await countProjects()
  socket.write(Array.from({ length: 200 }, (_, n) => createProject(`Project ${n}`)).join(''))
  await until('the connection is paused', async () => (await read('workgate_connections_paused_total')) > 0)
  assert.ok((await read('workgate_http_requests_in_flight')) <= maxRunning)
  await release()
  await until('all responses have arrived', () => text.split('HTTP/1.1 201').length === 201)
  const names = [...text.matchAll(/"name":"Project (\d+)"/g)].map(([, n]) => Number(n))
  assert.deepEqual(names, [...Array(200).keys()])
  assert.equal(await countProjects(), before + 200)
})

test('requests that arrive in packets of their own are limited, too', async (t) => {
  const release = await lockProjects(t)
  const socket = open(t).setNoDelay()
  const paused = await read('workgate_connections_paused_total')
  for (let n = 0; n < 50; n++) {
    await new Promise((resolve) => socket.write(createProject('One by one'), resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until('the connection is paused', async () => (await read('workgate_connections_paused_total')) > paused)
  assert.ok((await read('workgate_http_requests_in_flight')) <= maxRunning)
  let text = ''
  socket.setEncoding('latin1').on('data', (some: string) => (text += some))
  await release()
  await until('all responses have arrived', () => text.split('HTTP/1.1 201').length === 51)
})

test('no request is started for a client that has disconnected', async (t) => {
  const release = await lockProjects(t)
  const socket = open(t)
  const before = await countProjects()
  socket.write(Array.from({ length: 200 }, () => createProject('Abandoned')).join(''))
  await until('requests run', async () => (await read('workgate_http_requests_in_flight')) === maxRunning)
  socket.destroy()
  await release()
  await until('no request runs', async () => (await read('workgate_http_requests_in_flight')) === 0)
  const created = (await countProjects()) - before
  assert.ok(created <= maxRunning, `${created} projects were created`)
})

test('a client that reads late gets every response in order', async (t) => {
  const socket = open(t)
  const count = 400
  const paused = await read('workgate_connections_paused_total')
  const ids = Array.from({ length: count }, (_, n) => `late-${n}`)
  socket.pause()
  for (const id of ids) socket.write(request('GET /openapi.json', '', `X-Request-Id: ${id}`))
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
  const release = await lockProjects(t)
  const socket = open(t)
  let text = ''
  socket.setEncoding('latin1').on('data', (some: string) => (text += some))
  const name = 'n'.repeat(200)
  const description = 'd'.repeat(10_000)
  const large = request(`POST ${api}/projects`, JSON.stringify({ name, description }))
  socket.write(Array.from({ length: 30 }, () => large).join(''))
  await until('requests run', async () => (await read('workgate_http_requests_in_flight')) === maxRunning)
  await release()
  await until('all responses have arrived', () => text.split('HTTP/1.1 201').length === 31)
})

const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']
// prettier-ignore
const upgrades: [claim: string, request: () => string, parts: number, status: string][] = [
  ['GET',                                      () => request('GET /healthz', '', ...upgrade), 1,                                           '200'],
  ['POST',                                     () => request(`POST ${api}/projects`, JSON.stringify({ name: 'Upgrade' }), ...upgrade), 1,   '201'],
  ['POST whose body arrives in several parts', () => request(`POST ${api}/projects`, JSON.stringify({ name: 'U'.repeat(200) }), ...upgrade), 5, '201'],
]

for (const [claim, upgradeRequest, parts, status] of upgrades) {
  test(`${claim} with Upgrade gets its response, the connection is closed, and later requests are not run`, async (t) => {
    const socket = open(t).setNoDelay()
    const bytes = createProject('First') + upgradeRequest() + createProject('Later')
    const before = (await database.sql`select from workgate.projects where name = 'Later'`).length
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
    assert.equal((await database.sql`select from workgate.projects where name = 'Later'`).length, before)
  })
}
