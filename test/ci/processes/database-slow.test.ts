// A database that is slow, unresponsive or out of connections, on a server of the test's own.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { freshnessConnections } from '../../../src/db/database.ts'
import { askOnce, serverSuite } from '../../support/artifact-suite.ts'
import { api, connect, startArtifact, type Sql } from '../../support/workgate.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'

const poolSize = 3

const { server, url, sql, key } = await serverSuite({ max_connections: '12', superuser_reserved_connections: '0' })

const start = (more: Record<string, string> = {}) =>
  startArtifact({
    DATABASE_URL: url,
    DATABASE_POOL: String(poolSize),
    STATEMENT_TIMEOUT_MS: '300',
    RATE_LIMIT_PER_MINUTE: '0',
    ...more,
  })
const service = await start()
after(() => service.close())

const ask = (path: string, url = service.url) => askOnce(url + path, key)

let sent = 0
/** Sends different requests, none of which is in the response cache. */
const many = (count: number, url?: string) =>
  Promise.all(Array.from({ length: count }, () => ask(`${api}/projects?q=${++sent}`, url)))
const distinct = (statuses: number[]) => [...new Set(statuses)].sort()
const untilAllSucceed = (url?: string) =>
  until('all succeed', async () => (await many(20, url)).every((status) => status === 200))

const serviceBackends = async () =>
  (await sql`select pid from pg_stat_activity where application_name like 'workgate%'`).map((row) => Number(row['pid']))
const untilNoExtraConnections = () =>
  until('no connections are left over', async () => (await serviceBackends()).length <= poolSize + freshnessConnections)

test('a locked table causes 503 and no hang for more requests than the pool and its queue accept', async () => {
  await many(20)
  const before = await serviceBackends()
  await sql`begin`
  await sql`lock table workgate.projects in access exclusive mode`
  try {
    const storm = many(poolSize * 100)
    assert.equal(await ask('/healthz'), 200)
    assert.deepEqual(distinct(await storm), [503])
  } finally {
    await sql`rollback`
  }
  // The service keeps its connections, and they work on the first attempt.
  assert.deepEqual(distinct(await many(20)), [200])
  const after = await serviceBackends()
  assert.deepEqual(before.filter((pid) => !after.includes(pid)), []) // prettier-ignore
  assert.ok(after.length <= poolSize + freshnessConnections, `${after.length} connections`)
})

async function whileSuspended(pids: readonly number[], work: () => Promise<void>) {
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await work()
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

describe('an unresponsive database', () => {
  test('unresponsive connections are replaced by new ones', async () => {
    await many(20)
    await whileSuspended(await serviceBackends(), async () => {
      // One that the service had just replaced can respond.
      assert.ok((await many(poolSize)).includes(503))
      await untilAllSucceed()
    })
    await untilNoExtraConnections()
  })

  test('an unresponsive server causes 503 from /readyz before the statement timeout', async () => {
    const other = await start({ STATEMENT_TIMEOUT_MS: '600000' })
    try {
      // Opens the connections.
      assert.equal(await ask('/readyz', other.url), 200)
      await whileSuspended([server.pid(), ...(await serviceBackends())], async () => {
        const flood = () => Promise.all(Array.from({ length: 100 }, () => ask('/readyz', other.url)))
        assert.deepEqual(distinct(await flood()), [503])
        assert.deepEqual(distinct(await flood()), [503])
      })
      await until('it is ready', async () => (await ask('/readyz', other.url)) === 200)
    } finally {
      await other.close()
    }
  })

  test('an unresponsive server causes 503, does not delay the shutdown, and may respond again', async (t) => {
    const other = await start({ SHUTDOWN_GRACE_MS: '100' })
    cleanUp(t, () => other.child.kill('SIGKILL'))
    await many(20, other.url)
    await whileSuspended([server.pid(), ...(await serviceBackends())], async () => {
      const ended = once(other.child, 'exit')
      other.child.kill('SIGTERM')
      const storm = Promise.all([many(30), ask('/readyz')])
      assert.equal(await ask('/healthz'), 200)
      assert.deepEqual(distinct((await storm).flat()), [503])
      assert.deepEqual(await ended, [0, null])
    })
    await untilAllSucceed()
    await untilNoExtraConnections()
  })
})

test('a server without a free connection causes 503 immediately, and 200 as soon as one is free', async (t) => {
  const others: Sql[] = []
  const lines: string[] = []
  const disconnectOthers = () => Promise.all(others.splice(0).map((other) => other.end({ timeout: 1 })))
  cleanUp(t, disconnectOthers)
  // The service's background work may take a connection at any moment, and keeps it.
  do {
    await until("the service's connections are gone", async () => {
      const ended = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'workgate%'`
      return ended.length === 0
    })
    for (let refused = 0; refused < 5;) {
      const other = connect(url, { max: 1 })
      others.push(other)
      await other`select 1`.catch(() => refused++)
    }
  } while ((await serviceBackends()).length > 0)
  assert.deepEqual(distinct(await many(30)), [503])
  const second = startArtifact({ DATABASE_URL: url, DATABASE_POOL: '1' }, lines)
  await until('a second one waits', () => lines.some((line) => line.includes('waiting for the database')))
  await disconnectOthers()
  await untilAllSucceed()
  await (await second).close()
})
