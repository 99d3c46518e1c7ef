// The shutdown of the artifact after a signal, with one process or several, and the end of one of its processes.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFile, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { basename, join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrations } from '../../../src/db/schema/migrations.ts'
import { id, web } from '../../support/data.ts'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { run } from '../../support/environment.ts'
import { api, command, freshDatabase, issueKey, runArtifact } from '../../support/workgate.ts'
import { cleanUp, postmasterPid, dataFolder, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'
import { hasExited, startWorkers } from '../../workers/workers-service.ts'

const { url: DATABASE_URL, sql, key, lock, untilBlocked } = await databaseSuite()

// Much longer than a test may take: a shutdown that uses up the grace period fails the test.
const veryLong = '600000'

async function start(t: TestContext, environment: Record<string, string> = {}, program?: readonly string[]) {
  const settings = { DATABASE_URL, STATEMENT_TIMEOUT_MS: veryLong, SHUTDOWN_GRACE_MS: veryLong, ...environment }
  const service = await startWorkers(settings, program)
  cleanUp(t, () => service.child.kill('SIGKILL'))
  return service
}
type Service = Awaited<ReturnType<typeof start>>

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
    const service = await start(t, { DATABASE_POOL: '40' })
    const release = await lock(t, 'teams')
    const releaseWatchers = await lock(t, 'task_watchers')
    // Without a keep-alive agent, the client itself requests that the connection is closed.
    const agent = new Agent({ keepAlive: true })
    cleanUp(t, () => agent.destroy())
    const running = Promise.all([1, 2, 3, 4].map((n) => service.ask(teams(n), key, agent)))
    const waits = Promise.all([1, 2, 3, 4].map((n) => service.ask(waiting(n), key)))
    await untilBlocked(8)
    await releaseWatchers()
    await untilBlocked(4)
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
    const slow = await issueKey(sql, 'slow', { rateLimit: 4 })
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

  test('cannot be started individually', async () => {
    const { code, err } = await command(['worker'], {})
    assert.deepEqual(
      [code, err],
      [2, 'workgate: only the service starts workers; see WORKERS in "node dist/workgate.mjs help"'],
    )
  })
})

for (const WORKERS of ['1', '2']) {
  describe(`after SIGTERM, with WORKERS=${WORKERS}`, { concurrency: 2 }, () => {
    test('it serves requests but is not ready until the delay is over, and exits on a second signal', async (t) => {
      const { child, ended, ask, linesWith, untilLogged, pids } = await start(t, {
        WORKERS,
        SHUTDOWN_DELAY_MS: veryLong,
        METRICS_LISTEN: '127.0.0.1:0',
      })
      const agent = new Agent({ keepAlive: true })
      cleanUp(t, () => agent.destroy())
      const { status: before, headers } = await ask('/readyz', key, agent)
      assert.deepEqual([before, headers.connection], [200, 'keep-alive'])
      const task = `${api}/projects/${web}/tasks/${id('task', 1)}`
      const waiting = assert.rejects(ask(`${task}/work-packet/verification?minVersion=900&wait=30`, key))
      child.kill('SIGTERM')
      await untilLogged('stopping')
      // Each on a connection of its own, to reach all workers.
      await until('all workers are not ready', async () => {
        const all = await Promise.all([1, 2, 3, 4].map(() => ask('/readyz', key)))
        return all.every(({ status, body }) => status === 503 && body.code === 'UNAVAILABLE')
      })
      for (const path of ['/healthz', `${api}/projects`, `${task}/work-packet/verification?minVersion=1&wait=30`]) {
        const { status, headers } = await ask(path, key, agent)
        assert.deepEqual([status, headers.connection], [200, 'close'], path)
      }
      const { status } = await fetch(linesWith('serving metrics')[0]!['url'] as string)
      assert.equal(status, 200, 'metrics are served until the end')
      assert.equal(child.exitCode, null)
      // The second signal may be a different one.
      child.kill('SIGINT')
      assert.deepEqual(await ended, [1, null])
      await waiting
      await until('all have exited', () => WORKERS === '1' || pids().every(hasExited))
    })

    test('it reports that it is not ready before it refuses connections, and exits by itself', async (t) => {
      const { child, ended, ask, linesWith } = await start(t, { WORKERS, SHUTDOWN_DELAY_MS: '1500' })
      const seen: (number | string)[] = []
      child.kill('SIGTERM')
      while (seen.at(-1) !== 'ECONNREFUSED') {
        // A connection opened at the end is closed before its request is read.
        const now = await ask('/readyz', key).then(({ status }) => status, ({ code }) => code as string) // prettier-ignore
        if (now !== seen.at(-1) && now !== 'ECONNRESET') seen.push(now)
        await sleep(10)
      }
      assert.deepEqual(seen.slice(-2), [503, 'ECONNREFUSED'])
      assert.deepEqual(await ended, [0, null])
      assert.equal(linesWith('stopped').length, 1)
    })
  })
}

test('a write that is blocked does not delay the shutdown', async (t) => {
  const { child, ended, ask } = await start(t, { WORKERS: '1', SHUTDOWN_GRACE_MS: '200' })
  const release = await lock(t, 'api_key_uses')
  assert.equal((await ask(`${api}/key`, key)).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  await release()
})

test('an unresponsive worker does not delay the shutdown', async (t) => {
  const { child, ended, pids } = await start(t, { WORKERS: '2', SHUTDOWN_GRACE_MS: '200' })
  process.kill(pids()[0]!, 'SIGSTOP')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.ok(pids().every(hasExited))
})
