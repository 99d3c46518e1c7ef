// The shutdown after a signal: the service first reports that it is not ready, then exits within the grace period even
// if something hangs. Against the artifact.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test, type TestContext } from 'node:test'
import { id, insertData, web } from '../../support/data.ts'
import { api, freshDatabase, issueKey } from '../../support/workgate.ts'
import { hasExited, startWorkers } from '../../workers/workers-service.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let key: string

before(async () => {
  database = await freshDatabase()
  await insertData(database.sql)
  key = await issueKey(database.sql, 'drained')
})
after(() => database.drop())

// Much longer than a test may take.
const veryLong = '600000'

async function start(t: TestContext, environment: Record<string, string>) {
  const settings = { DATABASE_URL: database.url, STATEMENT_TIMEOUT_MS: veryLong, SHUTDOWN_GRACE_MS: veryLong }
  const service = await startWorkers({ ...settings, ...environment })
  cleanUp(t, () => service.child.kill('SIGKILL'))
  return service
}

for (const WORKERS of ['1', '2']) {
  describe(`after SIGTERM, with WORKERS=${WORKERS}`, { concurrency: 2 }, () => {
    test('it serves requests but is not ready until the delay is over, and exits on a second signal', async (t) => {
      const metrics = { METRICS_LISTEN: '127.0.0.1:0' }
      const { child, ended, ask, linesWith, untilLogged, pids } = await start(t, {
        WORKERS,
        SHUTDOWN_DELAY_MS: veryLong,
        ...metrics,
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
  const session = await database.sql.reserve()
  cleanUp(t, () => session.release())
  await session`begin`
  await session`lock table workgate.api_key_uses in access exclusive mode`
  assert.equal((await ask(`${api}/key`, key)).status, 200)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  await session`rollback`
})

test('an unresponsive worker does not delay the shutdown', async (t) => {
  const { child, ended, pids } = await start(t, { WORKERS: '2', SHUTDOWN_GRACE_MS: '200' })
  process.kill(pids()[0]!, 'SIGSTOP')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.ok(pids().every(hasExited))
})
