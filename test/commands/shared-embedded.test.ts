// Commands that use one embedded database at the same time, a service that starts meanwhile, and the role of the service.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test, type TestContext } from 'node:test'
import { cleanUp, postmasterPid, query, temporaryFolder, until } from '../faults/fixtures/embedded.ts'
import { runRound } from '../support/commands-at-once.ts'
import { withFindings } from '../support/doctor.ts'
import { copyDataFolder } from '../support/own-database.ts'
import { command, runArtifact } from '../support/workgate.ts'
import { startWorkers } from '../workers/workers-service.ts'

function start(t: TestContext, dataDir: string, args: string[]) {
  const child = runArtifact(args, { DATA_DIR: dataDir, PORT: '0' })
  cleanUp(t, () => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (output += text))
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>
  return { child, ended, output: () => output }
}

/** Starts a command that runs until finish(). Resolves when it uses the database. */
async function startLong(t: TestContext, dataDir: string, name: string) {
  const wait = `do $$ begin while not exists (select from pg_class where relname = '${name}') loop perform pg_sleep(0.02); end loop; end $$`
  const started = start(t, dataDir, ['sql', '-c', `${wait}; select 'finished'`])
  const count = `select count(*) from pg_stat_activity where query like '%${name}%' and pid <> pg_backend_pid()`
  await until(`${name} uses the database`, async () => {
    if (started.child.exitCode !== null) throw new Error(started.output())
    return query(dataDir, count).then(([found]) => found === '1', () => false) // prettier-ignore
  })
  return { ...started, finish: () => query(dataDir, `create table public.${name} ()`) }
}

const untilStopped = (dataDir: string) =>
  until('PostgreSQL has stopped', async () => (await postmasterPid(dataDir)) === undefined)

const waitsForOthers = /waiting for other commands that use the embedded database/

/** A folder with a database, which the first five commands create. */
let template = ''
before(async () => {
  template = await mkdtemp(join(tmpdir(), 'workgate-shared-'))
  await runRound(template, { isNew: true, kills: false })
})
after(() => rm(template, { recursive: true }))

async function newFolder(t: TestContext): Promise<string> {
  const dataDir = await temporaryFolder(t)
  await copyDataFolder(template, dataDir)
  return dataDir
}

/** Starts a command, and a second one that uses its server. */
async function startTwo(t: TestContext) {
  const dataDir = await newFolder(t)
  const first = await startLong(t, dataDir, 'first')
  return { dataDir, first, second: await startLong(t, dataDir, 'second') }
}

describe('commands on one embedded database', { concurrency: 2, timeout: 120_000 }, () => {
  test('a command that ends before others waits for them, and others can join in the meantime', async (t) => {
    const { dataDir, first, second } = await startTwo(t)
    await first.finish()
    await until('the first one says that it waits', () => waitsForOthers.test(first.output()))
    const joined = await command(['sql', '-c', 'select'], { DATA_DIR: dataDir })
    assert.deepEqual([joined.code, joined.err], [0, ''])
    await second.finish()
    assert.deepEqual(await Promise.all([first.ended, second.ended]), [[0, null], [0, null]]) // prettier-ignore
    assert.match(second.output(), /finished/)
    assert.equal(await postmasterPid(dataDir), undefined)
    assert.deepEqual((await readdir(dataDir)).sort(), ['log', 'postgres'])
  })

  for (const [signal, moment] of [
    ['SIGKILL', 'while it works'],
    ['SIGINT', 'while it waits for others'],
  ] as const) {
    test(`a command that ends by ${signal} ${moment} leaves its server to the others`, async (t) => {
      const { dataDir, first, second } = await startTwo(t)
      if (signal === 'SIGINT') {
        await first.finish()
        await until('the first one says that it waits', () => waitsForOthers.test(first.output()))
      }
      first.child.kill(signal)
      assert.deepEqual(await first.ended, [null, signal])
      const joined = await command(['sql', '-c', 'select'], { DATA_DIR: dataDir })
      assert.deepEqual([joined.code, joined.err], [0, ''])
      await second.finish()
      assert.deepEqual(await second.ended, [0, null])
      assert.match(second.output(), /finished/)
      await untilStopped(dataDir)
    })
  }

  test('a service waits for a command, and can be stopped meanwhile', async (t) => {
    const dataDir = await newFolder(t)
    const first = await startLong(t, dataDir, 'first')
    const pid = await postmasterPid(dataDir)
    const [stopped, started] = [start(t, dataDir, ['serve']), start(t, dataDir, ['serve'])]
    for (const { output } of [stopped, started])
      await until('it says that it waits', () => output().includes(`"postgres_pid":${pid}`))
    stopped.child.kill('SIGTERM')
    assert.deepEqual(await stopped.ended, [0, null])
    await first.finish()
    assert.deepEqual(await first.ended, [0, null])
    await until('it listens', () => started.output().includes('"message":"listening"'))
    started.child.kill('SIGTERM')
    assert.deepEqual(await started.ended, [0, null])
  })

  test('of five at once, one of which is killed, no other one fails', async (t) => {
    const dataDir = await newFolder(t)
    await runRound(dataDir, { isNew: false, kills: true })
    await untilStopped(dataDir)
  })
})

describe('the service serves requests as workgate_api', { concurrency: 2, timeout: 120_000 }, () => {
  /** Starts a service, whose processes all connect to the database. Returns the roles of their connections. */
  async function startServing(t: TestContext, dataDir: string, workers: number) {
    const service = await startWorkers({ DATA_DIR: dataDir, WORKERS: String(workers) })
    cleanUp(t, () => service.child.kill('SIGKILL'))
    // Each on its own connection, which the workers accept in turns.
    for (let n = 0; n < 2 * workers; n++) assert.equal((await service.ask('/readyz', '')).status, 200)
    const roles = `select distinct usename from pg_stat_activity where application_name like 'workgate%'`
    return { ...service, roles: await query(dataDir, roles) }
  }

  const examineRole = async (dataDir: string) =>
    withFindings((await command(['doctor', '--json'], { DATA_DIR: dataDir })).out).line('role')

  test('which it creates in a database without the role, and whose privileges each start renews', async (t) => {
    const dataDir = await newFolder(t)
    assert.equal(
      await examineRole(dataDir),
      'ok: workgate_api does not exist yet: the service creates it when it starts',
    )
    const first = await startServing(t, dataDir, 1)
    assert.deepEqual(first.roles, ['workgate_api'])
    assert.equal(
      await examineRole(dataDir),
      'ok: workgate_api has the privileges that the service needs; workgate, the owner, migrates',
    )
    await query(
      dataDir,
      'revoke select on workgate.tasks from workgate_api; grant delete on workgate.tasks to workgate_api',
    )
    assert.match(await examineRole(dataDir), /^fault: workgate_api lacks .*: select on tasks\.$/)
    first.child.kill('SIGTERM')
    await first.ended
    await startServing(t, dataDir, 1)
    const granted = `select has_table_privilege('workgate_api', 'workgate.tasks', unnest(array['select', 'delete']))`
    assert.deepEqual(await query(dataDir, granted), ['true', 'false'])
  })

  test('in each worker, and does not start if the role cannot connect', async (t) => {
    const dataDir = await newFolder(t)
    const service = await startServing(t, dataDir, 2)
    assert.deepEqual(service.roles, ['workgate_api'])
    await query(dataDir, 'alter role workgate_api nologin')
    service.child.kill('SIGTERM')
    await service.ended
    const { code, err } = await command(['serve'], { DATA_DIR: dataDir, PORT: '0' })
    const problem = 'role "workgate_api" is not permitted to log in'
    assert.deepEqual([code, err], [1, `workgate: database error: ${problem} (28000)`])
  })
})
