// PostgreSQL is stopped or killed and restarted under load, or its backends are terminated, several times.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshnessConnections } from '../../../src/db/database.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { random } from '../../support/random.ts'
import { startLoad } from './fault-load.ts'
import { prepare, project, restartServer, startPostgres, startService } from './stage.ts'

const rounds = 3
// prettier-ignore
const ends: [fault: string, signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'][] = [
  ['PostgreSQL, kill -9 of the postmaster',          'SIGKILL'],
  ['PostgreSQL, pg_ctl stop -m immediate',           'SIGQUIT'],
  ['PostgreSQL, pg_ctl stop -m fast',                'SIGINT'],
]

async function start(t: TestContext) {
  const server = await startPostgres(t)
  const { sql, key } = await prepare(t, server.url('postgres'))
  const service = await startService(t, { DATABASE_URL: server.url('postgres') })
  const load = startLoad(t, { url: () => service.url, key, project })
  await load.untilServed(10)
  return { server, sql, service, load }
}

for (const [fault, signal] of ends) {
  test(`${fault}, ${rounds} times: no acknowledged write is lost, and the service recovers by itself`, async (t) => {
    const { server, sql, service, load } = await start(t)
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++) {
      await load.untilServed(10)
      await server.stop(signal)
      await until('it is not ready', async () => (await service.send('GET //readyz')).status === 503)
      assert.equal((await service.send('GET //healthz')).status, 200)
      assert.equal((await service.send('HEAD //docs')).status, 200)
      await load.untilRefused(100)
      await restartServer(server)
      seconds.push(await load.untilServed())
    }
    await load.check(fault, sql, { kills: rounds, 'seconds until recovery': Math.max(...seconds) })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  })
}

test('backends are terminated repeatedly: no acknowledged write is lost, and no connection is left over', async (t) => {
  const { sql, service, load } = await start(t)
  const chance = random(7)
  let terminated = 0
  for (let round = 0; terminated <= 80 && round < 400; round++) {
    const rows = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'workgate%' and ${chance()}::float8 < 0.7`
    terminated += rows.length
    await sleep(chance() * 20)
  }
  const seconds = await load.untilServed(5)
  await load.check('backends are terminated', sql, { terminated, 'seconds until recovery': seconds })
  assert.ok(terminated > 80, `${terminated} backends were terminated`)
  const left = await sql`select from pg_stat_activity where application_name like 'workgate%'`
  assert.ok(left.length <= 10 + freshnessConnections, `${left.length} connections are left`)
  assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
})
