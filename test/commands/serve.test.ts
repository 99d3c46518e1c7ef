// Starting the service from the artifact, and the errors that prevent it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { run } from '../support/environment.ts'
import { command, freshDatabase, runArtifact, startArtifact, type LogLine } from '../support/workgate.ts'

let migrated: Awaited<ReturnType<typeof freshDatabase>>
let folder: string

before(async () => {
  migrated = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'workgate-serve-'))
})
after(async () => {
  await migrated.drop()
  await rm(folder, { recursive: true })
})

const serve = (environment: Record<string, string>) =>
  command(['serve'], { PORT: '0', DATABASE_URL: migrated.url, ...environment })
const secret = 'a-secret-of-more-than-32-characters'
const project = '00000000-0000-7000-8003-000000000001'

// prettier-ignore
const faults: [claim: string, environment: Record<string, string>, message: RegExp][] = [
  ['an invalid port',                { PORT: 'abc' },                                      /PORT must be an integer between 0 and 65535/],
  ['a port that is too high',        { PORT: '65536' },                                    /PORT must be an integer/],
  ['a negative limit',               { RATE_LIMIT_PER_MINUTE: '-1' },                      /RATE_LIMIT_PER_MINUTE must be an integer/],
  ['an unknown level',               { LOG_LEVEL: 'loud' },                                /LOG_LEVEL must be one of debug, info/],
  ['an unknown log format',          { LOG_FORMAT: 'xml' },                                /LOG_FORMAT must be text, json or empty/],
  ['an origin with a path',          { CORS_ORIGINS: 'https://a.example.org/x' },          /CORS_ORIGINS must be \* or a comma-separated list/],
  ['an invalid flag',            { AUTO_MIGRATE: 'no' },                               /AUTO_MIGRATE must be 0 or 1/],
  ['an invalid database address',{ DATABASE_URL: `mysql://root:${secret}@localhost` }, /DATABASE_URL must look like postgres:/],
  ['a password with a bare %',       { DATABASE_URL: 'postgres://u:50%off@localhost/db' }, /DATABASE_URL must look like postgres:/],
  ['an unknown sslmode',             { DATABASE_URL: 'postgres://u@localhost/db?sslmode=bogus' }, /DATABASE_URL allows only sslmode=disable, prefer/],
  ['verify-full with an IP address',           { DATABASE_URL: 'postgres://u@db.example.org,[::1]:5433/db?sslmode=verify-full' }, /DATABASE_URL allows sslmode=verify-full only with host names/],
  ['a certificate file in the address',                 { DATABASE_URL: 'postgres://u@localhost/db?sslrootcert=/x' }, /DATABASE_URL does not allow TLS files: .*NODE_EXTRA_CA_CERTS/],
  ['a pooler without an address',      { DATABASE_URL: '', DATABASE_POOLER: 'transaction' }, /DATABASE_POOLER requires DATABASE_URL/],
  ['keys that are not JSON',          { API_KEYS: `{"key": "${secret}"` },                  /API_KEYS must be a JSON array/],
  ['keys that are not an array',          { API_KEYS: `{"key": "${secret}"}` },                 /API_KEYS must be a JSON array/],
  ['a key without a name',           { API_KEYS: `[{"key": "${secret}"}]` },               /API_KEYS entry 1: name is missing/],
  ['a name with NUL',                { API_KEYS: `[{"name": "c\\u0000i", "key": "${secret}"}]` },        /entry 1 \("c\\u0000i"\): name must be 1 to 100 characters, without control characters, [^\n]*$/m],
  ['a name with an unpaired surrogate',   { API_KEYS: `[{"name": "c\\ud83di", "key": "${secret}"}]` },        /entry 1 \("c\\ud83di"\): name must be 1 to 100 /],
  ['a name that is too long',        { API_KEYS: `[{"name": "${'n'.repeat(101)}", "key": "${secret}"}]` }, /entry 1: name must be 1 to 100 /],
  ['a name that begins with a space', { API_KEYS: `[{"name": " ci", "key": "${secret}"}]` },             /entry 1 \(" ci"\): name must be 1 to 100 /],
  ['a short key',                    { API_KEYS: '[{"name": "ci", "key": "short"}]' },     /entry 1 \("ci"\): key must have at least 32/],
  ['a key with an unknown field',    { API_KEYS: `[{"name": "ci", "key": "${secret}", "scope": "x"}]` },           /entry 1 \("ci"\): scope is unknown/],
  ['a key in place of a field',      { API_KEYS: `[{"name": "ci", "${secret}": 1}]` },     /entry 1 \("ci"\): a field is unknown/],
  ['both key and hash',           { API_KEYS: `[{"name": "ci", "key": "${secret}", "keySha256": "${'0'.repeat(64)}"}]` }, /must have either key or keySha256/],
  ['neither key nor hash',           { API_KEYS: '[{"name": "ci"}]' },                     /must have either key or keySha256/],
  ['more than 1000 projects',       { API_KEYS: JSON.stringify([{ name: 'ci', key: secret, projects: Array(1_001).fill(project) }]) }, /projects must list at most 1000 projects/],
  ['projects with all_projects',    { API_KEYS: `[{"name": "ci", "key": "${secret}", "scopeMode": "all_projects", "projects": ["${project}"]}]` }, /must not list projects if scopeMode is all_projects/],
  ['an invalid project id',        { API_KEYS: `[{"name": "ci", "key": "${secret}", "projects": ["web"]}]` },    /projects\.0 must be a project id/],
  ['create_project with selected projects', { API_KEYS: `[{"name": "ci", "key": "${secret}", "operations": ["create_project"]}]` }, /create_project requires all_projects/],
  ['an invalid expiry',         { API_KEYS: `[{"name": "ci", "key": "${secret}", "expiresAt": "soon"}]` },    /expiresAt must be a time such as/],
  ['an expiry after the year 9999',       { API_KEYS: `[{"name": "ci", "key": "${secret}", "expiresAt": "9999-12-31T23:00:00-02:00"}]` }, /expiresAt must be a time such as/],
  ['a duplicate name',                 { API_KEYS: `[{"name": "ci", "key": "${secret}"}, {"name": "ci", "key": "${secret}2"}]` }, /entry 2 \("ci"\): another entry has the same name or key/],
  ['a duplicate key',                  { API_KEYS: `[{"name": "a", "key": "${secret}"}, {"name": "b", "key": "${secret}"}]` },    /entry 2 \("b"\): another entry has the same name or key/],
  ['a key in its name',                { API_KEYS: `[{"name": "x${secret}", "key": "${secret}"}]` }, /API_KEYS entry 1: name must not contain the key/],
  ['a missing file',       { API_KEYS_FILE: '/nowhere/keys.json' },              /API_KEYS_FILE names a file that cannot be read/],
  ['an empty file',      { DATABASE_URL: '', DATABASE_URL_FILE: '/dev/null' },          /DATABASE_URL_FILE names a file that is empty/],
  ['both a value and a file',      { PORT: '0', PORT_FILE: '/etc/hostname' },            /PORT and PORT_FILE are both set/],
]

describe('an error about the environment does not contain its values:', () => {
  for (const [claim, environment, message] of faults) {
    test(claim, () => {
      assert.throws(
        () => readConfig(environment, (path) => readFileSync(path, 'utf8')),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, message)
          assert.ok(!error.message.includes(secret), error.message)
          return true
        },
      )
    })
  }
})

describe('incorrect use exits with code 2:', { concurrency: 2 }, () => {
  test('an invalid environment, with all its errors at once', async () => {
    const { code, out, err } = await serve({ PORT: 'x', LOG_LEVEL: 'x', API_KEYS: `[{}, {"${secret}": 1}]` })
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /PORT .*\n.*API_KEYS entry 1.*\n.*API_KEYS entry 2.*\n.*LOG_LEVEL/s)
    assert.ok(!err.includes(secret) && !/\n +at /.test(err), err)
  })

  test('unexpected arguments', async () => {
    for (const args of [
      ['serve', '--port', '80'],
      ['migrate', '--dry-run'],
    ]) {
      const { code, err } = await command(args, {})
      assert.equal(code, 2)
      assert.match(err, /takes no arguments: settings are environment variables/)
    }
  })

  test('an unknown command', async () => {
    const { code, err } = await command(['sevre'], {})
    assert.deepEqual([code, err], [2, 'workgate: unknown command "sevre"; did you mean serve?'])
  })
})

describe('the database at startup', () => {
  const address = new URL(migrated?.url ?? run().server)
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(address)
    change(url)
    return url.href
  }

  test('if the database does not exist, the service exits with code 1 and an error without the password', async () => {
    const { code, err } = await serve({ DATABASE_URL: wrong((url) => (url.pathname = '/nowhere')) })
    assert.equal(code, 1)
    assert.match(err, /^workgate: database error: database "nowhere" does not exist \(3D000\)$/)
  })

  test('if the role cannot connect, the error says so', async () => {
    const { code, err } = await serve({ DATABASE_URL: wrong((url) => (url.username = 'nobody')) })
    assert.equal(code, 1)
    assert.match(err, /^workgate: database error: .*(28000|28P01)\)$/)
    assert.ok(!address.password || !err.includes(address.password))
  })

  test('with AUTO_MIGRATE=0 an empty database is refused, and the error lists the missing migrations', async () => {
    const service = await startArtifact({ DATABASE_URL: migrated.url, AUTO_MIGRATE: '0' })
    assert.equal((await service.send('GET //readyz')).status, 200)
    await service.close()
    const empty = await freshDatabase('template0')
    const { code, err } = await serve({ DATABASE_URL: empty.url, AUTO_MIGRATE: '0' })
    assert.equal(code, 1)
    assert.equal(
      err,
      `workgate: the database has pending migrations (${migrations.map(({ name }) => name).join(', ')}), and AUTO_MIGRATE is 0: run "DATABASE_URL=… node dist/workgate.mjs migrate"`,
    )
    assert.deepEqual((await command(['migrate'], { DATABASE_URL: empty.url })).code, 0)
    const migratedNow = await startArtifact({ DATABASE_URL: empty.url, AUTO_MIGRATE: '0' })
    await migratedNow.close()
    await empty.drop()
  })

  test('two services can start at once on an empty database', async () => {
    const empty = await freshDatabase('template0')
    const services = await Promise.all([1, 2].map(() => startArtifact({ DATABASE_URL: empty.url })))
    for (const service of services) assert.equal((await service.send('GET //readyz')).status, 200)
    const applied = await empty.sql`select name from workgate.migrations order by name`
    assert.deepEqual(
      applied.map((row) => row['name']),
      migrations.map(({ name }) => name),
    )
    await Promise.all(services.map((service) => service.close()))
    await empty.drop()
  })

  test('a database with an edited, missing or unknown migration is refused', async () => {
    const altered = await freshDatabase()
    await altered.sql`update workgate.migrations set checksum = 'x' where name = '0002-projects'`
    const edited = await serve({ DATABASE_URL: altered.url })
    assert.deepEqual(
      [edited.code, edited.err],
      [1, 'workgate: migration 0002-projects was edited after it was applied to this database'],
    )
    await altered.sql`delete from workgate.migrations where name = '0002-projects'`
    assert.match((await serve({ DATABASE_URL: altered.url })).err, /0002-projects is not applied, although later ones/)
    await altered.sql`update workgate.migrations set name = '9999-later' where name = '0004-keys'`
    assert.match(
      (await serve({ DATABASE_URL: altered.url })).err,
      /9999-later, which this version of Workgate does not know/,
    )
    await altered.drop()
  })
})

test('the service continues after the reader of its output has exited', async () => {
  const service = await startArtifact({ DATABASE_URL: migrated.url })
  service.child.stdout!.destroy()
  for (let n = 0; n < 20; n++) assert.equal((await service.send('GET //readyz')).status, 200)
  await service.close()
  assert.equal(service.child.exitCode, 0)
})

test('a service reports once, without the password, that it waits for the database, and SIGTERM stops it', async () => {
  const child = runArtifact(['serve'], { PORT: '0', DATABASE_URL: `postgres://nobody:${secret}@127.0.0.1:1/nowhere` })
  let out = ''
  child.stdout!.on('data', (bytes: Buffer) => (out += bytes))
  await once(child.stdout!, 'data')
  child.kill('SIGTERM')
  await once(child, 'exit')
  const [waiting, ...others] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine)
  const { message, code, host, problem } = waiting!
  assert.deepEqual(
    [message, code, host, problem, others],
    ['waiting for the database', 'ECONNREFUSED', '127.0.0.1:1', 'connection refused (ECONNREFUSED)', []],
  )
  assert.ok(!out.includes(secret))
})

test('a port that is in use is reported, and the process exits', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const onUsedPort = await serve({ PORT: String(port) })
  const ofMetrics = await serve({ METRICS_LISTEN: `127.0.0.1:${port}` })
  other.close()
  assert.equal(onUsedPort.code, 1)
  const problem = `workgate: cannot listen on 127.0.0.1:${port}: the address is in use (EADDRINUSE): stop the program that uses it`
  assert.equal(onUsedPort.err, `${problem}, or set PORT to another port`)
  assert.equal(ofMetrics.code, 1)
  assert.equal(ofMetrics.err, `${problem}, or set METRICS_LISTEN to another port`)
  assert.doesNotMatch(ofMetrics.out, /"listening"/)
})

test('a value can be in a file, with a trailing newline', async () => {
  const path = join(folder, 'url')
  await writeFile(path, migrated.url + '\n')
  const service = await startArtifact({ DATABASE_URL_FILE: path })
  assert.equal((await service.send('GET //readyz')).status, 200)
  await service.close()
})

test('keys from the environment that repeat themselves are named in a warning, and random ones are not', async () => {
  const weak = {
    letter: 'a'.repeat(64),
    word: 'changeme-changeme-changeme-changeme',
    alternating: 'ab'.repeat(20),
    digits: '1234567890'.repeat(4),
    hex: '0123456789abcdef'.repeat(4),
  }
  const random = { short: randomBytes(16).toString('hex'), long: randomBytes(48).toString('base64url') }
  const API_KEYS = JSON.stringify(Object.entries({ ...weak, ...random }).map(([name, key]) => ({ name, key })))
  const lines: string[] = []
  const service = await startArtifact({ DATABASE_URL: migrated.url, API_KEYS }, lines)
  await service.close()
  const warnings = lines.map((line) => JSON.parse(line) as LogLine).filter(({ level }) => level === 'warn')
  assert.deepEqual(
    warnings.map(({ message, keyNames }) => [message, keyNames]),
    [['API_KEYS contains keys that are easy to guess', Object.keys(weak)]],
  )
  for (const key of Object.values(weak)) assert.ok(!lines.join().includes(key))
})
