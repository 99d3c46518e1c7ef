// A database that responds slowly or not at all, behind a proxy that delays its responses.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy, type ConnectionHandler } from '../../faults/fixtures/proxy.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { api } from '../../support/workgate.ts'
import { ask } from './ask.ts'
import { prepareAging } from './aged.ts'
import { startClients, sumOf } from './load-clients.ts'
import { printFigures } from '../../support/figures.ts'
import { memoryOf } from './memory.ts'
import { prepare, project, startPostgres, startService } from './stage.ts'

const megabyte = 1_048_576

const silentMs = 20_000
const statementTimeoutMs = 10_000

async function askOnce(agent: Agent, address: string, key: string) {
  const began = performance.now()
  const { status } = await ask(address, { agent, key })
  assert.ok(status === 200 || status === 503)
  return { status, seconds: (performance.now() - began) / 1_000 }
}

/** Forwards everything in order: immediately, with a delay, or once released. */
function createDelay() {
  let delayMs = 0
  let released: Promise<void> = Promise.resolve()
  let release = () => {}
  const handler: ConnectionHandler = (client, open) => {
    const upstream = open()
    client.pipe(upstream)
    let last: Promise<unknown> = Promise.resolve()
    upstream.on('data', (bytes: Buffer) => {
      const due = sleep(delayMs)
      last = last.then(() => due).then(() => released).then(() => client.write(bytes)) // prettier-ignore
    })
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
  }
  return {
    handler,
    slowDown: (ms: number) => void (delayMs = ms),
    stall: () => void (released = new Promise((resolve) => (release = resolve))),
    remove() {
      delayMs = 0
      release()
    },
  }
}

async function start(t: TestContext, environment: Record<string, string> = {}) {
  const server = await startPostgres(t)
  const { key } = await prepare(t, server.url('postgres'))
  const delay = createDelay()
  const proxy = await startProxy(server.url('postgres'), () => server.url('postgres'))
  cleanUp(t, proxy.close)
  proxy.setHandler(delay.handler)
  const service = await startService(t, { DATABASE_URL: proxy.url, ...environment })
  const path = `${service.url}${api}/projects/${project}`
  return { service, delay, path, key, memory: () => memoryOf(service.child.pid!) }
}

test('a slow database: 503 after a long wait, nothing piles up, and the service recovers immediately', async (t) => {
  const { delay, path, key, memory } = await start(t)
  const clients = startClients(t, 300, (n) => [`${path}/tasks?q=a${n}`, { key }])
  await clients.untilServed(500)
  const before = memory()
  delay.slowDown(1_500)
  await sleep(12_000)
  const during = memory()
  const refused = sumOf([clients], 503)
  const longest = clients.longest()
  const began = performance.now()
  delay.remove()
  await clients.untilServed(300)
  const seconds = (performance.now() - began) / 1_000
  await clients.stop()
  printFigures('each response of the database takes 1.5 s', {
    'requests made': clients.sent(),
    'status 200': sumOf([clients], 200),
    'status 503': sumOf([clients], 503),
    hung: 0,
    'longest wait in seconds': longest,
    'memory grew by MB': (during - before) / megabyte,
    'seconds until 300 are served again': seconds,
  })
  assert.ok(refused > 0)
  assert.ok(during - before < 150 * megabyte)
})

test('a database that stops responding: 503 soon, and every request is served once it responds again', async (t) => {
  const { delay, path, key, memory } = await start(t)
  const agent = new Agent({ keepAlive: true })
  // Opens all connections first: the service gives up sooner on a connection that it cannot open.
  for (let n = 0; n < 20; n++) await Promise.all(Array.from({ length: 20 }, () => askOnce(agent, path, key)))
  const before = memory()
  delay.stall()
  // Sends regardless of how many requests have no response yet.
  const outcomes: ReturnType<typeof askOnce>[] = []
  for (const began = performance.now(); performance.now() - began < silentMs; await sleep(20)) {
    outcomes.push(askOnce(agent, `${path}/tasks?q=a${outcomes.length}`, key))
  }
  const during = memory()
  delay.remove()
  const again = performance.now()
  await until('it is served', async () => (await askOnce(agent, path, key)).status === 200)
  const seconds = (performance.now() - again) / 1_000
  const all = await Promise.all(outcomes)
  agent.destroy()
  const waits = all
    .filter(({ status }) => status === 503)
    .map((one) => one.seconds)
    .sort((a, b) => a - b)
  const median = waits[waits.length >> 1]!
  printFigures(`the database does not respond for ${silentMs / 1_000} s`, {
    'requests made': all.length,
    'status 200': all.length - waits.length,
    'status 503': waits.length,
    hung: 0,
    'median wait in seconds': median,
    'longest wait in seconds': waits.at(-1)!,
    'memory grew by MB': (during - before) / megabyte,
    'seconds until recovery': seconds,
  })
  // A request waits in the queue for less time than a statement may take.
  assert.ok(median < statementTimeoutMs / 1_000, `${median} s`)
  assert.ok(during - before < 150 * megabyte)
})

test('100,000 requests at once while the database does not respond are refused, in little memory', async (t) => {
  const aging = prepareAging(t)
  const { service, delay, path, key } = await start(t, aging.environment)
  const clients = startClients(t, 2, (n) => [`${path}/tasks?q=a${n}`, { key }])
  await clients.untilServed(50)
  await until('memory was recorded', () => aging.records().length > 0)
  const before = aging.records().length
  delay.stall()
  const request = `GET ${api}/key HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
      .on('error', () => {})
      .resume()
    socket.write(request.repeat(5_000))
    return socket
  })
  cleanUp(t, () => sockets.forEach((socket) => socket.destroy()))
  await until('memory was recorded a few times', () => aging.records().length >= before + 4)
  const [least, ...heaps] = aging
    .records()
    .slice(before - 1)
    .map(({ heap }) => heap)
  const growth = (Math.max(...heaps) - least!) / megabyte
  for (const socket of sockets) socket.destroy()
  delay.remove()
  await clients.untilServed(50)
  await clients.stop()
  printFigures('100,000 requests on 20 connections while the database does not respond', { 'heap grew by MB': growth }) // prettier-ignore
  assert.ok(heaps.length >= 4 && growth < 250, `${growth} MB`)
})
