// The primary is lost under load, and a streaming replica takes its place.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startProxy } from '../../faults/fixtures/proxy.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import type { Server } from '../../support/server.ts'
import { printFigures } from '../../support/figures.ts'
import { valuesOf } from '../../support/values.ts'
import { startLoad } from './fault-load.ts'
import { addressOf, startPair } from './replicas.ts'
import { project, restartServer, startService } from './stage.ts'

type Setup = (t: TestContext, primary: Server, replica: Server) => Promise<{ url: string; move?: () => void }>

const setups: [fault: string, setUp: Setup][] = [
  [
    'failover, DATABASE_URL names primary and replica',
    async (_, primary, replica) => ({ url: addressOf('postgres', primary, replica) }),
  ],
  [
    'failover, DATABASE_URL names replica and primary',
    async (_, primary, replica) => ({ url: addressOf('postgres', replica, primary) }),
  ],
  [
    'failover, a proxy whose target moves',
    async (t, primary, replica) => {
      let target = primary
      const proxy = await startProxy(primary.url('postgres'), () => target.url('postgres'))
      cleanUp(t, proxy.close)
      return { url: proxy.url, move: () => (target = replica) }
    },
  ],
]

for (const [fault, setUp] of setups) {
  test(`${fault}: no acknowledged write is lost, and the service recovers by itself`, async (t) => {
    const { primary, replica, replicaSql, key } = await startPair(t, 'synchronous')
    const { url, move } = await setUp(t, primary, replica)
    const service = await startService(t, { DATABASE_URL: url })
    const load = startLoad(t, { url: () => service.url, key, project })
    await load.untilServed(20)
    await primary.stop('SIGKILL')
    await load.untilRefused(50)
    await replicaSql`select pg_promote()`
    move?.()
    const seconds = await load.untilServed()
    await load.untilServed(10)
    await load.check(fault, replicaSql, { 'seconds until recovery': seconds })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  })
}

test('the synchronous replica is down: no write is acknowledged that only the primary has', async (t) => {
  const { replica, sql, key, url } = await startPair(t, 'synchronous')
  const service = await startService(t, { DATABASE_URL: url, STATEMENT_TIMEOUT_MS: '500' })
  const load = startLoad(t, { url: () => service.url, key, project })
  await load.untilServed(10)
  await replica.stop('SIGKILL')
  await load.untilRefused(5)
  const before = load.written()
  await load.untilRefused(20)
  assert.equal(load.written(), before)
  await restartServer(replica)
  const seconds = await load.untilServed()
  await load.check('the synchronous replica is down for a while', sql, { 'seconds until recovery': seconds })
})

test('a promoted asynchronous replica may lack the last writes, and responses contain only its rows', async (t) => {
  const { primary, sql, replicaSql, key, url } = await startPair(t, 'asynchronous')
  const service = await startService(t, { DATABASE_URL: url })
  const create = async (title: string) => {
    const reply = await service.send(`POST /projects/${project}/tasks`, {
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
    return reply.status === 201
  }
  const read = (limit: number, etag = '') =>
    service.send(`GET /projects/${project}/tasks?limit=${limit}`, { key, headers: { 'if-none-match': etag } })
  const titlesOf = async (used: typeof sql) =>
    (await used`select title from workgate.tasks where project_id = ${project} order by created_at desc, id desc`).map(
      (row) => row['title'] as string,
    )

  for (let n = 0; n < 3; n++) assert.ok(await create(`Replicated ${n}`))
  await until('all is replicated', async () => (await titlesOf(replicaSql)).length === (await titlesOf(sql)).length)
  const [{ pid }] = (await sql`select pid from pg_stat_replication`) as any
  process.kill(pid, 'SIGSTOP')
  const lost = 4
  for (let n = 0; n < lost; n++) assert.ok(await create(`Not replicated ${n}`))
  // Then more changes than the replica lacks. After each, one list is read whose response was cached before the
  // failover and has not been read since.
  const limits = Array.from({ length: 2 * lost }, (_, n) => 100 + n)
  const etags = await Promise.all(limits.map(async (limit) => (await read(limit)).headers['etag']!))
  await primary.stop('SIGKILL')
  process.kill(pid, 'SIGKILL')
  await replicaSql`select pg_promote()`
  for (const [n, limit] of limits.entries()) {
    await until('a task is created', () => create(`After ${n}`))
    const { status, body } = await read(limit, etags[n])
    assert.equal(status, 200)
    assert.deepEqual(valuesOf(body.data, 'title'), await titlesOf(replicaSql))
  }
  printFigures('failover to an asynchronous replica that lags', { 'lost because not replicated': lost, stale: 0 }) // prettier-ignore
})
