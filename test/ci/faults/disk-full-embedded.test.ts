// The disk of the embedded database, or that of the logs, is full for real.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUp, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'
import { insertData } from '../../support/data.ts'
import { freePort } from '../../support/server.ts'
import { command, connect, issueKey, startArtifact } from '../../support/workgate.ts'
import { ask } from './ask.ts'
import { cannotMount, mountDisk } from './disk.ts'
import { printFigures } from '../../support/figures.ts'
import { startLoad } from './fault-load.ts'
import { project } from './stage.ts'

const options = { skip: cannotMount }
const settingsFor = (dataDir: string) => ({
  DATA_DIR: dataDir,
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '0',
})
const fullMs = 4_000

async function start(t: TestContext, dataDir: string) {
  const service = await startArtifact(settingsFor(dataDir))
  cleanUp(t, () => service.close())
  return service
}

for (const when of ['before its first start', 'at a later start']) {
  test(
    `DATA_DIR is full ${when}, which fails with the reason, and succeeds once there is space`,
    options,
    async (t) => {
      const isFirst = when === 'before its first start'
      const disk = mountDisk(t, isFirst ? 10 : 256)
      const dataDir = join(disk.path, 'data')
      if (!isFirst) {
        await (await startArtifact(settingsFor(dataDir))).close()
        disk.fill()
      }
      const { code, err } = await command(['serve'], settingsFor(dataDir))
      assert.equal(code, 1)
      assert.match(err, /^workgate: .*no space left on device/i)
      if (isFirst) disk.grow(256)
      else disk.makeRoom()
      const service = await start(t, dataDir)
      assert.equal((await service.send('GET //readyz')).status, 200)
      printFigures(`disk full, DATA_DIR ${when}`, { 'exit code': 1, 'starts once there is space': 'yes' })
    },
  )
}

test(
  'DATA_DIR is full for a while: 503, no acknowledged write is lost, and the service recovers by itself',
  options,
  async (t) => {
    const disk = mountDisk(t, 256)
    const dataDir = join(disk.path, 'data')
    const service = await start(t, dataDir)
    const sql = connect(`postgres://workgate@localhost/workgate?host=${dataDir}`, { max: 1 })
    cleanUp(t, () => sql.end({ timeout: 1 }))
    await insertData(sql)
    const load = startLoad(t, { url: () => service.url, key: await issueKey(sql, 'load'), project, bulk: 20_000 })
    await load.untilServed(5)
    disk.fill()
    await load.untilRefused(50)
    await sleep(fullMs)
    disk.makeRoom()
    const seconds = await load.untilServed()
    await load.check('disk full, DATA_DIR', sql, { 'seconds until recovery': seconds })
    assert.deepEqual([service.child.exitCode, service.child.signalCode], [null, null])
  },
)

test(
  'the disk of the logs is full: every request is served, and logging resumes once there is space',
  options,
  async (t) => {
    const dataDir = await temporaryFolder(t)
    await (await startArtifact(settingsFor(dataDir))).close()
    const ofPostgres = mountDisk(t, 1, join(dataDir, 'log'))
    const ofService = mountDisk(t, 1)
    const port = await freePort()
    const logFile = join(ofService.path, 'log')
    for (const workers of ['1', '2']) {
      const log = openSync(logFile, 'a')
      const child = spawn(process.execPath, ['dist/workgate.mjs', 'serve'], {
        env: { PATH: process.env['PATH'], ...settingsFor(dataDir), PORT: String(port), WORKERS: workers },
        stdio: ['ignore', log, 'inherit'],
      })
      closeSync(log)
      cleanUp(t, () => child.kill('SIGKILL'))
      const address = `http://127.0.0.1:${port}`
      const isReady = () => ask(`${address}/readyz`, {}).then(({ status }) => status === 200, () => false) // prettier-ignore
      await until('it is ready', isReady)
      ofService.fill()
      ofPostgres.fill()
      for (let n = 0; n < 200; n++) assert.ok(await isReady())
      ofService.makeRoom()
      ofPostgres.makeRoom()
      const mark = `after-${workers}`
      // The first ones are only counted, as there were many requests without a key.
      await until('one is logged', async () => {
        await ask(`${address}/healthz`, { headers: { 'x-request-id': mark } })
        return readFileSync(logFile, 'utf8').includes(mark)
      })
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
      printFigures(`disk of the logs full, WORKERS=${workers}`, { 'requests made': 200, 'status 200': 200 })
    }
  },
)
