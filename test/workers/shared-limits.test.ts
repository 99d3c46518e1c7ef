// Limits of the whole service are the same however many workers it has. Runs against the artifact.

import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { PassThrough } from 'node:stream'
import { divideSettings, readConfig } from '../../src/config/config.ts'
import { forwardLines } from '../../src/server/workers/worker-process.ts'
import { recordSecret } from '../support/log.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { api, issueKey, type LogLine } from '../support/workgate.ts'
import { cleanUp, temporaryFolder, until } from '../faults/fixtures/embedded.ts'
import { startWorkers, type Reply } from './workers-service.ts'

const database = await suiteDatabase()

const path = `${api}/key`

/** Checks that the limit let the right number of requests pass; the bucket refills while it is used. */
async function assertPassed(perMinute: number, status: number, send: () => Promise<Reply[]>): Promise<Reply[]> {
  const began = performance.now()
  const all = await send()
  const statuses = all.map((got) => got.status)
  const refilled = Math.ceil(((performance.now() - began) / 60_000) * perMinute)
  const passed = statuses.filter((one) => one === status).length
  assert.ok(
    passed >= perMinute && passed <= perMinute + refilled,
    `${passed} requests passed, expected ${perMinute} to ${perMinute + refilled}`,
  )
  assert.equal(statuses.filter((one) => one === 429).length, statuses.length - passed)
  return all
}

const times = <T>(count: number, one: () => Promise<T>) => Promise.all(Array.from({ length: count }, one))

describe('three workers', () => {
  let service: Awaited<ReturnType<typeof startWorkers>>

  before(async () => void (service = await startWorkers({ DATABASE_URL: database.url, WORKERS: '3' })))
  after(() => service.child.kill('SIGKILL'))

  /** Returns a function that waits until this many further requests with the status are logged, and returns their lines. */
  function requests(count: number, status: number) {
    const lines = () => service.linesWith('request').filter((line) => line['status'] === status)
    const before = lines().length
    const later = () => lines().slice(before)
    return async () => {
      await until('all requests are logged', () => later().length === count)
      return later()
    }
  }
  const workersOf = (lines: LogLine[]) => [...new Set(lines.map((line) => line['worker']))].sort()

  test('listen at one address, announced once, and the log contains the lines of all workers', async () => {
    const logged = requests(60, 404)
    const key = await issueKey(database.sql, 'spread')
    const unknown = `${api}${'/projects'.repeat(20)}`
    const got = await times(60, () => service.ask(unknown, key))
    assert.deepEqual([...new Set(got.map(({ status }) => status))], [404])
    const lines = await logged()
    assert.deepEqual(workersOf(lines), [1, 2, 3])
    assert.ok(lines.every((line) => line['path'] === unknown))
    assert.equal(service.linesWith('listening').length, 1)
    assert.equal(new Set(service.pids()).size, 3)
  })

  test('serve the same documentation', async () => {
    const logged = requests(30, 200)
    const got = await times(30, () => service.ask('/openapi.json', ''))
    assert.deepEqual(workersOf(await logged()), [1, 2, 3])
    assert.equal(new Set(got.map(({ headers }) => headers.etag)).size, 1)
    assert.equal(got[0]!.status, 200)
  })

  test('share the rate limit of a key, on many connections', async () => {
    const key = await issueKey(database.sql, 'many', { rateLimit: 50 })
    await assertPassed(50, 200, () => times(80, () => service.ask(path, key)))
    // A slow worker may only get requests over the limit.
    const lines = () => service.linesWith('request').filter((line) => line['keyName'] === 'many')
    await until('each worker has logged one of them', () => workersOf(lines()).length === 3)
  })

  test('give the whole rate limit to one connection', async () => {
    const key = await issueKey(database.sql, 'one', { rateLimit: 50 })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const got = await assertPassed(50, 200, () => times(60, () => service.ask(path, key, agent)))
    agent.destroy()
    assert.ok(got.slice(0, 50).every(({ status }) => status === 200))
    assert.equal(got[0]!.headers['ratelimit-policy'], '"key";q=50;w=60')
    assert.equal(got[0]!.headers['x-ratelimit-remaining'], '49')
    assert.equal(got.find(({ status }) => status !== 200)!.body.code, 'RATE_LIMITED')
  })

  test('share the limit of failed credentials from an address', async () => {
    let guesses = 0
    await assertPassed(60, 401, () => times(100, () => service.ask(path, `guess-${guesses++}`)))
  })
})

describe('each worker', { concurrency: 2 }, () => {
  async function start(t: TestContext, environment: Record<string, string>) {
    const service = await startWorkers({ DATABASE_URL: database.url, ...environment })
    cleanUp(t, () => service.child.kill('SIGKILL'))
    return service
  }

  test('uses the key file as read at startup, even if the worker started later', async (t) => {
    const file = join(await temporaryFolder(t), 'keys.json')
    const key = 'a-key-of-a-file-with-32-characters'
    recordSecret(key)
    await writeFile(file, JSON.stringify([{ name: 'ci', key, scopeMode: 'all_projects', rateLimitPerMinute: 100 }]))
    const { ask, untilLogged, pids } = await start(t, { API_KEYS_FILE: file })
    await rm(file)
    process.kill(pids()[0]!, 'SIGKILL')
    await untilLogged('worker restarted')
    const got = await times(20, () => ask(path, key))
    assert.deepEqual([...new Set(got.map(({ status }) => status))], [200])
    const { scopeMode, operations, rateLimitPerMinute } = got[0]!.body.data
    assert.deepEqual(
      [scopeMode, operations, rateLimitPerMinute],
      ['all_projects', ['create_project', 'create_task', 'complete_task'], 100],
    )
  })

  test('keeps no more connections open than its share of MAX_CONNECTIONS', async (t) => {
    const { url } = await start(t, { MAX_CONNECTIONS: '2' })
    const port = Number(new URL(url).port)
    let closed = 0
    const open = () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
        socket.on('error', () => {}).once('data', () => resolve())
        socket.once('close', () => {
          closed++
          reject(new Error('closed without a response'))
        })
        cleanUp(t, () => socket.destroy())
      })
    for (let n = 0; n < 8; n++) await open()
    await until('idle connections are closed', () => closed === 6)
  })
})

test('the workers share a setting, and each gets at least its minimum', () => {
  // prettier-ignore
  const cases: [name: 'DATABASE_POOL' | 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS' | 'MAX_WAITERS', whole: number, workers: number, shares: number[]][] = [
    ['DATABASE_POOL',   10,    3, [4, 3, 3]],
    ['DATABASE_POOL',   10,    1, [10]],
    ['DATABASE_POOL',   4,     3, [2, 2, 2]],
    ['MAX_CONNECTIONS', 10000, 3, [3334, 3333, 3333]],
    ['MAX_CONNECTIONS', 1,     2, [1, 1]],
    ['MAX_CONNECTIONS_PER_ADDRESS', 1000, 3, [334, 333, 333]],
    ['MAX_CONNECTIONS_PER_ADDRESS', 1, 2, [1, 1]],
    ['MAX_CONNECTIONS_PER_ADDRESS', 0, 2, [0, 0]],
    ['MAX_WAITERS',     2000,  2, [1000, 1000]],
    ['MAX_WAITERS',     1,     2, [1, 1]],
    ['MAX_WAITERS',     0,     2, [0, 0]],
  ]
  for (const [name, whole, workers, shares] of cases) {
    const config = readConfig({ [name]: String(whole), WORKERS: String(workers) }, () => '')
    assert.deepEqual(
      shares.map((_, index) => divideSettings(config, index + 1)[name]),
      shares,
      `${name}=${whole} with ${workers} workers`,
    )
  }
})

test('the output of a worker is forwarded in whole lines, without an unfinished last line', async () => {
  const output = new PassThrough()
  const written: string[] = []
  forwardLines(output, (lines) => written.push(Buffer.from(lines).toString()))
  for (const part of ['{"a":', '1}\n{"b', '":"', '', 'ü"}\n{}\n', '{"torn"']) output.write(part)
  await output.end().toArray()
  assert.deepEqual(written, ['{"a":1}\n', '{"b":"ü"}\n{}\n'])
})
