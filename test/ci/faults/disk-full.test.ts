// The disk of a PostgreSQL server is full for real.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../src/db/embedded/child-process.ts'
import { until, succeeds } from '../../faults/fixtures/embedded.ts'
import type { Server } from '../../support/server.ts'
import type { Sql } from '../../support/workgate.ts'
import { cannotMount, mountDisk, type Disk } from './disk.ts'
import { startLoad } from './fault-load.ts'
import { prepare, project, restartServer, startPostgres, startService } from './stage.ts'

const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
const fullMs = 5_000

/** Moves the write-ahead log to a disk of its own. */
async function moveWal(server: Server, { path }: Disk): Promise<void> {
  await server.stop()
  execFileSync('sh', [
    '-c',
    'cp -a "$1/pg_wal" "$2/" && rm -r "$1/pg_wal" && ln -s "$2/pg_wal" "$1/pg_wal"',
    'sh',
    server.pgdata,
    path,
  ])
  await server.start()
}

/** Makes the service reconnect. New connections first have to write a file that PostgreSQL itself deletes at times. */
async function forceReconnect(server: Server, sql: Sql): Promise<void> {
  rmSync(join(server.pgdata, 'global', 'pg_internal.init'), { force: true })
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'workgate%'`.catch(
    () => {},
  )
}

const kinds: [fault: string, start: (t: TestContext) => Promise<{ disk: Disk; server: Server }>][] = [
  [
    'disk full, all of PostgreSQL on it',
    async (t) => {
      const disk = mountDisk(t, 256)
      return { disk, server: await startPostgres(t, settings, disk.path) }
    },
  ],
  [
    'disk full, PostgreSQL has its write-ahead log on it',
    async (t) => {
      const disk = mountDisk(t, 96)
      const server = await startPostgres(t, settings)
      await moveWal(server, disk)
      return { disk, server }
    },
  ],
]

for (const [fault, start] of kinds) {
  test(`${fault}: 503, no acknowledged write is lost, and the service recovers`, { skip: cannotMount }, async (t) => {
    const { disk, server } = await start(t)
    const { sql, key } = await prepare(t, server.url('postgres'))
    const service = await startService(t, { DATABASE_URL: server.url('postgres') })
    const load = startLoad(t, { url: () => service.url, key, project, bulk: 20_000 })
    await load.untilServed(5)
    disk.fill()
    await load.untilRefused(50)
    await forceReconnect(server, sql)
    await sleep(fullMs)
    disk.makeRoom()
    let starts = 0
    // PostgreSQL has exited if it could not even write the end of its recovery.
    await until('PostgreSQL responds', async () => {
      if (!isAlive(server.pid())) await Promise.all([starts++, restartServer(server)])
      return succeeds(sql`select 1`)
    })
    const seconds = await load.untilServed()
    await load.check(fault, sql, {
      'PostgreSQL had to be restarted': starts > 0 ? 'yes' : 'no',
      'seconds until recovery': seconds,
    })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  })
}
