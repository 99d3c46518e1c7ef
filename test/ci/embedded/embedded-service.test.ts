// The artifact with its embedded database, run without any other installation.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { recordSecret } from '../../support/log.ts'
import { api, command } from '../../support/workgate.ts'
import { cleanUp, kill, postmasterPid, startService, temporaryFolder, until } from '../../faults/fixtures/embedded.ts'

const run = promisify(execFile)

test('the service starts in an empty folder, responds, survives a crash of PostgreSQL and shuts down', async (t) => {
  const dataDir = await temporaryFolder(t)
  const service = startService(dataDir)
  cleanUp(t, () => kill(service, 'SIGKILL'))
  const hint = `no API keys exist yet; create one: DATA_DIR=${dataDir} node dist/workgate.mjs keys create first`
  await until('it listens and prints the hint', () => service.output().includes(hint))
  const url = /"url":"([^"]+)"/.exec(service.output())![1]!

  const made = await command(['keys', 'create', 'first', '--all-projects'], { DATA_DIR: dataDir })
  assert.deepEqual([made.code, made.err], [0, ''])
  recordSecret(made.out)
  const ask = () => fetch(`${url}${api}/projects`, { headers: { authorization: `Bearer ${made.out}` } })
  assert.equal((await ask()).status, 200)

  // Meanwhile, an operator runs SQL with a PostgreSQL client.
  const psql = (statement: string) => run('psql', ['-h', dataDir, '-U', 'workgate', '-XAtc', statement])
  const hasPsql = await run('psql', ['--version']).then(
    () => true,
    () => false,
  )
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
  assert.match(service.output(), /"level":"warn"/)

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
  const service = startService(dataDir)
  cleanUp(t, () => kill(service, 'SIGKILL'))
  await until('the start has begun', async () => (await readdir(dataDir)).length > 0)
  const made = await command(['keys', 'create', 'first', '--all-projects'], { DATA_DIR: dataDir })
  assert.deepEqual([made.code, made.err], [0, ''])
  recordSecret(made.out)
  await until('it listens', () => service.output().includes('"message":"listening"'))
  await kill(service, 'SIGTERM')
})
