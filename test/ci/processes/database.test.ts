// The database crashes while the artifact has cached responses, and a connection is lost during a transaction. Faults
// under load are in test/ci/faults.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../../src/db/database.ts'
import { DatabaseUnavailable } from '../../../src/db/errors.ts'
import { routes } from '../../../src/routes.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { fill, requiredQuery, web } from '../../support/data.ts'
import { askOnce, serverSuite } from '../../support/artifact-suite.ts'
import { api, startArtifact } from '../../support/workgate.ts'
import { restartServer } from '../faults/stage.ts'

const { server, url, sql, key } = await serverSuite()
const service = await startArtifact({ DATABASE_URL: url, RATE_LIMIT_PER_MINUTE: '0' })
after(() => service.close())

const ask = (path: string) => askOnce(service.url + api + path, key)

test('the response cache serves no reads while the database is down, and all reads succeed once it is up', async () => {
  const reads = routes.filter(([method]) => method === 'GET').map(([, path]) => fill(path, web) + requiredQuery(path))
  const statuses = async () => new Set(await Promise.all([...reads, ...reads].map(ask)))
  await until('all responses are cached', async () => (await statuses()).has(503) === false)
  await server.stop('SIGKILL')
  assert.deepEqual([...(await statuses())], [503])
  await restartServer(server)
  await until('all succeed again', async () => (await statuses()).has(503) === false)
})

test('a transaction that loses its connection does not continue on another one', async () => {
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 10_000 })
  const lost = db.session(async (session) => {
    await session.script('begin; create table public.before_the_loss ()')
    const [row] = await session.run<{ pid: number }>('select pg_backend_pid() as pid')
    await sql`select pg_terminate_backend(${row!.pid})`
    // The pool notices the loss, and could open another connection.
    await sleep(200)
    await session.script('create table public.after_the_loss ()')
  })
  await assert.rejects(lost, DatabaseUnavailable)
  assert.equal((await sql`select from pg_tables where tablename like '%the_loss'`).length, 0)
  await db.close()
})
