// The embedded database starts, is shared with commands, and stops with the service.

import assert from 'node:assert/strict'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openDataFolder } from '../../../src/db/embedded/data-folder.ts'
import { createDatabaseIfMissing, useEmbedded, startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { isAlive } from '../../../src/db/embedded/child-process.ts'
import {
  isResponding,
  kill,
  optionsFor,
  postmasterPid,
  query,
  serve,
  service,
  dataFolder,
  temporaryFolder,
  until,
} from '../../faults/fixtures/embedded.ts'

describe('embedded database', { concurrency: 2 }, () => {
  test('an empty folder becomes a private database, and the next start uses it again', async (t) => {
    const dataDir = await temporaryFolder(t)
    const first = await startEmbedded(optionsFor(dataDir))
    assert.equal(first.host, dataDir)
    assert.deepEqual(await query(dataDir, `select current_user || ' ' || current_database()`), ['workgate workgate'])
    for (const [setting, value] of [
      ['fsync', 'on'],
      ['data_checksums', 'on'],
      ['listen_addresses', ''],
      ['shared_buffers', '16MB'],
    ]) {
      assert.deepEqual(await query(dataDir, `show ${setting}`), [value], setting)
    }
    assert.deepEqual(await query(dataDir, `select lower('ÄÖ') || (select 'Z' < 'a')`), ['äötrue'])
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
    await query(dataDir, 'create table kept as select 42 as n')
    const pid = first.pid()!
    await Promise.all([first.stop(), first.stop()])
    assert.ok(!isAlive(pid))
    assert.equal(await isResponding(dataDir), false)

    const second = await serve(t, optionsFor(dataDir))
    assert.notEqual(second.pid(), pid)
    assert.deepEqual(await query(dataDir, 'select n from kept'), ['42'])
  })

  test('a folder in use is refused, and the error names the process', async (t) => {
    const dataDir = await dataFolder(t)
    const first = await serve(t, optionsFor(dataDir))
    await assert.rejects(startEmbedded(optionsFor(dataDir)), new RegExp(`process ${first.pid()}.*already running`))
    assert.ok(await isResponding(dataDir))
  })

  test('several processes at once can create the database', async (t) => {
    const dataDir = await temporaryFolder(t)
    const { host, port, user } = await serve(t, optionsFor(dataDir))
    // Two of three rounds find a process that another one overtakes.
    for (const database of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])
      await Promise.all(Array.from({ length: 4 }, () => createDatabaseIfMissing({ host, port, user, database })))
  })

  test('several starts at once can open the same new folder', async (t) => {
    const folder = await temporaryFolder(t)
    await chmod(folder, 0o755)
    // Each round has a chance of about one half to find a start that another one disturbs.
    for (let round = 0; round < 20; round++) {
      const path = join(folder, String(round), 'data')
      const opened = await Promise.all(Array.from({ length: 3 }, () => openDataFolder(path)))
      assert.equal(new Set(opened.map(({ user }) => user.name)).size, 1)
    }
  })

  test('only one of two services started at once on an empty folder uses it', async (t) => {
    const dataDir = await temporaryFolder(t)
    const both = [service(t, dataDir), service(t, dataDir)]
    const all = () => both.map((one) => one.output()).join('')
    await until('both have reported', () => /"listening"/.test(all()) && /already running/.test(all()))
    assert.ok(await isResponding(dataDir))
  })

  test('a command uses the running server, and leaves it running', async (t) => {
    const dataDir = await dataFolder(t)
    const server = await serve(t, optionsFor(dataDir))
    const borrowed = await useEmbedded(optionsFor(dataDir))
    assert.equal(borrowed.pid(), server.pid())
    await borrowed.stop()
    assert.ok(await isResponding(dataDir))
  })

  test('a command starts a server if none runs, and stops it', async (t) => {
    const dataDir = await dataFolder(t)
    const borrowed = await useEmbedded(optionsFor(dataDir))
    assert.ok(await isResponding(dataDir))
    await borrowed.stop()
    assert.equal(await isResponding(dataDir), false)
  })

  test('PostgreSQL stops when the service shuts down', async (t) => {
    const dataDir = await dataFolder(t)
    const started = service(t, dataDir)
    await until('it is ready', () => started.output().includes('"listening"'))
    await kill(started, 'SIGTERM')
    assert.equal(await postmasterPid(dataDir), undefined)
  })

  test("PostgreSQL's log contains neither data nor statements", async (t) => {
    const dataDir = await dataFolder(t)
    await serve(t, optionsFor(dataDir))
    await query(dataDir, `create table logged (word text primary key); insert into logged values ('secret')`)
    for (const statement of [
      `insert into logged values ('secret')`,
      `select 'secret'::int`,
      `do $$ begin raise warning 'secret'; end $$`,
      `select secret`,
    ]) {
      await query(dataDir, statement).catch(() => {})
    }
    const asleep = query(dataDir, `select 'secret', pg_sleep(60)`)
    asleep.catch(() => {})
    const find = `select pid from pg_stat_activity where query like '%pg_sleep(60)' and pid <> pg_backend_pid()`
    await until('the backend runs', async () => (await query(dataDir, find)).length === 1)
    process.kill(Number((await query(dataDir, find))[0]), 'SIGKILL')
    const readLog = async () => {
      const files = await readdir(join(dataDir, 'log'))
      return (await Promise.all(files.map((name) => readFile(join(dataDir, 'log', name), 'utf8')))).join('')
    }
    // It may respond for a moment before it notices.
    await until('it is logged', async () => /terminated by signal 9/.test(await readLog()))
    await until('it responds again', () => isResponding(dataDir))
    assert.doesNotMatch(await readLog(), /secret/)
  })
})
