// Mistakes at the command line: a wrong folder, an address in use, a misspelled command. Each is reported before
// anything is created, with a command that helps.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { access, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { helpText } from '../../../src/commands/help.ts'
import { asTyped, describeProgram, type Invocation } from '../../../src/commands/program.ts'
import { retryUntilAvailable } from '../../../src/commands/with-database.ts'
import { readConfig } from '../../../src/config/config.ts'
import { describeHosts } from '../../../src/db/database-url.ts'
import { DatabaseUnavailable } from '../../../src/db/errors.ts'
import { hasDatabase } from '../../../src/db/embedded/has-database.ts'
import { createLog } from '../../../src/runtime/log.ts'
import { reserveAddresses } from '../../../src/server/http/reserve-address.ts'
import { cleanUp, temporaryFolder } from '../../faults/fixtures/embedded.ts'
import { commandContext } from '../../support/doctor.ts'
import { run } from '../../support/environment.ts'
import { freePort, listen, refusingPort } from '../../support/server.ts'
import { command, type LogLine } from '../../support/workgate.ts'

const program = `node ${run().program[1]}`

describe('in a folder without a database', { concurrency: 2 }, () => {
  const missing = (folder: string) =>
    `there is no database in DATA_DIR ${folder}/workgate-data: start the service with "${program} serve" to create one, ` +
    'or set DATA_DIR or DATABASE_URL to the database that your service uses'

  for (const args of [
    ['keys'],
    ['projects'],
    ['keys', 'create', 'x', '--all-projects'],
    ['keys', 'revoke', '--', '--help'],
    ['demo'],
  ]) {
    test(`"${args.join(' ')}" fails and creates nothing`, async (t) => {
      const folder = await temporaryFolder(t)
      assert.deepEqual(await command(args, {}, folder), { code: 1, out: '', err: `workgate: ${missing(folder)}` })
      assert.deepEqual(await readdir(folder), [])
    })
  }

  test('the doctor reports it and creates nothing', async (t) => {
    const folder = await temporaryFolder(t)
    const { code, out } = await command(['doctor'], {}, folder)
    assert.equal(code, 1)
    assert.ok(out.includes(`fault    database     ${missing(folder)}.\n`), out)
    assert.deepEqual(await readdir(folder), [])
  })

  test('the health check mentions it if no service listens, and creates nothing', async (t) => {
    const folder = await temporaryFolder(t)
    const port = await refusingPort()
    const { code, err } = await command(['health'], { PORT: `${port}` }, folder)
    assert.equal(code, 1)
    const missing = `and there is no database in DATA_DIR ${folder}/workgate-data`
    const advice = `start it with "${program} serve", or set HOST and PORT to its address`
    assert.equal(err, `workgate: no service listens on 127.0.0.1:${port} (ECONNREFUSED), ${missing}: ${advice}`)
    assert.deepEqual(await readdir(folder), [])
  })

  test('wrong arguments are reported first', async (t) => {
    const { code, err } = await command(['keys', 'create', '--all-projects'], {}, await temporaryFolder(t))
    assert.equal(code, 2)
    assert.match(err, /^workgate: missing key name\n/)
  })
})

describe('a command waits for the database', () => {
  const unfinished = (pid: number) => `postgres.new-${pid}`

  test('while another process creates it', async (t) => {
    const folder = await temporaryFolder(t)
    await mkdir(join(folder, unfinished(process.pid)))
    const found = hasDatabase(folder, 0)
    // By now, it has looked once.
    assert.equal((await readdir(folder)).length, 1)
    await rename(join(folder, unfinished(process.pid)), join(folder, 'postgres'))
    assert.equal(await found, true)
  })

  test('but not for a process that has ended', async (t) => {
    const folder = await temporaryFolder(t)
    await mkdir(join(folder, unfinished(2 ** 22 + 1)))
    assert.equal(await hasDatabase(folder, 0), false)
  })

  test('and a path that is not a folder is opened, which explains the error', async (t) => {
    const file = join(await temporaryFolder(t), 'file')
    await writeFile(file, '')
    assert.equal(await hasDatabase(file, 0), true)
    const { err } = await command(['keys'], { DATA_DIR: file })
    assert.match(err, /DATA_DIR \S+\/file\b/)
  })
})

describe('an address in use', { concurrency: 2 }, () => {
  async function usedPort(t: TestContext): Promise<number> {
    const other = createServer()
    cleanUp(t, () => other.close())
    return listen(other)
  }

  for (const setting of ['PORT', 'METRICS_LISTEN']) {
    for (const WORKERS of ['1', '2']) {
      test(`at ${setting}, with WORKERS=${WORKERS}, is reported before a database is created`, async (t) => {
        const [folder, port] = [await temporaryFolder(t), await usedPort(t)]
        const address = setting === 'PORT' ? { PORT: `${port}` } : { PORT: '0', METRICS_LISTEN: `127.0.0.1:${port}` }
        assert.deepEqual(await command(['serve'], { WORKERS, ...address }, folder), {
          code: 1,
          out: '',
          err:
            `workgate: cannot listen on 127.0.0.1:${port}: the address is in use (EADDRINUSE): ` +
            `stop the program that uses it, or set ${setting} to another port`,
        })
        assert.deepEqual(await readdir(folder), [])
      })
    }
  }

  test('cannot be taken by another program while the database starts, and connections to it are reset', async (t) => {
    const address = { host: '127.0.0.1', port: await freePort(), setting: 'PORT' }
    const release = await reserveAddresses([address])
    cleanUp(t, release)
    await assert.rejects(reserveAddresses([address]), /set PORT to another port/)
    const client = connect(address.port, address.host)
    const [error] = (await once(client, 'error')) as [NodeJS.ErrnoException]
    assert.equal(error.code, 'ECONNRESET')
    await release()
    const server = createServer().listen(address.port, address.host)
    await once(server, 'listening')
    server.close()
  })

  test('frees the addresses that were reserved before it', async (t) => {
    const free = { host: '127.0.0.1', port: await freePort(), setting: 'PORT' }
    const used = { host: '127.0.0.1', port: await usedPort(t), setting: 'METRICS_LISTEN' }
    await assert.rejects(reserveAddresses([free, used]), /set METRICS_LISTEN to another port/)
    await (
      await reserveAddresses([free])
    )()
  })
})

describe('help', { concurrency: 2 }, () => {
  /** Settings that no other command accepts, and a folder without a database. */
  const invalid = { PORT: 'abc', DATABASE_URL: 'x' }
  // prettier-ignore
  const topics: [args: string[], start: RegExp][] = [
    [['--help'],                    /^Workgate: .*\n\n\S+ \S+ \S+workgate\.mjs \[serve\] +run the service\n[^]*\n {2}DATABASE_URL /],
    [['-h'],                        /^Workgate: /],
    [['help'],                      /^Workgate: /],
    [['version'],                   /^\d+\.\d+\.\d+/],
    [['--version'],                 /^\d+\.\d+\.\d+/],
    [['help', 'keys', 'revoke'],    /^\S+ \S+ \S+workgate\.mjs keys revoke NAME\n\nSettings/],
    [['serve', '--help'],           /^\S+ \S+ \S+workgate\.mjs \[serve\]\n {2}run the service\n[^]*\n {2}DATABASE_URL /],
    [['migrate', '-h'],             /workgate\.mjs migrate\n {2}apply pending migrations\n/],
    [['health', '--help'],          /workgate\.mjs health\n/],
    [['grants', '--help'],          /workgate\.mjs grants\n/],
    [['version', '--help'],         /^\d+\.\d+\.\d+/],
    [['help', '--help'],            /^Workgate: /],
    [['demo', '--tasks', '-h'],     /workgate\.mjs demo \[--projects 12\]/],
    [['doctor', '--help'],          /workgate\.mjs doctor \[--repair \[--yes\]\] \[--json\]\n/],
    [['projects', '--help'],        /workgate\.mjs projects \[list\] \[--json\]\n/],
    [['keys', '--help'],            /keys create NAME[^]*keys list[^]*keys rotate[^]*keys revoke[^]*keys projects/],
    [['keys', 'create', 'x', '-h'], /^\S+ \S+ \S+workgate\.mjs keys create NAME \(--all-projects \| --projects PROJECT,PROJECT…\)\n {4}\[--operations/],
    [['keys', 'list', '--help'],    /^\S+ \S+ \S+workgate\.mjs keys list \[--json\]\n\nSettings/],
  ]
  for (const [args, start] of topics) {
    test(`"${args.join(' ')}" needs neither valid settings nor a database`, async () => {
      const { code, out, err } = await command(args, invalid)
      assert.deepEqual([code, err], [0, ''])
      assert.match(out, start)
    })
  }

  test('of an unknown command suggests the most similar one', () => {
    assert.throws(() => helpText(['migrat']), { message: 'unknown command "migrat"; did you mean migrate?' })
    assert.throws(() => helpText(['x']), { message: 'unknown command "x"; see "workgate help"' })
  })
})

describe('a misspelling', { concurrency: 2 }, () => {
  // prettier-ignore
  const misspelled: [args: string[], message: string][] = [
    [['kesy'],                      'unknown command "kesy"; did you mean keys?'],
    [['--port', '80'],              `unknown option --port: settings are environment variables, so set PORT; see "${program} help"`],
    [['--database-url=postgres://u:secret@h/d'], `unknown option --database-url: settings are environment variables, so set DATABASE_URL; see "${program} help"`],
    [['postgres://u:secret@h/d'],   `unknown command; see "${program} help"`],
    [['k'.repeat(32)],              `unknown command; see "${program} help"`],
    [['serve', '--data-dir=x'],     `serve takes no arguments: settings are environment variables, so set DATA_DIR; see "${program} help"`],
    [['migrate', 'now'],            `migrate takes no arguments: settings are environment variables; see "${program} help"`],
    [['doctor', '--repiar'],        `unknown option --repiar; did you mean --repair?\n\n${program} doctor [--repair [--yes]] [--json]`],
    [['demo', '--project=3'],       `unknown option --project; did you mean --projects?\n\n${program} demo [--projects 12] [--tasks 4000] [--until 2026-11-21]`],
    [['projects', '--xml'],         `unknown option --xml\n\n${program} projects [list] [--json]`],
    [['keys', 'list', '--xml'],     `unknown option --xml\n\n${program} keys list [--json]`],
  ]
  for (const [args, message] of misspelled) {
    test(`in "${args.join(' ')}" is named`, async (t) => {
      const folder = await temporaryFolder(t)
      assert.deepEqual(await command(args, {}, folder), { code: 2, out: '', err: `workgate: ${message}` })
      await assert.rejects(access(join(folder, 'workgate-data')))
    })
  }
})

describe('suggested commands begin with', () => {
  const inClone: Invocation = { kind: 'node', path: '/srv/clone/dist/workgate.mjs', folder: '/srv/clone', environment: {}, container: undefined } // prettier-ignore
  const executable: Invocation = { ...inClone, kind: 'executable', path: './workgate' }
  const container = { engine: 'docker', hostname: '0123456789ab' } as const
  // prettier-ignore
  const forms: [start: string, invocation: Invocation][] = [
    ['node dist/workgate.mjs',                          inClone],
    ['node /srv/clone/dist/workgate.mjs',               { ...inClone, folder: '/home/x' }],
    ["node 'my dist/workgate.mjs'",                     { ...inClone, path: '/srv/clone/my dist/workgate.mjs' }],
    ['deno run … dist/workgate.mjs',                    { ...inClone, kind: 'deno' }],
    ['./workgate',                                      executable],
    ['workgate',                                        { ...executable, path: 'workgate' }],
    ['DATA_DIR=/srv/data node dist/workgate.mjs',       { ...inClone, environment: { DATA_DIR: '/srv/data', PORT: '1' } }],
    [`DATA_DIR='it'\\''s' ./workgate`,                  { ...executable, environment: { DATA_DIR: "it's" } }],
    ['DATABASE_URL=… ./workgate',                       { ...executable, environment: { DATABASE_URL: 'postgres://u:secret@h/d', DATA_DIR: '/x' } }],
    ['DATABASE_URL_FILE=/run/secrets/url ./workgate',   { ...executable, environment: { DATABASE_URL_FILE: '/run/secrets/url' } }],
    ['docker exec 0123456789ab workgate',               { ...executable, path: 'workgate', environment: { DATABASE_URL: 'x' }, container }],
    ['podman exec … workgate',                          { ...executable, path: 'workgate', container: { engine: 'podman', hostname: 'shop' } }],
    ['workgate',                                        { ...executable, path: 'workgate', environment: { DATABASE_URL: 'x' }, container: { ...container, engine: undefined } }],
  ]
  for (const [start, invocation] of forms) test(start, () => assert.equal(describeProgram(invocation), start))

  test('the form of the program in every message, and other words stay', () => {
    assert.equal(asTyped('run "workgate migrate" as workgate, see workgate.keys', './w$&'), 'run "./w$& migrate" as workgate, see workgate.keys') // prettier-ignore
  })
})

test('each reason why a database cannot be reached is reported once', async () => {
  const lines: string[] = []
  const log = createLog('info', (line) => lines.push(line))
  const config = readConfig({ DATABASE_URL: 'postgres://u:secret@db.example.org/d' }, () => '')
  const context = { ...commandContext(config), log }
  const lost = (code: string) => new DatabaseUnavailable(code, { cause: Object.assign(new Error('secret'), { code }) })
  const failures = [lost('ENOTFOUND'), lost('ENOTFOUND'), lost('ECONNREFUSED')]
  const result = await retryUntilAvailable(context, async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'available'
  })
  assert.equal(result, 'available')
  const reported = lines
    .map((line) => JSON.parse(line) as LogLine)
    .map(({ message, host, problem }) => [message, host, problem])
  assert.deepEqual(reported, [
    ['waiting for the database', 'db.example.org:5432', 'no such host (ENOTFOUND)'],
    ['waiting for the database', 'db.example.org:5432', 'connection refused (ECONNREFUSED)'],
  ])
})

describe('the hosts of DATABASE_URL are named without user, password and parameters:', () => {
  // prettier-ignore
  const urls: [url: string, hosts: string][] = [
    ['postgres://u:secret@db.example.org/d?sslmode=require',   'db.example.org:5432'],
    ['postgres://u:secret@a:5433,[::1]/d',                     'a:5433,[::1]:5432'],
    ['postgres:///d?host=/var/run/postgresql&user=secret',     '/var/run/postgresql'],
    ['postgres://user:12/secret@host/d',                       'the host of DATABASE_URL'],
  ]
  for (const [url, hosts] of urls) test(hosts, () => assert.equal(describeHosts(url), hosts))
})
