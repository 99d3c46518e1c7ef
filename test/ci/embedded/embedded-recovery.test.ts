// Recovery of the embedded database after it, its service or a part of them was killed. Nothing is left behind.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { isAlive } from '../../../src/db/embedded/child-process.ts'
import {
  isResponding,
  kill,
  killBackendOf,
  optionsFor,
  query,
  serve,
  service,
  dataFolder,
  temporaryFolder,
  until,
} from '../../faults/fixtures/embedded.ts'

describe('recovery of the embedded database', { concurrency: 2 }, () => {
  test('PostgreSQL is killed while a backend is busy: the new one waits for it', async (t) => {
    const dataDir = await dataFolder(t)
    const server = await serve(t, optionsFor(dataDir))
    // A busy backend does not check that its server is alive, so it outlives the server by seconds.
    const loop = 'declare x float; begin for i in 1..12000000 loop x := sqrt(i); end loop; end'
    query(dataDir, `do $$ ${loop} $$`).catch(() => {})
    await sleep(300)
    const pid = server.pid()!
    process.kill(pid, 'SIGKILL')
    await until('another one runs', () => server.pid() !== undefined && server.pid() !== pid)
    assert.ok(await isResponding(dataDir))
  })

  test('a backend is killed: the server recovers by itself', async (t) => {
    const dataDir = await dataFolder(t)
    const server = await serve(t, optionsFor(dataDir))
    const pid = server.pid()
    const { outcome } = await killBackendOf(dataDir, `select 'secret of a project', pg_sleep(60)`)
    await assert.rejects(outcome)
    await until('it responds', () => isResponding(dataDir))
    assert.equal(server.pid(), pid)
  })

  test('the shell around PostgreSQL is killed: no unsupervised process keeps running', async (t) => {
    const dataDir = await dataFolder(t)
    const server = await serve(t, optionsFor(dataDir))
    const pid = server.pid()!
    const shell = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)]).toString())
    process.kill(shell, 'SIGKILL')
    await until('another one runs', () => server.pid() !== undefined && server.pid() !== pid)
    assert.ok(!isAlive(pid))
    assert.ok(await isResponding(dataDir))
  })

  test('the service is killed at any moment of its first start: nothing incomplete remains', async (t) => {
    const dataDir = await temporaryFolder(t)
    for (const moment of [400, 500, 650, 800, 1000, 1300]) {
      const started = service(t, dataDir)
      await sleep(moment)
      await kill(started, 'SIGKILL')
    }
    await serve(t, optionsFor(dataDir))
    assert.ok(await isResponding(dataDir))
    const names = await readdir(dataDir)
    assert.deepEqual(names.sort(), ['.s.PGSQL.5432', '.s.PGSQL.5432.lock', 'log', 'postgres'])
  })

  test('the service stops between a crash and the restart: PostgreSQL does not restart', async (t) => {
    const dataDir = await dataFolder(t)
    const server = await startEmbedded(optionsFor(dataDir))
    process.kill(server.pid()!, 'SIGKILL')
    await until('the crash was noticed', () => server.pid() === undefined)
    await server.stop()
    await sleep(300)
    assert.equal(server.pid(), undefined)
    assert.equal(await isResponding(dataDir), false)
  })

  test('PostgreSQL cannot be kept running: the error says so and names its log', async (t) => {
    const dataDir = await dataFolder(t)
    const server = await serve(t, optionsFor(dataDir))
    await rename(join(dataDir, 'postgres', 'global'), join(dataDir, 'postgres', 'gone'))
    process.kill(server.pid()!, 'SIGKILL')
    const error = await server.failed
    assert.match(error.message, /cannot be kept running.*\/log/)
  })
})
