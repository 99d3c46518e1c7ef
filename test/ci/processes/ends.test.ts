// The shutdown of a service with several processes, and the end of one of them. Against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { migrations } from '../../../src/db/schema/migrations.ts'
import { id, insertData, web } from '../../support/data.ts'
import { run } from '../../support/environment.ts'
import { api, command, freshDatabase, issueKey, runArtifact } from '../../support/workgate.ts'
import { cleanUp, postmasterPid, dataFolder, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'
import { hasExited, startWorkers } from '../../workers/workers-service.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let key: string

before(async () => {
  database = await freshDatabase()
  await insertData(database.sql)
  key = await issueKey(database.sql, 'clients')
})
after(() => database.drop())

// Much longer than a test may take: a shutdown that uses up the grace period fails the test.
const longGrace = { SHUTDOWN_GRACE_MS: '600000', STATEMENT_TIMEOUT_MS: '600000' }
async function start(t: TestContext, environment: Record<string, string> = {}, program?: readonly string[]) {
  const service = await startWorkers({ DATABASE_URL: database.url, ...environment }, program)
  cleanUp(t, () => service.child.kill('SIGKILL'))
  return service
}
type Service = Awaited<ReturnType<typeof start>>

/** Blocks all reads of the table until the lock is released. */
async function lock(t: TestContext, table: string) {
  const session = await database.sql.reserve()
  await session`begin`
  await session.unsafe(`lock table workgate.${table} in access exclusive mode`)
  cleanUp(t, () => session.release())
  const release = () => session`rollback`
  cleanUp(t, release)
  return release
}

async function untilWaiting(count: number) {
  await until(`${count} statements wait for the lock`, async () => {
    const waiting = await database.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waiting.length === count
  })
}

// Each request is different, because equal requests share a statement.
const teams = (n: number) => `${api}/projects/${web}/teams?limit=${n}`
const waitSeconds = 30
const waiting = (n: number) =>
  `${api}/projects/${web}/tasks/${id('task', 1)}/work-packet/verification?minVersion=${900 + n}&wait=${waitSeconds}`

async function assertAllExited({ child, ended, pids, log, linesWith }: Service): Promise<void> {
  assert.deepEqual(await ended, [0, null])
  for (const pid of [child.pid!, ...pids()]) assert.ok(hasExited(pid), `${pid} is still running`)
  for (const message of ['stopping', 'stopped']) assert.equal(linesWith(message).length, 1, message)
  assert.equal(log().at(-1)!['message'], 'stopped')
  assert.deepEqual(linesWith('worker exited unexpectedly, restarting'), [])
}

const ends: [claim: string, signal: NodeJS.Signals, toAll: boolean][] = [
  ['SIGTERM', 'SIGTERM', false],
  ['Ctrl-C, which a terminal sends to all processes', 'SIGINT', true],
]

for (const [claim, signal, toAll] of ends) {
  test(`on ${claim}, running requests and long polls get a response, and no process is left`, async (t) => {
    const service = await start(t, { ...longGrace, DATABASE_POOL: '40' })
    const release = await lock(t, 'teams')
    const releaseWatchers = await lock(t, 'task_watchers')
    // Without a keep-alive agent, the client itself requests that the connection is closed.
    const agent = new Agent({ keepAlive: true })
    cleanUp(t, () => agent.destroy())
    const running = Promise.all([1, 2, 3, 4].map((n) => service.ask(teams(n), key, agent)))
    const waits = Promise.all([1, 2, 3, 4].map((n) => service.ask(waiting(n), key)))
    await untilWaiting(8)
    await releaseWatchers()
    await untilWaiting(4)
    const signalled = performance.now()
    for (const pid of toAll ? service.pids() : []) process.kill(pid, signal)
    service.child.kill(signal)
    assert.deepEqual(
      (await waits).map(({ status, body }) => [status, body.data.verified]),
      Array(4).fill([200, false]),
    )
    assert.ok(performance.now() - signalled < 0.8 * waitSeconds * 1_000, 'they waited for their full time')
    await service.untilLogged('stopping')
    await release()
    assert.deepEqual(
      (await running).map(({ status, headers }) => [status, headers.connection]),
      Array(4).fill([200, 'close']),
    )
    await assertAllExited(service)
    await until('the requests are in the log', () => service.linesWith('request').length === 8)
    assert.equal(new Set(service.linesWith('request').map((line) => line['worker'])).size, 2)
  })
}

describe('several processes', { concurrency: 2 }, () => {
  test('exit together with the embedded database when the primary process is killed', async (t) => {
    const dataDir = await dataFolder(t)
    const first = await start(t, { DATA_DIR: dataDir, DATABASE_URL: '' })
    const postmaster = (await postmasterPid(dataDir))!
    assert.ok(!hasExited(postmaster))
    first.child.kill('SIGTERM')
    await assertAllExited(first)
    assert.ok(hasExited(postmaster))

    const second = await start(t, { DATA_DIR: dataDir, DATABASE_URL: '' })
    const database = (await postmasterPid(dataDir))!
    assert.equal((await second.ask('/readyz', key)).status, 200)
    second.child.kill('SIGKILL')
    await until('all have exited', () => [...second.pids(), database].every(hasExited))
  })

  test('exit within the grace period, whatever is running', async (t) => {
    const service = await start(t, { ...longGrace, SHUTDOWN_GRACE_MS: '200' })
    const release = await lock(t, 'teams')
    const running = assert.rejects(service.ask(teams(1), key), { code: 'ECONNRESET' })
    await untilWaiting(1)
    service.child.kill('SIGTERM')
    await running
    await assertAllExited(service)
    await release()
  })

  test('shut down cleanly while they start', async (t) => {
    const empty = await freshDatabase('template0')
    cleanUp(t, empty.drop)
    const child = runArtifact(['serve'], { DATABASE_URL: empty.url, WORKERS: '3', PORT: '0' })
    cleanUp(t, () => child.kill('SIGKILL'))
    const closed = once(child, 'close')
    let out = ''
    child.stdout!.on('data', (bytes: Buffer) => (out += bytes))
    await until('the last migration is done', () => out.includes(migrations.at(-1)!.name))
    child.kill('SIGTERM')
    assert.deepEqual(await closed, [0, null])
    assert.match(out, /"stopped"}\n$/)
  })

  test('replace a killed worker, and rate limits keep their state', async (t) => {
    const service = await start(t)
    const slow = await issueKey(database.sql, 'slow', { rateLimit: 4 })
    for (let n = 0; n < 3; n++) assert.equal((await service.ask(`${api}/key`, slow)).status, 200)
    const [killed, other] = service.pids()
    process.kill(killed!, 'SIGKILL')
    await service.untilLogged('worker restarted')
    const [{ level, worker, pid, problem }] = service.linesWith('worker exited unexpectedly, restarting') as any
    assert.deepEqual([level, worker, pid, problem], ['error', 1, killed, 'SIGKILL'])
    const successor = service.linesWith('worker restarted')[0]!['pid'] as number
    assert.ok(![killed, other].includes(successor) && !hasExited(successor))
    const before = service.linesWith('request').length
    for (let n = 0; n < 6; n++) assert.equal((await service.ask(`${api}/key`, key)).status, 200)
    await until('all are logged', () => service.linesWith('request').length === before + 6)
    const later = service.linesWith('request').slice(before)
    assert.equal(new Set(later.map((line) => line['worker'])).size, 2)
    const { headers } = await service.ask(`${api}/key`, slow)
    assert.ok(Number(headers['x-ratelimit-remaining']) <= 1, `${headers['x-ratelimit-remaining']} are left`)
    service.child.kill('SIGTERM')
    assert.deepEqual(await service.ended, [0, null])
    assert.ok(hasExited(successor))
  })

  test('exit with an error when no worker can be started', async (t) => {
    const folder = await temporaryFolder(t)
    const program = [...run().program]
    const built = program.pop()!
    const artifact = join(folder, basename(built))
    await copyFile(built, artifact)
    const service = await start(t, {}, [...program, artifact])
    await rm(artifact)
    for (const pid of service.pids()) process.kill(pid, 'SIGKILL')
    assert.deepEqual(await service.ended, [1, null])
    assert.match(service.errors(), /^workgate: workers keep failing: (exit code 1|spawn \S+ ENOENT)$/m)
  })

  test('report once, with code 1, that the port is in use', async (t) => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    cleanUp(t, () => other.close())
    const port = String((other.address() as AddressInfo).port)
    const { code, err } = await command(['serve'], { DATABASE_URL: database.url, WORKERS: '3', PORT: port })
    assert.deepEqual(
      [code, err],
      [
        1,
        `workgate: cannot listen on 127.0.0.1:${port}: the address is in use (EADDRINUSE): stop the program that uses it, or set PORT to another port`,
      ],
    )
  })

  test('cannot be started individually', async () => {
    const { code, err } = await command(['worker'], {})
    assert.deepEqual(
      [code, err],
      [2, 'workgate: only the service starts workers; see WORKERS in "node dist/workgate.mjs help"'],
    )
  })
})
