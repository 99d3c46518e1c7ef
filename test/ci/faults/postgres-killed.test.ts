// PostgreSQL is killed and started again under load, several times.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoad } from './fault-load.ts'
import { prepare, project, startAgain, startPostgres, startService } from './stage.ts'

const rounds = 3
// prettier-ignore
const ends: [fault: string, signal: 'SIGKILL' | 'SIGQUIT'][] = [
  ['PostgreSQL, kill -9 of its first process',       'SIGKILL'],
  ['PostgreSQL, pg_ctl stop -m immediate',           'SIGQUIT'],
]

for (const [fault, signal] of ends) {
  test(`${fault}, ${rounds} times: nothing acknowledged is lost, and it goes on by itself`, async (t) => {
    const server = await startPostgres(t)
    const { sql, key } = await prepare(t, server.url('postgres'))
    const service = await startService(t, { DATABASE_URL: server.url('postgres') })
    const load = startLoad(t, { url: () => service.url, key, project })
    const seconds: number[] = []
    for (let round = 0; round < rounds; round++) {
      await load.untilItGoesOn(10)
      await server.stop(signal)
      await load.untilRefused(100)
      await startAgain(server)
      seconds.push(await load.untilItGoesOn())
    }
    await load.check(fault, sql, { kills: rounds, 'seconds until all is served again': Math.max(...seconds) })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  })
}
