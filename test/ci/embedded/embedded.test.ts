// The embedded database starts in new folders, also several times at once, and keeps its log free of data. For how the
// service and commands share it, see embedded-service.test.ts.

import assert from 'node:assert/strict'
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openDataFolder } from '../../../src/db/embedded/data-folder.ts'
import { createDatabaseIfMissing, startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { isAlive } from '../../../src/db/embedded/child-process.ts'
import {
  isResponding,
  killBackendOf,
  optionsFor,
  query,
  serve,
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
    await killBackendOf(dataDir, `select 'secret', pg_sleep(60)`)
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
