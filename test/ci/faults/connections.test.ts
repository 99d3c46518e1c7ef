// Thousands of slow, silent or abandoned connections: other clients are served, memory stays bounded, and the
// connections are closed in the end.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { api } from '../../support/workgate.ts'
import { ask } from './ask.ts'
import { printFigures } from '../../support/figures.ts'
import { memoryOf } from './memory.ts'
import { prepare, startPostgres, startService } from './stage.ts'

const wanted = 10_000
const others = 100
const megabyte = 1_048_576

/** The number of connections that the limit on open files allows, here and in the service, which inherits the limit. */
function connectionsPossible(): number {
  try {
    execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=24000:24000'], { stdio: 'ignore' })
  } catch {
    // Only root may raise the limit.
  }
  const [, most] = /NOFILE\s+(\d+)/.exec(execFileSync('prlimit', ['--pid', String(process.pid), '--nofile', '--output=RESOURCE,SOFT', '--noheadings']).toString())! // prettier-ignore
  const possible = Math.min(wanted, Number(most) - 1_000)
  if (possible < wanted) console.log(`ONLY ${possible} CONNECTIONS ARE OPENED: the limit is ${most} open files`)
  return possible
}

/** The bytes that a connection sends at first, and those that it then sends repeatedly. */
type Behavior = [name: string, first: string, more: string]

const behaviors = (key: string): Behavior[] => [
  ['no bytes', '', ''],
  ['half a request line', 'GET /hea', ''],
  ['slow headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ', 'a'],
  [
    'slow bodies',
    `POST ${api}/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"name": "',
    'a',
  ],
]

async function openConnections(t: TestContext, url: string, count: number, key: string) {
  const sockets: Socket[] = []
  /** The number of responses by status. */
  const statuses: Record<string, number> = {}
  let [opened, closed, maxOpen] = [0, 0, 0]
  const drips: [Socket, string][] = []
  cleanUp(t, () => sockets.forEach((socket) => socket.destroy()))
  const kinds = behaviors(key)
  for (let n = 0; n < count; n++) {
    const [, first, more] = kinds[n % kinds.length]!
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {}).once('close', () => closed++)
    socket.once('connect', () => (maxOpen = Math.max(maxOpen, ++opened - closed)))
    socket.once('data', (bytes: Buffer) => {
      const status = bytes.toString('latin1').slice(9, 12)
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    if (first) socket.write(first)
    if (more) drips.push([socket, more])
    // Opens no more at once than the accept queue holds, because the kernel silently drops the others. Once one more
    // connection gets a response, all earlier ones have been accepted.
    if (n % 250 === 249) await isAccepted(url)
  }
  const drip = setInterval(() => drips.forEach(([socket, more]) => socket.writable && socket.write(more)), 2_000)
  cleanUp(t, () => clearInterval(drip))
  /** The largest number of connections that were open at once, and the number of those that were closed. */
  return { statuses, maxOpen: () => maxOpen, closed: () => closed }
}

async function latencies(url: string, key: string, count: number) {
  const agent = new Agent({ keepAlive: true })
  const seconds: number[] = []
  for (let n = 0; n < count; n++) {
    const began = performance.now()
    const { status } = await ask(`${url}${api}/projects?q=a${n}`, { key, agent })
    assert.equal(status, 200)
    seconds.push((performance.now() - began) / 1_000)
  }
  agent.destroy()
  seconds.sort((a, b) => a - b)
  return { median: seconds[count >> 1]!, most: seconds.at(-1)! }
}

/** Returns whether one more connection is accepted. */
async function isAccepted(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {})
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const answered = await new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true))
    socket.once('close', () => resolve(false))
  })
  socket.destroy()
  return answered
}

test('thousands of slow and silent connections do not stop other requests', async (t) => {
  const count = connectionsPossible()
  const server = await startPostgres(t)
  const { key } = await prepare(t, server.url('postgres'))
  const service = await startService(t, {
    DATABASE_URL: server.url('postgres'),
    MAX_CONNECTIONS: String(count + others),
  })
  const memory = () => memoryOf(service.child.pid!)
  await latencies(service.url, key, 200)
  const undisturbed = await latencies(service.url, key, 200)
  const before = memory()
  const connections = await openConnections(t, service.url, count, key)
  const disturbed = await latencies(service.url, key, 200)
  const during = memory()
  const ratio = disturbed.median / undisturbed.median
  await until('all connections are closed', () => connections.closed() === count, 120_000)
  const after = await latencies(service.url, key, 200)
  printFigures(`${count} slow and silent connections`, {
    opened: count,
    'open at once': connections.maxOpen(),
    'requests of others': 200,
    'status 200': 200,
    hung: 0,
    'ratio of their median latency to the undisturbed one': ratio,
    'memory grew by MB': (during - before) / megabyte,
    ...Object.fromEntries(Object.entries(connections.statuses).map(([status, n]) => [`closed with ${status}`, n])),
    'closed in the end': connections.closed(),
    'ratio of the median latency later': after.median / undisturbed.median,
  })
  // A slow machine opens them more slowly, and the service closes the first ones meanwhile.
  assert.ok(connections.maxOpen() > count / 10, `${connections.maxOpen()} were open at once`)
  assert.ok(ratio < 20, `${ratio}`)
  assert.ok(during - before < 400 * megabyte)
  assert.deepEqual(Object.keys(connections.statuses), ['408'])
})

test('beyond MAX_CONNECTIONS, connections that have been idle longest make room for new ones', async (t) => {
  const server = await startPostgres(t)
  const { key } = await prepare(t, server.url('postgres'))
  const max = 1_000
  const service = await startService(t, { DATABASE_URL: server.url('postgres'), MAX_CONNECTIONS: String(max) })
  const connections = await openConnections(t, service.url, max + 500, key)
  await until('the longest idle connections are closed', () => connections.closed() >= 500)
  const closed = connections.closed()
  assert.equal(await isAccepted(service.url), true)
  printFigures('500 connections more than MAX_CONNECTIONS', { opened: max + 500, 'closed, as they were idle': closed, 'new ones accepted': 'yes' }) // prettier-ignore
})
