// As root: the user who runs PostgreSQL, the folders that root gives to that user, and what runs as that user.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmod,
  chown,
  link,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { findBinaries } from '../../../src/db/embedded/binaries.ts'
import { openDataFolder } from '../../../src/db/embedded/data-folder.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { runAs } from '../../../src/db/embedded/os-user.ts'
import { readText } from '../../../src/db/embedded/user-files.ts'
import { run } from '../../support/environment.ts'
import {
  cleanUp,
  dataFolder,
  isResponding,
  kill,
  optionsFor,
  packageName,
  packageWithoutLinks,
  serve,
  startService,
  temporaryFolder,
  until,
  type LogLine,
  succeeds,
} from '../../faults/fixtures/embedded.ts'

const execute = promisify(execFile)
const skip = process.getuid?.() !== 0 && 'only root starts PostgreSQL as another user'

const nobody = { name: 'nobody', ids: { uid: 65_534, gid: 65_534 } }

/** The user `daemon`, who has no other files here. */
const other = 1

/** A folder that other users can enter. */
async function openFolder(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o755)
  return folder
}

/** A data folder as an archive that root unpacked: everything in it belongs to root. */
async function restoredFolder(t: TestContext): Promise<string> {
  const dataDir = await dataFolder(t)
  await execute('chown', ['-hR', '0:0', dataDir])
  return dataDir
}

async function ownersIn(folder: string): Promise<string[]> {
  const { stdout } = await execute('find', [folder, '-printf', '%U\n'])
  return [...new Set(stdout.trim().split('\n'))].sort()
}

describe('as root', { concurrency: 2, skip }, () => {
  test('a restored folder of root is given to the user of PostgreSQL, links in it but not their targets', async (t) => {
    const dataDir = await restoredFolder(t)
    const canary = join(await openFolder(t), 'canary')
    await writeFile(canary, '', { mode: 0o600 })
    await symlink(canary, join(dataDir, 'postgres', 'link'))
    await serve(t, optionsFor(dataDir))
    assert.ok(await isResponding(dataDir))
    assert.deepEqual(await ownersIn(dataDir), ['65534'])
    assert.equal((await stat(canary)).uid, 0)
  })

  test('a folder that root created around the database of another user is given to that user', async (t) => {
    const dataDir = await dataFolder(t)
    await execute('chown', ['-hR', `${other}:${other}`, dataDir])
    await chown(dataDir, 0, 0)
    const server = await serve(t, optionsFor(dataDir))
    assert.equal((await stat(`/proc/${server.pid()}`)).uid, other)
    assert.deepEqual(await ownersIn(dataDir), [String(other)])
  })

  const refused: [what: string, change: (dataDir: string) => Promise<unknown>, message: RegExp][] = [
    [
      'with a hard link',
      (dataDir) => link(join(dataDir, 'postgres', 'PG_VERSION'), `${dataDir}/../canary`),
      /PG_VERSION is also a file elsewhere/,
    ],
    [
      'with a folder that others can write to',
      (dataDir) => chmod(join(dataDir, 'postgres', 'base'), 0o777),
      /others?.*base/,
    ],
    ['that others can write to', (dataDir) => chmod(dataDir, 0o777), /Users other than root can write to/],
  ]
  for (const [what, change, message] of refused) {
    test(`a folder of root ${what} is refused`, async (t) => {
      const dataDir = join(await openFolder(t), 'data')
      await rename(await restoredFolder(t), dataDir)
      await change(dataDir)
      await assert.rejects(openDataFolder(dataDir), message)
      assert.equal((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).uid, 0)
    })
  }

  test('a file system that is mounted in a folder of root is not given away', async (t) => {
    const dataDir = await restoredFolder(t)
    const mounted = join(dataDir, 'mounted')
    await mkdir(mounted)
    const isMounted = await succeeds(execute('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', mounted]))
    if (!isMounted && process.env['CI']) throw new Error('nothing can be mounted')
    if (!isMounted) return t.diagnostic('SKIPPED: nothing can be mounted on this machine')
    cleanUp(t, () => execute('umount', [mounted]))
    await openDataFolder(dataDir)
    assert.deepEqual([(await stat(dataDir)).uid, (await stat(mounted)).uid], [65_534, 0])
  })

  test('a DATA_DIR that is a link of root works, for a new folder and for an existing one', async (t) => {
    const parent = await openFolder(t)
    const dataDir = join(parent, 'link')
    await mkdir(join(parent, 'real'))
    await symlink('./real', dataDir)
    for (const start of ['first', 'second']) {
      const server = await serve(t, optionsFor(dataDir))
      assert.ok(await isResponding(dataDir), start)
      await server.stop()
    }
    assert.equal((await stat(join(parent, 'real'))).uid, 65_534)
    assert.equal((await lstat(dataDir)).uid, 0)
  })

  test('a missing folder below the folder of a user is created by that user, who runs PostgreSQL', async (t) => {
    const home = await openFolder(t)
    await chown(home, other, other)
    const dataDir = join(home, 'one', 'data')
    const server = await serve(t, optionsFor(dataDir))
    assert.equal((await stat(`/proc/${server.pid()}`)).uid, other)
    assert.deepEqual([(await stat(join(home, 'one'))).uid, (await stat(dataDir)).uid], [other, other])
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
  })

  const unsafe: [what: string, change: (parent: string, dataDir: string) => Promise<unknown>, message: RegExp][] = [
    ['below a folder that all users can write to', (parent) => chmod(parent, 0o777), /because other users can change/],
    [
      'below a folder that a group can write to',
      async (parent) => {
        await chown(parent, 0, other)
        await chmod(parent, 0o775)
      },
      /because other users can change/,
    ],
    ['of root, below a folder of another user', (parent) => chown(parent, other, other), /because user 1 can change/],
    [
      'of root, that another user created a link to',
      async (parent, dataDir) => {
        await rename(dataDir, join(parent, 'real'))
        await symlink(join(parent, 'real'), dataDir)
        await lchown(dataDir, other, other)
      },
      /is a symbolic link that user 1 created/,
    ],
    [
      'of root, through a link in a folder of another user',
      async (parent, dataDir) => {
        await rename(dataDir, join(parent, 'real'))
        await mkdir(join(parent, 'home'))
        await symlink('../real', join(parent, 'home', 'link'))
        await chown(join(parent, 'home'), other, other)
        await symlink('home/link', dataDir)
      },
      /because user 1 can change \S+\/home\./,
    ],
  ]
  test('a missing parent folder is not created in a folder where all users can create files', async (t) => {
    const parent = await openFolder(t)
    await chmod(parent, 0o1777)
    await assert.rejects(openDataFolder(join(parent, 'one', 'data')), /because other users can change/)
    assert.deepEqual(await readdir(parent), [])
    await openDataFolder(join(parent, 'data'))
  })

  for (const [what, change, message] of unsafe) {
    test(`a DATA_DIR ${what} is refused and not changed`, async (t) => {
      const parent = await openFolder(t)
      const dataDir = join(parent, 'data')
      await mkdir(dataDir)
      await change(parent, dataDir)
      const before = await stat(dataDir)
      await assert.rejects(openDataFolder(dataDir), message)
      const after = await stat(dataDir)
      assert.deepEqual([after.uid, after.gid, after.mode], [before.uid, before.gid, before.mode])
    })
  }

  test('a new folder belongs to nobody, with a warning, and an existing one to its owner, without', async (t) => {
    const warnings = async (dataDir: string) => {
      const lines: LogLine[] = []
      await (await serve(t, optionsFor(dataDir, lines))).stop()
      return lines.filter(({ level, message }) => level === 'warn' && message.includes('nobody')).length
    }
    const dataDir = await dataFolder(t)
    assert.equal(await warnings(dataDir), 1)
    await execute('chown', ['-hR', `${other}:${other}`, dataDir])
    assert.equal(await warnings(dataDir), 0)
  })

  test('a new folder belongs to the user workgate, if there is one', async (t) => {
    const folder = await openFolder(t)
    const passwd = join(folder, 'passwd')
    const dataDir = join(folder, 'data')
    await writeFile(passwd, `${await readFile('/etc/passwd', 'utf8')}workgate:x:54399:54398::/:/bin/false\n`)
    const { program } = run()
    const script = 'mount --bind "$0" /etc/passwd && exec "$@"'
    const started = startService(dataDir, ['unshare', '--mount', '/bin/sh', '-c', script, passwd, ...program])
    cleanUp(t, () => kill(started, 'SIGTERM'))
    await until('it listens', () => {
      if (started.child.exitCode !== null) throw new Error(started.output())
      return started.output().includes('"listening"')
    })
    assert.doesNotMatch(started.output(), /user nobody/)
    const { uid, gid } = await stat(dataDir)
    assert.deepEqual([uid, gid], [54_399, 54_398])
  })

  test('programs of the user get neither the groups nor the environment of root', async (t) => {
    const groups = process.getgroups!()
    process.setgroups!([0, 4, 27])
    cleanUp(t, () => process.setgroups!(groups))
    process.env['SECRET_OF_ROOT'] = 'secret'
    cleanUp(t, () => delete process.env['SECRET_OF_ROOT'])
    assert.equal(await runAs(nobody, 'id', ['-G']), '65534\n')
    assert.doesNotMatch(await runAs(nobody, 'env', []), /SECRET_OF_ROOT/)

    const dataDir = await dataFolder(t)
    const server = await serve(t, optionsFor(dataDir))
    const status = await readFile(`/proc/${server.pid()}/status`, 'utf8')
    assert.match(status, /^Groups:\s*$/m)
    assert.match(status, /^Uid:(\s+65534){4}$/m)
    assert.doesNotMatch(await readFile(`/proc/${server.pid()}/environ`, 'utf8'), /SECRET_OF_ROOT/)
  })

  test('a pipe in the place of a file does not block the start forever', async (t) => {
    const pipe = join(await openFolder(t), 'postmaster.pid')
    await execute('mkfifo', ['-m', '666', pipe])
    await assert.rejects(readText(nobody, pipe, 50), /: no result after 50 ms$/)
  })

  test('a file that is too large is reported as such, not as a timeout', async (t) => {
    const file = join(await openFolder(t), 'postmaster.pid')
    await writeFile(file, 'x'.repeat(2_000_000))
    await assert.rejects(readText(nobody, file, 60_000), /maxBuffer/)
  })

  test('a leftover that the user cannot remove does not prevent the start, and is logged', async (t) => {
    const dataDir = await dataFolder(t)
    const leftover = join(dataDir, 'binaries-18.new-999999')
    await mkdir(leftover)
    await writeFile(join(leftover, 'postgres'), '')
    const lines: LogLine[] = []
    await serve(t, optionsFor(dataDir, lines))
    assert.ok(await isResponding(dataDir))
    assert.ok(lines.some(({ level, message }) => level === 'warn' && /unfinished .* not be removed/.test(message)))
  })

  test('if the package cannot be copied, the start fails instead of using another PostgreSQL', async (t) => {
    const root = await packageWithoutLinks(t)
    await chmod(root, 0o700)
    const folder = await openDataFolder(await temporaryFolder(t))
    const { version } = JSON.parse(await readFile(join(root, packageName, 'package.json'), 'utf8'))
    await symlink('/nowhere', join(folder.path, `binaries-${version}`))
    const search = { ...optionsFor(folder.path), binaryRoots: [root] }
    await assert.rejects(findBinaries(folder, search), /^Error: cannot copy PostgreSQL into DATA_DIR /)
  })

  test('a package in a folder that another user can change is not used', async (t) => {
    const root = await packageWithoutLinks(t)
    await chmod(root, 0o777)
    const nowhere = await temporaryFolder(t)
    const folder = await openDataFolder(await temporaryFolder(t))
    const search = { ...optionsFor(folder.path), binaryRoots: [nowhere, root], path: '' }
    await assert.rejects(findBinaries(folder, search, nowhere), /other users can change \S+/)
    // Root runs the artifact: a user who can change it gains nothing by changing the package.
    await chmod(root, 0o755)
    await chown(root, other, other)
    await assert.rejects(findBinaries(folder, search, nowhere), /user 1 can change \S+/)
    await findBinaries(folder, { ...search, binaryRoots: [join(root, 'dist')] }, nowhere)
  })

  test('an empty folder "postgres" becomes the database', async (t) => {
    const dataDir = await openFolder(t)
    await mkdir(join(dataDir, 'postgres'))
    await execute('chown', ['-hR', `${other}:${other}`, dataDir])
    await serve(t, optionsFor(dataDir))
    assert.ok(await isResponding(dataDir))
  })

  const restored: [what: string, change: (pgdata: string) => Promise<unknown>][] = [
    ['the database', (pgdata) => execute('chown', ['-hR', '0:0', pgdata])],
    ['the folder of the database', (pgdata) => chown(pgdata, 0, 0)],
    [
      'a file of the database',
      async (pgdata) => {
        await chown(join(pgdata, 'global', 'pg_control'), 0, 0)
        await chmod(join(pgdata, 'global', 'pg_control'), 0o600)
      },
    ],
  ]
  for (const [what, change] of restored) {
    test(`the error names the command if ${what} belongs to root, in the folder of a user`, async (t) => {
      const dataDir = await dataFolder(t)
      await change(join(dataDir, 'postgres'))
      await assert.rejects(startEmbedded(optionsFor(dataDir)), (error: Error) => {
        assert.match(
          error.message,
          /^DATA_DIR \S+: \S+\/postgres\S* does not belong to user nobody; run chown -hR nobody: \S+$/,
        )
        return true
      })
    })
  }

  test('lost+found in a restored folder of root keeps its owner', async (t) => {
    const dataDir = await restoredFolder(t)
    await mkdir(join(dataDir, 'lost+found'), { mode: 0o700 })
    await openDataFolder(dataDir)
    assert.deepEqual([(await stat(dataDir)).uid, (await stat(join(dataDir, 'lost+found'))).uid], [65_534, 0])
  })
})
