// The database stops and restarts while the artifact serves requests, on a server of the test's own.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, freshnessConnections } from '../../../src/db/database.ts'
import { DatabaseUnavailable } from '../../../src/db/errors.ts'
import { routes } from '../../../src/routes.ts'
import { fill, insertData, web } from '../../support/data.ts'
import { run } from '../../support/environment.ts'
import { random } from '../../support/random.ts'
import { startServer, type Server } from '../../support/server.ts'
import { api, command, connect, issueKey, startArtifact, type Sql } from '../../support/workgate.ts'
import { until } from '../../faults/fixtures/embedded.ts'

let server: Server
let url: string
let service: Awaited<ReturnType<typeof startArtifact>>
let key: string

before(async () => {
  server = await startServer(run().postgresBin)
  url = server.url('postgres')
  assert.equal((await command(['migrate'], { DATABASE_URL: url })).code, 0)
  await withSql(async (sql) => {
    await insertData(sql)
    key = await issueKey(sql, 'load')
  })
  service = await startArtifact({ DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '0' })
})
after(async () => {
  await service.close()
  await server.remove()
})

async function withSql<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect(url, { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

let sent = 0
/** Half of the requests are new each time, so they are not in the response cache. */
const paths = [
  () => '/readyz',
  () => `${api}/key`,
  () => `${api}/projects?q=${++sent}`,
  () => `${api}/projects/${web}`,
  () => `${api}/projects/${web}/users?q=${++sent}`,
  () => `${api}/projects/${web}/tasks?q=${++sent}`,
]

async function ask(path: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(service.url + path, { headers, signal: AbortSignal.timeout(30_000) })
  const body: any = await reply.json()
  if (reply.status === 200) return 200
  assert.deepEqual([reply.status, body.status, body.code], [503, 503, 'UNAVAILABLE'], path)
  assert.equal(reply.headers.get('content-type'), 'application/problem+json')
  assert.equal(reply.headers.get('retry-after'), '1')
  return 503
}

/** Sends requests to all paths while `work` runs. Fails if a status is neither 200 nor 503. */
async function underLoad(work: (answered: { 200: number; 503: number }) => Promise<void>): Promise<void> {
  const answered: Record<number, number> & { 200: number; 503: number } = { 200: 0, 503: 0 }
  let runs = true
  const clients = Array.from({ length: 12 }, async (_, n) => {
    for (; runs; n++) {
      answered[await ask(paths[n % paths.length]!())]! += 1
      await sleep(2)
    }
  })
  const probes = (async () => {
    for (; runs; await sleep(10)) {
      assert.equal(await ask('/healthz'), 200)
      assert.equal((await fetch(`${service.url}/docs`, { method: 'HEAD' })).status, 200)
    }
  })()
  const all = Promise.all([probes, ...clients])
  try {
    await Promise.race([all, until('requests succeed', () => answered[200] > 50).then(() => work(answered))])
  } finally {
    runs = false
  }
  await all
}

const allSucceed = async () => (await Promise.all(paths.map((path) => ask(path())))).every((status) => status === 200)

async function assertRecovered(pid: number | undefined) {
  await until('all succeed again', allSucceed)
  for (let round = 0; round < 5; round++) assert.ok(await allSucceed(), 'requests keep succeeding')
  assert.deepEqual([service.child.pid, service.child.exitCode, service.child.signalCode], [pid, null, null])
}

describe('under load', () => {
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    test(`the service recovers after the server is stopped with ${signal} and restarted`, async () => {
      const { pid } = service.child
      await underLoad(async (answered) => {
        await server.stop(signal)
        await until('it is not ready', async () => (await ask('/readyz')) === 503)
        const before = answered[503]
        await until('requests are refused', () => answered[503] > before + 50)
        await startAgain()
        await until('all succeed again', allSucceed)
      })
      await assertRecovered(pid)
    })
  }

  test('the service recovers after its backends are terminated repeatedly', async () => {
    const { pid } = service.child
    const chance = random(7)
    await underLoad((answered) =>
      withSql(async (sql) => {
        let ended = 0
        for (let round = 0; ended <= 80 && round < 400; round++) {
          const rows = await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'workgate' and ${chance()}::float8 < 0.7`
          ended += rows.length
          await sleep(chance() * 20)
        }
        assert.ok(ended > 80, `${ended} backends were terminated`)
        assert.ok(answered[503] > 0, 'some of them were busy')
      }),
    )
    await assertRecovered(pid)
    const [left] = await withSql(
      (sql) => sql`select count(*)::integer from pg_stat_activity where application_name = 'workgate'`,
    )
    assert.ok(left!['count'] <= 10 + freshnessConnections, `${left!['count']} connections are left`)
  })
})

test('the response cache serves no reads while the database is down, and all reads succeed once it is up', async () => {
  const reads = routes
    .filter(([method]) => method === 'GET')
    .map(([, path]) => api + fill(path, web) + (path.endsWith('/verification') ? '?state=open' : ''))
  const statuses = async () => new Set(await Promise.all([...reads, ...reads].map(ask)))
  await until('all responses are cached', async () => (await statuses()).has(503) === false)
  await server.stop('SIGKILL')
  assert.deepEqual([...(await statuses())], [503])
  await startAgain()
  await until('all succeed again', async () => (await statuses()).has(503) === false)
})

test('a transaction that loses its connection does not continue on another one', async () => {
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 10_000 })
  const lost = db.session(async (session) => {
    await session.script('begin; create table public.before_the_loss ()')
    const [row] = await session.run<{ pid: number }>('select pg_backend_pid() as pid')
    await withSql((sql) => sql`select pg_terminate_backend(${row!.pid})`)
    await sleep(200)
    await session.script('create table public.after_the_loss ()')
  })
  await assert.rejects(lost, DatabaseUnavailable)
  const tables = await withSql((sql) => sql`select from pg_tables where tablename like '%the_loss'`)
  assert.equal(tables.length, 0)
  await db.close()
})

/** Retries, because after a crash the last process of the old server may still be running. */
async function startAgain() {
  await until('the server starts', () =>
    server.start().then(
      () => true,
      () => false,
    ),
  )
}
