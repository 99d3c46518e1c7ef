// Attacks on root by the user of PostgreSQL, who owns DATA_DIR and can replace everything in it by links, even while
// root starts the service. Nothing outside may change.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, link, lstat, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { spawnChild } from '../../../src/db/embedded/child-process.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { runAs } from '../../../src/db/embedded/os-user.ts'
import { rounds } from '../../support/environment.ts'
import {
  cleanUp,
  dataFolder,
  isResponding,
  optionsFor,
  packageWithoutLinks,
  serve,
  temporaryFolder,
} from '../../faults/fixtures/embedded.ts'

const isRoot = process.getuid?.() === 0
const skip = !isRoot && 'only root starts PostgreSQL as another user'
const attacker = { name: 'nobody', ids: { uid: 65_534, gid: 65_534 } }
const starts = rounds(3, 12)

/** Files of root that look like a data folder, so that root could take them for one. */
async function victimFolder(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o755)
  const pgdata = join(folder, 'postgres')
  await mkdir(pgdata)
  await writeFile(join(folder, 'canary'), 'canary', { mode: 0o600 })
  await writeFile(join(pgdata, 'PG_VERSION'), '18\n')
  for (let at = 0; at < 50; at++) await writeFile(join(pgdata, `file-${at}`), String(at))
  // Process 1 is not PostgreSQL, so this file is stale.
  await writeFile(join(pgdata, 'postmaster.pid'), `1\n${pgdata}\n1\n5432\n\n\n\nready\n`)
  return folder
}

/** Owner, mode and hash of everything in the folder. */
async function contentsOf(folder: string): Promise<Record<string, unknown>> {
  const names = ['', ...(await readdir(folder, { recursive: true }))]
  const entries = names.map(async (name) => {
    const path = join(folder, name)
    const found = await lstat(path)
    const hash = found.isFile() ? createHash('sha1').update(await readFile(path)) : undefined
    return [name, [found.uid, found.gid, found.mode.toString(8), hash?.digest('hex')].join(' ')]
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** The start may fail, but the victim does not change. */
async function startUnderAttack(dataDir: string, options = optionsFor(dataDir)): Promise<string> {
  return startEmbedded(options).then(
    async (server) => {
      await server.stop()
      return 'started'
    },
    (error: Error) => error.message,
  )
}

/** Runs the loop of an attacker, in JavaScript, until the end of the test. Returns the number of links it created. */
async function attack(t: TestContext, loop: string, ...args: string[]): Promise<() => number> {
  const script = `
    const { readdirSync, renameSync, unlinkSync, mkdirSync, writeFileSync, writeSync, ...fs } = require('node:fs')
    const symlinkSync = (target, path) => { fs.symlinkSync(target, path); writeSync(1, '.') }
    const [a, b] = process.argv.slice(1)
    const attempt = (work) => { try { return work() } catch {} }
    const hold = (maxMs) => { for (const end = Date.now() + Math.random() * maxMs; Date.now() < end; ); }
    writeSync(1, '.')
    for (;;) { ${loop} }`
  const outputLength = await runInBackground(t, process.execPath, ['-e', script, ...args])
  return () => outputLength() - 1
}

/**
 * Runs a program of the attacker until the end of the test. Resolves when it prints something. Returns the length of its
 * output.
 */
async function runInBackground(t: TestContext, program: string, args: string[]): Promise<() => number> {
  const child = spawn(program, args, { ...attacker.ids, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  // Awaited from the start, because it may also end by itself.
  const ended = once(child, 'exit')
  cleanUp(t, () => {
    child.kill('SIGKILL')
    return ended
  })
  let length = 0
  child.stdout.on('data', (output: Buffer) => (length += output.length))
  await Promise.race([once(child.stdout, 'data'), ended])
  assert.ok(child.exitCode === null && child.signalCode === null, `${program} did not start`)
  return () => length
}

describe('as root, an attacker who owns DATA_DIR', { concurrency: 2, skip }, () => {
  // The script runs as the attacker in DATA_DIR. $1 is the folder of the victim.
  const plants: [what: string, script: string, result?: RegExp][] = [
    ['postgres', 'rm -rf postgres; ln -s "$1/postgres" postgres', /postmaster\.pid': Permission denied/],
    ['log', 'rm -rf log; ln -s "$1" log', /could not open log file \S+: Permission denied/],
    ['postgresql.conf', 'ln -sf "$1/canary" postgres/postgresql.conf'],
    ['pg_hba.conf, a hard link', 'ln -f "$1/canary" postgres/pg_hba.conf || ln -sf "$1/canary" postgres/pg_hba.conf'],
    ['PG_VERSION', 'ln -sf "$1/canary" postgres/PG_VERSION', /PG_VERSION: Permission denied/],
    ['postmaster.pid', 'ln -sf "$1/postgres/postmaster.pid" postgres/postmaster.pid'],
    ['the socket and its lock', 'ln -s "$1/canary" .s.PGSQL.5432; ln -s "$1/canary" .s.PGSQL.5432.lock'],
    ['a temporary folder', 'ln -s "$1" postgres.new-999999; mkdir a.new-999998; ln -s "$1" a.new-999998/link'],
    ['an old copy of PostgreSQL', 'ln -s "$1" binaries-old; mkdir binaries-older; ln -s "$1" binaries-older/link'],
  ]
  for (const [what, script, result = /^started$/] of plants) {
    test(`changes nothing elsewhere by a link at ${what}`, async (t) => {
      const [dataDir, victim] = [await dataFolder(t), await victimFolder(t)]
      const before = await contentsOf(victim)
      await runAs(attacker, '/bin/sh', ['-c', `cd "$2"; ${script}`, 'sh', victim, dataDir])
      assert.match(await startUnderAttack(dataDir), result)
      assert.deepEqual(await contentsOf(victim), before)
    })
  }

  test('changes nothing elsewhere by replacing DATA_DIR with a link, which is refused', async (t) => {
    const victim = await victimFolder(t)
    const before = await contentsOf(victim)
    const dataDir = await dataFolder(t)
    await rename(dataDir, `${dataDir}-away`)
    cleanUp(t, () => runAs(attacker, 'rm', ['-rf', `${dataDir}-away`]))
    await runAs(attacker, 'ln', ['-s', victim, dataDir])
    assert.match(await startUnderAttack(dataDir), /is a symbolic link that user 65534 created/)
    assert.deepEqual(await contentsOf(victim), before)
  })

  // Each loop swaps something for a link, and back. `a` is DATA_DIR, `b` the folder of the victim.
  const races: [what: string, loop: string][] = [
    [
      'the database',
      `attempt(() => renameSync(a + '/postgres', a + '/real'))
       attempt(() => symlinkSync(b + '/postgres', a + '/postgres'))
       hold(30)
       attempt(() => unlinkSync(a + '/postgres'))
       attempt(() => renameSync(a + '/real', a + '/postgres'))
       hold(30)`,
    ],
    [
      'a folder that is being removed',
      `attempt(() => mkdirSync(a + '/x.new-999999'))
       attempt(() => mkdirSync(a + '/x.new-999999/d'))
       for (let at = 0; at < 50; at++) attempt(() => writeFileSync(a + '/x.new-999999/d/file-' + at, ''))
       attempt(() => renameSync(a + '/x.new-999999/d', a + '/x.new-999999/' + Math.random()))
       attempt(() => symlinkSync(b + '/postgres', a + '/x.new-999999/d'))
       hold(1)
       attempt(() => unlinkSync(a + '/x.new-999999/d'))`,
    ],
    [
      'DATA_DIR',
      `attempt(() => renameSync(a, a + '-away'))
       attempt(() => symlinkSync(b, a))
       hold(10)
       attempt(() => unlinkSync(a))
       attempt(() => renameSync(a + '-away', a))
       hold(10)`,
    ],
  ]
  for (const [what, loop] of races) {
    test(`changes nothing elsewhere by swapping ${what} with a link during ${starts} starts`, async (t) => {
      const [dataDir, victim] = [await dataFolder(t), await victimFolder(t)]
      cleanUp(t, () => runAs(attacker, 'rm', ['-rf', `${dataDir}-away`]))
      const before = await contentsOf(victim)
      assert.equal(await startUnderAttack(dataDir), 'started', 'before the attack')
      const countLinks = await attack(t, loop, dataDir, victim)
      const results = []
      for (let start = 0; start < starts; start++) {
        results.push(await startUnderAttack(dataDir))
        assert.deepEqual(await contentsOf(victim), before)
      }
      assert.ok(countLinks() >= starts, `${countLinks()} links`)
      t.diagnostic(results.join('\n'))
    })
  }

  test('changes nothing elsewhere by replacing the copy of PostgreSQL while it is written', async (t) => {
    const [dataDir, victim] = [await dataFolder(t), await victimFolder(t)]
    const before = await contentsOf(victim)
    const root = await packageWithoutLinks(t)
    await chmod(root, 0o700)
    const loop = `
      for (const name of attempt(() => readdirSync(a)) ?? []) {
        if (!name.startsWith('binaries-')) continue
        attempt(() => renameSync(a + '/' + name, a + '/taken-' + Math.random()))
        attempt(() => symlinkSync(b, a + '/' + name))
      }`
    const countLinks = await attack(t, loop, dataDir, victim)
    const options = { ...optionsFor(dataDir), binaryRoots: [root], path: '' }
    assert.match(await startUnderAttack(dataDir, options), /^cannot copy PostgreSQL into DATA_DIR/)
    assert.deepEqual(await contentsOf(victim), before)
    assert.ok(countLinks() > 0)
  })

  test('gets no file of root by a hard link in a folder that root takes over', async (t) => {
    const [dataDir, victim] = [await dataFolder(t), await victimFolder(t)]
    const before = await contentsOf(victim)
    // Linux lets users create hard links to files of others only with fs.protected_hardlinks=0.
    await link(join(victim, 'canary'), join(dataDir, 'postgres', 'global', 'canary'))
    await symlink(join(victim, 'canary'), join(dataDir, 'symbolic'))
    await chown(dataDir, 0, 0)
    await serve(t, optionsFor(dataDir))
    assert.ok(await isResponding(dataDir))
    assert.deepEqual(await contentsOf(victim), before)
  })

  test('cannot make root send a signal to a process of root', async (t) => {
    // Without this right, the attacker has no access to the pipe.
    const scope = await readFile('/proc/sys/kernel/yama/ptrace_scope', 'utf8').catch(() => '0')
    if (scope.trim() !== '0') return t.skip('processes of a user may not trace each other on this machine')
    const victim = spawn('sleep', ['600'])
    cleanUp(t, () => victim.kill('SIGKILL'))
    // The attacker takes over the pipe in which the shell reports the pid of PostgreSQL, with pidfd_getfd().
    const script = `
import ctypes, os, sys
syscall = ctypes.CDLL(None).syscall
print('ready', flush=True)
while True:
    newest = int(open('/proc/loadavg').read().split()[-1])
    for pid in range(newest - 2, newest + 1):
        try:
            if sys.argv[2] in open(f'/proc/{pid}/cmdline').read():
                with open(os.pidfd_open(pid)) as shell, open(syscall(438, shell.fileno(), 1, 0), 'w') as pipe:
                    pipe.write(sys.argv[1] + chr(10))
        except (OSError, ValueError):
            pass`
    const marker = `marker-${process.pid}`
    await runInBackground(t, 'python3', ['-c', script, String(victim.pid), marker])
    let hasWon = false
    for (const began = Date.now(); !hasWon && Date.now() - began < 120_000;) {
      const child = spawnChild('/bin/sh', ['-c', 'sleep 0.05', marker], attacker)
      await child.ended
      hasWon = child.pid() === victim.pid
    }
    assert.ok(hasWon, 'the attacker was too slow')
    assert.deepEqual([victim.exitCode, victim.signalCode], [null, null])
  })
})
