// Starts that fail because the embedded database is in use or the service cannot continue. See test/commands/serve for
// other starts that fail.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { run } from '../../support/environment.ts'
import { command, runArtifact, startArtifact } from '../../support/workgate.ts'
import { cleanUp, postmasterPid, temporaryFolder, dataFolder } from '../../faults/fixtures/embedded.ts'

const settings = (dataDir: string) => {
  const { postgresBin } = run()
  return { DATA_DIR: dataDir, PORT: '0', ...(postgresBin && { POSTGRES_BIN: postgresBin }) }
}

describe('a data folder', { concurrency: true }, () => {
  test('is refused to a second service, the error names the process in it, and the first keeps running', async (t) => {
    const dataDir = await dataFolder(t)
    const first = await startArtifact(settings(dataDir))
    cleanUp(t, () => first.close())
    const pid = await postmasterPid(dataDir)
    const { code, out, err } = await command(['serve'], settings(dataDir))
    assert.equal(code, 1)
    assert.ok(!out.includes('listening'))
    assert.ok(err.startsWith(`workgate: PostgreSQL (process ${pid}) is already running in DATA_DIR ${dataDir}. `), err)
    assert.ok(!err.includes('\n'), err)
    assert.equal((await first.send('GET //readyz')).status, 200)
    assert.equal(await postmasterPid(dataDir), pid)
  })

  test('is used by only one of two services that start at once', async (t) => {
    const dataDir = await dataFolder(t)
    const both = await Promise.allSettled([startArtifact(settings(dataDir)), startArtifact(settings(dataDir))])
    const [winner, ...more] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    cleanUp(t, () => winner?.close())
    const reasons = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    assert.equal(more.length, 0)
    assert.match(reasons.join('\n'), /exited with 1: workgate: .*already running in DATA_DIR/)
    assert.equal((await winner!.send('GET //readyz')).status, 200)
  })

  test('has no running database after a start that failed because the port was in use', async (t) => {
    const dataDir = await dataFolder(t)
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    cleanUp(t, () => other.close())
    const port = String((other.address() as AddressInfo).port)
    const { code, err } = await command(['serve'], { ...settings(dataDir), PORT: port })
    assert.deepEqual(
      [code, err],
      [
        1,
        `workgate: cannot listen on 127.0.0.1:${port}: the address is in use (EADDRINUSE): stop the program that uses it, or set PORT to another port`,
      ],
    )
    assert.equal(await postmasterPid(dataDir), undefined)
  })

  test('has no running database after the service was stopped during its start', async (t) => {
    const dataDir = await temporaryFolder(t)
    const child = runArtifact(['serve'], settings(dataDir))
    cleanUp(t, () => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await once(child.stdout!, 'data')
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.equal(await postmasterPid(dataDir), undefined)
    const again = await startArtifact(settings(dataDir))
    await again.close()
  })
})

test('help and version need no settings', async () => {
  for (const name of ['help', '--help', 'version', '--version']) {
    const { code, out, err } = await command([name], { PORT: 'abc', DATABASE_URL: 'x' })
    assert.deepEqual([code, err], [0, ''])
    assert.notEqual(out, '')
  }
})
