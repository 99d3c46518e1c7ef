// Starting the service from the artifact, and the errors that prevent it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { migrations } from '../../src/db/schema/migrations.ts'
import { temporaryFolder } from '../faults/fixtures/embedded.ts'
import { freePort } from '../support/server.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { command, runArtifact, startArtifact, type LogLine } from '../support/workgate.ts'

const migrated = await suiteDatabase()

const serve = (environment: Record<string, string>) =>
  command(['serve'], { PORT: '0', DATABASE_URL: migrated.url, ...environment })
const secret = 'a-secret-of-more-than-32-characters'

describe('incorrect use exits with code 2:', { concurrency: 2 }, () => {
  test('an invalid environment, with all its errors at once', async () => {
    const { code, out, err } = await serve({ PORT: 'x', LOG_LEVEL: 'x', API_KEYS: `[{}, {"${secret}": 1}]` })
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /PORT .*\n.*API_KEYS entry 1.*\n.*API_KEYS entry 2.*\n.*LOG_LEVEL/s)
    assert.ok(!err.includes(secret) && !/\n +at /.test(err), err)
  })
})

test('commands print the address of the service that is running', async () => {
  const { url } = await suiteDatabase()
  const port = await freePort()
  const service = await startArtifact({ DATABASE_URL: url, PORT: String(port) })
  const demo = await command(['demo', '--projects', '1', '--tasks', '4'], { DATABASE_URL: url })
  assert.match(demo.out, new RegExp(`^See the projects: http://127\\.0\\.0\\.1:${port}/explorer$`, 'm'))
  await service.close()
})

describe('the database at startup', () => {
  const address = new URL(migrated.url)
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
    const empty = await suiteDatabase(undefined, 'template0')
    const { code, err } = await serve({ DATABASE_URL: empty.url, AUTO_MIGRATE: '0' })
    assert.equal(code, 1)
    assert.equal(
      err,
      `workgate: the database has pending migrations (${migrations.map(({ name }) => name).join(', ')}), and AUTO_MIGRATE is 0: run "DATABASE_URL=… node dist/workgate.mjs migrate"`,
    )
    assert.deepEqual((await command(['migrate'], { DATABASE_URL: empty.url })).code, 0)
    const migratedNow = await startArtifact({ DATABASE_URL: empty.url, AUTO_MIGRATE: '0' })
    await migratedNow.close()
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

test('a value can be in a file, with a trailing newline', async (t) => {
  const path = join(await temporaryFolder(t), 'url')
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
