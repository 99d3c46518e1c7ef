// What the service does between the signal and its end: first it says so, then it ends within its grace, whatever hangs. Against the artifact.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test, type TestContext } from 'node:test'
import { id, insertData, web } from '../../support/data.ts'
import { api, freshDatabase, issueKey } from '../../support/workgate.ts'
import { isDisconnected, startWorkers } from '../../workers/workers-service.ts'
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
  describe(`after SIGTERM, with ${WORKERS} processes`, { concurrency: 2 }, () => {
    test('it is not ready, but requests are answered until the delay is over; a second signal ends it at once', async (t) => {
      const metrics = { METRICS_LISTEN: '127.0.0.1:0' }
      const { child, ended, ask, said, says, pids } = await start(t, {
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
      await says('stopping')
      // Each on a connection of its own, so that all workers are asked.
      await until('all are red', async () => {
        const all = await Promise.all([1, 2, 3, 4].map(() => ask('/readyz', key)))
        return all.every(({ status, body }) => status === 503 && body.code === 'UNAVAILABLE')
      })
      for (const path of ['/healthz', `${api}/projects`, `${task}/work-packet/verification?minVersion=1&wait=30`]) {
        const { status, headers } = await ask(path, key, agent)
        assert.deepEqual([status, headers.connection], [200, 'close'], path)
      }
      const { status } = await fetch(said('serving metrics')[0]!['url'] as string)
      assert.equal(status, 200, 'metrics are there until the end')
      assert.equal(child.exitCode, null)
      // Another one does it as well.
      child.kill('SIGINT')
      assert.deepEqual(await ended, [1, null])
      await waiting
      await until('all are gone', () => WORKERS === '1' || pids().every(isDisconnected))
    })

    test('it is red before it takes no more, and ends by itself', async (t) => {
      const { child, ended, ask, said } = await start(t, { WORKERS, SHUTDOWN_DELAY_MS: '1500' })
      const seen: (number | string)[] = []
      child.kill('SIGTERM')
      while (seen.at(-1) !== 'ECONNREFUSED') {
        // A connection that comes with the end is closed before it is asked.
        const now = await ask('/readyz', key).then(({ status }) => status, ({ code }) => code as string) // prettier-ignore
        if (now !== seen.at(-1) && now !== 'ECONNRESET') seen.push(now)
        await sleep(10)
      }
      assert.deepEqual(seen.slice(-2), [503, 'ECONNREFUSED'])
      assert.deepEqual(await ended, [0, null])
      assert.equal(said('stopped').length, 1)
    })
  })
}

test('what cannot be written at the end does not hold it up', async (t) => {
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

test('a worker that hears nothing any more does not hold it up', async (t) => {
  const { child, ended, pids } = await start(t, { WORKERS: '2', SHUTDOWN_GRACE_MS: '200' })
  process.kill(pids()[0]!, 'SIGSTOP')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
  assert.ok(pids().every(isDisconnected))
})
