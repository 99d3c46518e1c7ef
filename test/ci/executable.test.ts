// The single executable in an empty folder. Called by test/ci/everywhere/run with --program dist/workgate.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, rename, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { cleanUp, postmasterPid, temporaryFolder, until } from '../faults/fixtures/embedded.ts'
import { run } from '../support/environment.ts'
import { freshDatabase } from '../support/workgate.ts'
import { countProjects, finish, makeKey, start } from './in-a-folder.ts'

const execute = promisify(execFile)
const isRoot = process.getuid?.() === 0

async function emptyFolder(t: TestContext) {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o755)
  await copyFile(run().program[0]!, join(folder, 'workgate'))
  const dataDir = join(folder, 'workgate-data')
  return {
    folder,
    dataDir,
    copies: async () => (await readdir(dataDir)).filter((name) => name.startsWith('binaries-')),
    command: (...args: string[]) => start(folder, ['./workgate', ...args]),
    serve(environment: Record<string, string> = {}) {
      const service = start(folder, ['./workgate'], { PORT: '0', ...environment })
      cleanUp(t, () => void service.child.kill('SIGKILL'))
      return service
    },
  }
}

describe('the executable, in an empty folder and an empty environment', { concurrency: 2 }, () => {
  test('serves with its own PostgreSQL, also after a restart and after kill -9', async (t) => {
    const { copies, dataDir, command, serve } = await emptyFolder(t)
    const first = serve()
    const url = await first.url()
    await first.untilPrinted('create one: ./workgate keys create first --all-projects')
    assert.match(first.output(), /unpacking PostgreSQL/)
    assert.match(await finish(command('demo', '--projects', '3', '--tasks', '60')), /3 projects/)
    const key = await makeKey(command('keys', 'create', 'first', '--all-projects'))
    assert.equal(await countProjects(url, key), 3)
    assert.match(await finish(command('migrate')), /^All \d+ migrations are applied\.$/m)
    assert.match(await finish(command('doctor')), /The tallies of all 3 projects match the rows/)
    const [copy] = await copies()
    const { ino } = await stat(join(dataDir, copy!))
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)
    assert.equal(await postmasterPid(dataDir), undefined)

    const second = serve()
    assert.equal(await countProjects(await second.url(), key), 3)
    assert.doesNotMatch(second.output(), /unpacking/)
    assert.deepEqual(await copies(), [copy])
    assert.equal((await stat(join(dataDir, copy!))).ino, ino)
    second.child.kill('SIGKILL')
    await second.ended

    const third = serve({ WORKERS: '2' })
    assert.equal(await countProjects(await third.url(), key), 3)
    assert.match(third.output(), /"workers":\[\d+,\d+\]/)
    third.child.kill('SIGTERM')
    assert.equal(await third.ended, 0)
  })

  test('two first starts at once both succeed, and unpack one copy', async (t) => {
    const { command, copies } = await emptyFolder(t)
    await Promise.all([finish(command('migrate')), finish(command('migrate'))])
    assert.equal((await copies()).length, 1)
  })

  test('a start that is killed while unpacking leaves nothing that the next start would use', async (t) => {
    const { copies, dataDir, command, serve } = await emptyFolder(t)
    const killed = serve()
    const unpacked = async () => (await readdir(join(dataDir, (await copies())[0]!, 'share'))).length > 0
    await until('it unpacks', () => unpacked().catch(() => false))
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.match((await copies())[0]!, /\.new-\d+$/)
    await finish(command('migrate'))
    assert.equal((await copies()).length, 1)
    assert.doesNotMatch((await copies())[0]!, /\.new-/)
  })

  test('an older copy is deleted once no process runs it', async (t) => {
    const { copies, dataDir, command, serve } = await emptyFolder(t)
    const service = serve()
    await service.url()
    const [copy] = await copies()
    await rename(join(dataDir, copy!), join(dataDir, 'binaries-older'))
    await finish(command('keys', 'list'))
    assert.deepEqual(await copies(), ['binaries-older'])
    service.child.kill('SIGTERM')
    await service.ended
    await finish(command('keys', 'list'))
    assert.deepEqual(await copies(), [copy])
  })

  test('a full DATA_DIR is reported, and works once there is space', { skip: !isRoot }, async (t) => {
    const { dataDir, command } = await emptyFolder(t)
    await mkdir(dataDir)
    await execute('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', dataDir])
    cleanUp(t, () => execute('umount', [dataDir]))
    const full = command('migrate')
    assert.equal(await full.ended, 1)
    assert.match(full.output(), /cannot copy PostgreSQL into DATA_DIR \S+: [^]*no space left on device/i)
    assert.deepEqual(await readdir(dataDir), [])
    await execute('mount', ['-o', 'remount,size=400m', dataDir])
    await finish(command('migrate'))
  })

  test('serves with a PostgreSQL server, without a data folder', async (t) => {
    const { folder, serve } = await emptyFolder(t)
    const { url, drop } = await freshDatabase()
    cleanUp(t, drop)
    const service = serve({ DATABASE_URL: url })
    await service.url()
    service.child.kill('SIGTERM')
    assert.equal(await service.ended, 0)
    assert.deepEqual(await readdir(folder), ['workgate'])
  })

  test('prints its version and commit', async (t) => {
    const { command } = await emptyFolder(t)
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    const { stdout } = await execute('git', ['rev-parse', '--short=12', 'HEAD'])
    assert.match(await finish(command('version')), new RegExp(`^${version} \\(commit ${stdout.trim()}(-dirty)?\\)$`))
  })
})

test('SHA256SUMS lists the executable with the correct checksum', async () => {
  const { stdout } = await execute('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: 'dist' })
  assert.match(stdout, /^workgate: OK$/m)
})

// The guide states which glibc and which libraries the machine must have.
test('the executable requires no more of the machine than the guide states', async (t) => {
  const { folder, dataDir, command, copies } = await emptyFolder(t)
  await finish(command('migrate'))
  const inside = join(dataDir, (await copies())[0]!)
  const found = (await readdir(inside, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\/(bin|lib)$/.test(entry.parentPath ?? entry.path))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  const { stdout } = await execute('readelf', ['-dV', join(folder, 'workgate'), ...found], { maxBuffer: 1e8 })
  const versions = [...stdout.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  const isInside = (library: string) => found.some((file) => `${basename(file)}.`.startsWith(`${library}.`))
  const libraries = [...stdout.matchAll(/\(NEEDED\).*\[(lib[^\]]+)\]/g)].map(([, name]) => name!)
  const needed = [...new Set(libraries.filter((name) => !isInside(name)))].sort()
  const guide = await readFile('src/docs/guides/executable.md', 'utf8')
  assert.ok(guide.includes(`glibc 2.${Math.max(...versions)} `), `glibc 2.${Math.max(...versions)}`)
  const notOfGlibc = needed.filter((name) => !/^lib(c|m|dl|rt|pthread)\.so\.\d$/.test(name))
  assert.deepEqual(notOfGlibc, ['libgcc_s.so.1', 'libstdc++.so.6'])
  assert.ok(notOfGlibc.every((name) => guide.includes(`\`${name}\``)))
})
