// The artifact with its embedded database, run without any other installation: its first start, a crash, its commands,
// and starts that fail because the database is in use. See serve.test.ts and mistakes.test.ts for others.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { run } from '../../support/environment.ts'
import { recordSecret } from '../../support/log.ts'
import { api, command, runArtifact, startArtifact } from '../../support/workgate.ts'
import {
  cleanUp,
  dataFolder,
  kill,
  postmasterPid,
  service as start,
  temporaryFolder,
  until,
  succeeds,
} from '../../faults/fixtures/embedded.ts'

const execute = promisify(execFile)

test('the service starts in an empty folder, responds, survives a crash of PostgreSQL and shuts down', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = start(t, dataDir)
  const hint = `no API keys exist yet; create one: DATA_DIR=${dataDir} node dist/workgate.mjs keys create first`
  await until('it listens and prints the hint', () => service.output().includes(hint))
  const url = /"url":"([^"]+)"/.exec(service.output())![1]!

  const made = await command(['keys', 'create', 'first', '--all-projects'], { DATA_DIR: dataDir })
  assert.deepEqual([made.code, made.err], [0, ''])
  recordSecret(made.out)
  const ask = () => fetch(`${url}${api}/projects`, { headers: { authorization: `Bearer ${made.out}` } })
  assert.equal((await ask()).status, 200)

  // Meanwhile, an operator runs SQL with a PostgreSQL client.
  const psql = (statement: string) => execute('psql', ['-h', dataDir, '-U', 'workgate', '-XAtc', statement])
  const hasPsql = await succeeds(execute('psql', ['--version']))
  if (!hasPsql && process.env['CI']) throw new Error('psql is missing')
  if (hasPsql) {
    await psql(`insert into workgate.projects (key, name) values ('SQL', 'By SQL')`)
    assert.equal(((await (await ask()).json()) as any).data[0].name, 'By SQL')
  } else t.diagnostic('SKIPPED: there is no psql on this machine')

  const before = (await postmasterPid(dataDir))!
  process.kill(before, 'SIGKILL')
  const statuses = new Set<number>()
  await until('it responds again', async () => {
    // The process id is read first, so that the response is from the new PostgreSQL, not from a backend of the old one.
    const pid = await postmasterPid(dataDir)
    const reply = await ask()
    statuses.add(reply.status)
    if (reply.status === 503) {
      assert.equal(reply.headers.get('retry-after'), '1')
      assert.equal(((await reply.json()) as any).code, 'UNAVAILABLE')
    } else await reply.arrayBuffer()
    return reply.status === 200 && pid !== undefined && pid !== before
  })
  for (const status of statuses) assert.ok([200, 503].includes(status), String(status))
  assert.match(service.output(), /"level":"warn".*exited unexpectedly/)

  await kill(service, 'SIGTERM')
  assert.equal(service.child.exitCode, 0)
  assert.equal(await postmasterPid(dataDir), undefined)
  const logs = await Promise.all(
    (await readdir(join(dataDir, 'log'))).map((file) => readFile(join(dataDir, 'log', file), 'utf8')),
  )
  assert.ok(!logs.join('').includes(made.out))
  assert.ok(
    !service.output().includes('database system is ready'),
    "the service's log does not contain PostgreSQL's log",
  )

  const listed = await command(['keys', 'list', '--json'], { DATA_DIR: dataDir })
  const [key] = JSON.parse(listed.out)
  assert.deepEqual([key.name, key.status], ['first', 'active'])
  assert.ok(key.lastUsedAt, 'the last use is written at the shutdown')
  assert.equal(await postmasterPid(dataDir), undefined, 'a command stops the database that it started')
})

test('a command that follows the first start at once waits for its database', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = start(t, dataDir)
  await until('the start has begun', async () => (await readdir(dataDir)).length > 0)
  const made = await command(['keys', 'create', 'first', '--all-projects'], { DATA_DIR: dataDir })
  assert.deepEqual([made.code, made.err], [0, ''])
  recordSecret(made.out)
  await until('it listens', () => service.output().includes('"message":"listening"'))
  await kill(service, 'SIGTERM')
})

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

  for (const [what, make] of [
    ['with a database', dataFolder],
    ['that is empty', temporaryFolder],
  ] as const) {
    test(`${what} is used by only one of two services that start at once`, async (t) => {
      const dataDir = await make(t)
      const both = await Promise.allSettled([startArtifact(settings(dataDir)), startArtifact(settings(dataDir))])
      const [winner, ...more] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      cleanUp(t, () => winner?.close())
      const reasons = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      assert.equal(more.length, 0)
      assert.match(reasons.join('\n'), /exited with 1: workgate: .*already running in DATA_DIR/)
      assert.equal((await winner!.send('GET //readyz')).status, 200)
    })
  }

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
