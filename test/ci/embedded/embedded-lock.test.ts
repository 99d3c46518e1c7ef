// postmaster.pid contains a process id. A server starts in the folder unless that process serves it.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmod, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import {
  isResponding,
  cleanUp,
  dataFolder,
  optionsFor,
  query,
  serve,
  temporaryFolder,
} from '../../faults/fixtures/embedded.ts'

const lockFile = (dataDir: string) => join(dataDir, 'postgres', 'postmaster.pid')

/** Returns the lock file that a server leaves behind when the power fails. */
async function lockOfDeadServer(dataDir: string): Promise<string> {
  const server = await startEmbedded(optionsFor(dataDir))
  await query(dataDir, 'create table kept as select 42 as n')
  const lock = await readFile(lockFile(dataDir), 'utf8')
  await server.stop()
  return lock
}

async function sleepingProcess(t: TestContext, dataDir: string): Promise<number> {
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const other = spawn('sleep', ['600'], process.getuid?.() === 0 ? { uid, gid } : {})
  cleanUp(t, () => other.kill())
  return other.pid!
}

async function otherServer(t: TestContext): Promise<{ dataDir: string; pid: number }> {
  const dataDir = await dataFolder(t)
  const server = await serve(t, optionsFor(dataDir))
  return { dataDir, pid: server.pid()! }
}

async function unusedPath(t: TestContext): Promise<string> {
  const parent = await temporaryFolder(t)
  await chmod(parent, 0o755)
  return join(parent, 'data')
}

describe('the lock file of the embedded database', { concurrency: 2 }, () => {
  test('is ignored if its process id now belongs to another PostgreSQL, which keeps running', async (t) => {
    const dataDir = await dataFolder(t)
    const lock = await lockOfDeadServer(dataDir)
    const other = await otherServer(t)
    for (const status of ['ready   ', 'stopping', 'starting']) {
      const stale = lock.replace(/^\d+/, String(other.pid)).replace('ready   ', status)
      for (const name of ['postgres/postmaster.pid', '.s.PGSQL.5432.lock']) await writeFile(join(dataDir, name), stale)
      const server = await startEmbedded(optionsFor(dataDir))
      assert.deepEqual(await query(dataDir, 'select n from kept'), ['42'], status)
      await server.stop()
    }
    assert.ok(await isResponding(other.dataDir))
  })

  test('is ignored if its process id now belongs to another program', async (t) => {
    const dataDir = await dataFolder(t)
    const lock = await lockOfDeadServer(dataDir)
    const stale = lock.replace(/^\d+/, String(await sleepingProcess(t, dataDir)))
    for (const name of ['postgres/postmaster.pid', '.s.PGSQL.5432.lock']) await writeFile(join(dataDir, name), stale)
    await serve(t, optionsFor(dataDir))
    assert.deepEqual(await query(dataDir, 'select n from kept'), ['42'])
  })

  test('prevents a start in a folder moved while its server runs, and the error names the process', async (t) => {
    const first = await otherServer(t)
    const dataDir = await unusedPath(t)
    await rename(first.dataDir, dataDir)
    cleanUp(t, () => rename(dataDir, first.dataDir))
    await assert.rejects(startEmbedded(optionsFor(dataDir)), new RegExp(`already running.*kill -INT ${first.pid}\\)`))
    assert.ok(await isResponding(dataDir))
  })

  test('prevents a start if the server is in another container, and the error names no process to kill', async (t) => {
    const { dataDir } = await otherServer(t)
    const lock = await readFile(lockFile(dataDir), 'utf8')
    await writeFile(lockFile(dataDir), lock.replace(/^\d+/, String(await sleepingProcess(t, dataDir))))
    await assert.rejects(startEmbedded(optionsFor(dataDir)), ({ message }: Error) => {
      assert.match(message, /appears to be running already in DATA_DIR/)
      assert.doesNotMatch(message, /kill/)
      return true
    })
    assert.ok(await isResponding(dataDir))
    await writeFile(lockFile(dataDir), lock)
  })

  test('prevents a start in a copy of a running server, with advice, and the original keeps running', async (t) => {
    const original = await otherServer(t)
    const dataDir = await unusedPath(t)
    execFileSync('cp', ['-a', original.dataDir, dataDir])
    await assert.rejects(startEmbedded(optionsFor(dataDir)), ({ message }: Error) => {
      assert.match(
        message,
        new RegExp(`was copied from ${original.dataDir} while .*process ${original.pid}\\) was running`),
      )
      assert.match(message, /stop the Workgate of the original, and copy again/)
      assert.doesNotMatch(message, /kill/)
      return true
    })
    assert.ok(await isResponding(original.dataDir))
    // The error's advice for a snapshot. This copy is just as good, because nothing was written while it was made.
    await rm(lockFile(dataDir))
    await serve(t, optionsFor(dataDir))
    assert.ok(await isResponding(dataDir))
  })

  test('is ignored in a copy made after a crash, whatever happened to the original', async (t) => {
    const first = await dataFolder(t)
    const lock = await lockOfDeadServer(first)
    const dataDir = await unusedPath(t)
    execFileSync('cp', ['-a', first, dataDir])
    const again = await serve(t, optionsFor(first))
    // In a container, every start gets the same process id.
    await writeFile(
      lockFile(dataDir),
      lock.replace(/^\d+/, String(again.pid())).replace(/^(.*\n.*\n)\d+/, '$11000000000'),
    )
    await serve(t, optionsFor(dataDir))
    assert.deepEqual(await query(dataDir, 'select n from kept'), ['42'])
  })
})
