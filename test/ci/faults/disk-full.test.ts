// The disk of a server's PostgreSQL is full, for real.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../src/db/embedded/tied-process.ts'
import type { Server } from '../../support/server.ts'
import { cannotMount, mountDisk, type Disk } from './disk.ts'
import { startLoad } from './load.ts'
import { prepare, project, startAgain, startPostgres, startService } from './stage.ts'

const settings = { max_wal_size: '64MB', min_wal_size: '32MB' }
const fullMs = 5_000

/** What it writes before it answers goes to a disk of its own. */
async function moveWal(server: Server, { path }: Disk): Promise<void> {
  const data = readlinkSync(`/proc/${server.pid()}/cwd`)
  await server.stop()
  execFileSync('sh', [
    '-c',
    'cp -a "$1/pg_wal" "$2/" && rm -r "$1/pg_wal" && ln -s "$2/pg_wal" "$1/pg_wal"',
    'sh',
    data,
    path,
  ])
  await server.start()
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
    'disk full, PostgreSQL has its log of changes on it',
    async (t) => {
      const disk = mountDisk(t, 96)
      const server = await startPostgres(t, settings)
      await moveWal(server, disk)
      return { disk, server }
    },
  ],
]

for (const [fault, start] of kinds) {
  test(`${fault}: 503, nothing acknowledged is lost, and it goes on by itself`, { skip: cannotMount }, async (t) => {
    const { disk, server } = await start(t)
    const { sql, key } = await prepare(t, server.url('postgres'))
    const service = await startService(t, { DATABASE_URL: server.url('postgres') })
    const load = startLoad(t, { url: () => service.url, key, project, bulk: 20_000 })
    await load.untilItGoesOn(5)
    disk.fill()
    await load.untilRefused(50)
    await sleep(fullMs)
    disk.makeRoom()
    // Where it could not even write that it goes on, PostgreSQL has given up.
    const gaveUp = !isAlive(server.pid())
    if (gaveUp) await startAgain(server)
    const seconds = await load.untilItGoesOn()
    await load.check(fault, sql, {
      'PostgreSQL had to be started again': gaveUp ? 'yes' : 'no',
      'seconds until all is served again': seconds,
    })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  })
}
