// Moves the data of an embedded PostgreSQL 15 to the embedded 18 with the commands of the guide, exactly as printed: a
// backup and a restore.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { cleanUp, query, temporaryFolder } from '../faults/fixtures/embedded.ts'
import { savedTables } from '../../src/commands/backup/tables.ts'
import { readChapter, readCodeBlocks } from '../support/code-blocks.ts'
import { recordSecret } from '../support/log.ts'
import { countProjects, start as startIn } from './in-a-folder.ts'

const run = promisify(execFile)
const old = '/usr/lib/postgresql/15/bin'
const isInstalled = existsSync(join(old, 'postgres'))

test(
  'PostgreSQL 18 has all the data of PostgreSQL 15',
  { skip: !isInstalled && !process.env['CI'] && 'no PostgreSQL 15' },
  async (t) => {
    const [move, look, ...none] = await commands()
    assert.deepEqual(none, [])
    const folder = await temporaryFolder(t)
    await chmod(folder, 0o755)
    await symlink(resolve('dist'), join(folder, 'dist'))
    const shell = (command: string) =>
      run('bash', ['-euc', command], { cwd: folder, env: { PATH: process.env['PATH'] } })

    const first = await start(t, folder, `POSTGRES_BIN=${old} DATA_DIR=./workgate-data PORT=0 node dist/workgate.mjs`)
    await shell('DATA_DIR=./workgate-data node dist/workgate.mjs demo --projects 3 --tasks 300')
    const { stdout } = await shell('DATA_DIR=./workgate-data node dist/workgate.mjs keys create first --all-projects')
    const key = stdout.trim()
    recordSecret(key)
    const before = await contents(join(folder, 'workgate-data'))
    assert.match(before.join('\n'), /^tasks: 300 rows/m)
    assert.match((await query(join(folder, 'workgate-data'), 'show server_version'))[0]!, /^15\./)
    await first.stop()

    await shell(move!)
    const { stdout: findings } = await shell(look!)
    assert.match(findings, /The tallies of all 3 projects match the rows[^]*^0 faults, 0 warnings$/m)

    const second = await start(t, folder, 'DATA_DIR=./workgate-data-18 PORT=0 node dist/workgate.mjs')
    assert.match((await query(join(folder, 'workgate-data-18'), 'show server_version'))[0]!, /^18\./)
    assert.deepEqual(await contents(join(folder, 'workgate-data-18')), before)
    assert.equal(await countProjects(second.url, key), 3)
  },
)

async function commands(): Promise<string[]> {
  const guide = await readFile('src/docs/guides/backup.md', 'utf8')
  const blocks = readCodeBlocks(readChapter(guide, '## Moving to another PostgreSQL version'))
  return blocks.map(({ code }) => code)
}

async function start(t: TestContext, folder: string, command: string) {
  // exec replaces the shell, which would not forward the signal.
  const words = command.replace('node ', 'exec node ')
  const { child, ended, url } = startIn(folder, ['bash', '-euc', words], { PATH: process.env['PATH']! })
  const stop = async () => {
    child.kill('SIGTERM')
    assert.equal(await ended, 0)
  }
  cleanUp(t, stop)
  return { stop, url: await url() }
}

/** The number of rows of each table, and a digest of them, without the ids of transactions. */
async function contents(dataDir: string): Promise<string[]> {
  const lines = savedTables.map((table) =>
    query(
      dataDir,
      `select '${table}: ' || count(*) || ' rows, ' || coalesce(md5(string_agg(row, '' order by row)), '')
       from (select (to_jsonb(t) - 'xid')::text as row from workgate.${table} t) t`,
    ),
  )
  return (await Promise.all(lines)).flat()
}
