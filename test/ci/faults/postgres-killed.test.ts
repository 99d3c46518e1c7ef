// PostgreSQL is killed and restarted under load, several times.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoad } from './fault-load.ts'
import { prepare, project, restartServer, startPostgres, startService } from './stage.ts'

const rounds = 3
// prettier-ignore
const ends: [fault: string, signal: 'SIGKILL' | 'SIGQUIT'][] = [
  ['PostgreSQL, kill -9 of the postmaster',          'SIGKILL'],
  ['PostgreSQL, pg_ctl stop -m immediate',           'SIGQUIT'],
]

for (const [fault, signal] of ends) {
  test(`${fault}, ${rounds} times: no acknowledged write is lost, and the service recovers by itself`, async (t) => {
    const server = await startPostgres(t)
    const { sql, key } = await prepare(t, server.url('postgres'))
    const service = await startService(t, { DATABASE_URL: server.url('postgres') })
    const load = startLoad(t, { url: () => service.url, key, project })
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++) {
      await load.untilServed(10)
      await server.stop(signal)
      await load.untilRefused(100)
      await restartServer(server)
      seconds.push(await load.untilServed())
    }
    await load.check(fault, sql, { kills: rounds, 'seconds until recovery': Math.max(...seconds) })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  })
}
