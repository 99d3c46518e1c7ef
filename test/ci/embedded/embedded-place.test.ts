// The data folders and PostgreSQL installations that the embedded database accepts. For those that it refuses, see
// embedded-refused.test.ts.

import assert from 'node:assert/strict'
import { chmod, lstat, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { findBinaries } from '../../../src/db/embedded/binaries.ts'
import { openDataFolder } from '../../../src/db/embedded/data-folder.ts'
import { startEmbedded } from '../../../src/db/embedded/embedded.ts'
import {
  isResponding,
  cleanUp,
  optionsFor,
  query,
  serve,
  temporaryFolder,
  packageName,
  packageWithoutLinks,
  succeeds,
} from '../../faults/fixtures/embedded.ts'

const isRoot = process.getuid?.() === 0
const machines = '/usr/lib/postgresql/15/bin'
const machineHas15 = await succeeds(stat(machines))

const linkOf = (root: string) => join(root, packageName, 'native', 'lib', 'libpq.so.5')

describe('the folder and the PostgreSQL of the embedded database', { concurrency: 2 }, () => {
  test('library links that npm did not create are created: as root in a copy, without root in the package', async (t) => {
    const root = await packageWithoutLinks(t)
    const dataDir = await temporaryFolder(t)
    await serve(t, { ...optionsFor(dataDir), binaryRoots: [join(root, 'dist')] })
    assert.ok(await isResponding(dataDir))
    const hasLink = await lstat(linkOf(root)).then(
      (link) => link.isSymbolicLink(),
      () => false,
    )
    const copies = (await readdir(dataDir)).filter((name) => name.startsWith('binaries-'))
    assert.deepEqual([hasLink, copies.length], isRoot ? [false, 1] : [true, 0])
  })

  const whyRoot = 'a copy is needed when PostgreSQL runs as another user'
  test('as root: a package that other users cannot access is copied once', { skip: !isRoot && whyRoot }, async (t) => {
    const root = await packageWithoutLinks(t)
    await chmod(root, 0o700)
    const dataDir = await temporaryFolder(t)
    const options = { ...optionsFor(dataDir), binaryRoots: [root] }
    await (await startEmbedded(options)).stop()
    const copies = (await readdir(dataDir)).filter((name) => name.startsWith('binaries-'))
    assert.equal(copies.length, 1)
    const made = await stat(join(dataDir, copies[0]!))
    await serve(t, options)
    assert.ok(await isResponding(dataDir))
    assert.equal((await stat(join(dataDir, copies[0]!))).ino, made.ino)
  })

  test(
    'not as root: a package without links in a read-only folder is copied',
    { skip: isRoot && 'root can write everywhere' },
    async (t) => {
      const root = await packageWithoutLinks(t)
      const lib = join(root, packageName, 'native', 'lib')
      await chmod(lib, 0o555)
      cleanUp(t, () => chmod(lib, 0o755))
      const dataDir = await temporaryFolder(t)
      await serve(t, { ...optionsFor(dataDir), binaryRoots: [root] })
      assert.ok(await isResponding(dataDir))
    },
  )

  test(
    'a PostgreSQL installed on the machine is found',
    { skip: !machineHas15 && !process.env['CI'] && 'there is no PostgreSQL 15 on this machine' },
    async (t) => {
      const nowhere = await temporaryFolder(t)
      const folder = await openDataFolder(await temporaryFolder(t))
      const search = { ...optionsFor(folder.path), binaryRoots: [nowhere] }
      assert.ok((await findBinaries(folder, { ...search, path: '' })).major >= 15)
      assert.equal((await findBinaries(folder, { ...search, path: `/nowhere:${machines}` })).bin, machines)
    },
  )

  test(
    'an older PostgreSQL works as well',
    { skip: !machineHas15 && !process.env['CI'] && 'there is no PostgreSQL 15 on this machine' },
    async (t) => {
      const dataDir = await temporaryFolder(t)
      await serve(t, { ...optionsFor(dataDir), postgresBin: machines })
      assert.match((await query(dataDir, 'show server_version'))[0]!, /^15\./)
      assert.deepEqual(await query(dataDir, `select lower('ÄÖ')`), ['äö'])
    },
  )

  test('a folder of another major version is refused, and the error says how to upgrade', async (t) => {
    const dataDir = await temporaryFolder(t)
    await (await startEmbedded(optionsFor(dataDir))).stop()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '13\n')
    const ways = /^DATA_DIR \S+ was created by PostgreSQL 13.*POSTGRES_BIN.* see "(.+)" in the guide "(.+)"\.$/
    const error: Error = await startEmbedded(optionsFor(dataDir)).then(
      () => assert.fail('it started'),
      (error) => error,
    )
    const [, chapter, title] = ways.exec(error.message) ?? assert.fail(error.message)
    const guide = await readFile('src/docs/guides/backup.md', 'utf8')
    assert.ok(guide.startsWith(`# ${title}\n`) && guide.includes(`\n## ${chapter}\n`))
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '99\n')
    await assert.rejects(startEmbedded(optionsFor(dataDir)), /PostgreSQL 99.* set POSTGRES_BIN to its bin folder\.$/)
  })

  test('a path may contain spaces, quotes and commas', async (t) => {
    const parent = await temporaryFolder(t)
    await chmod(parent, 0o755)
    const dataDir = join(parent, `it's "a", b\\n`)
    await serve(t, optionsFor(dataDir))
    assert.deepEqual(await query(dataDir, 'show port'), ['5432'])
  })
})
