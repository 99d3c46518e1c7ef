// Databases that the artifact cannot use at the start, or that are down at the shutdown.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, mock, test } from 'node:test'
import { collectLastUses } from '../../../src/api/access/key-records.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { createLog } from '../../../src/runtime/log.ts'
import { serverSuite } from '../../support/artifact-suite.ts'
import { listen, refusingPort } from '../../support/server.ts'
import { command, issueKey, startArtifact } from '../../support/workgate.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'

const { server, url: address, sql, key } = await serverSuite()
const url = new URL(address)

const secret = 'a-secret-password'
const serve = (address: string) => command(['serve'], { DATABASE_URL: address, PORT: '0' })
const changed = (changes: Partial<URL>) => Object.assign(new URL(url), changes).href

function assertOnlyMessage(err: string, message: RegExp) {
  assert.match(err, message)
  assert.match(err, /^workgate: .*$/, 'one line')
  for (const password of [secret, url.password]) assert.ok(!err.includes(password), err)
}

// serve.test.ts tests an unknown user and a database that does not exist.
test('a wrong password is refused immediately with code 1', async () => {
  const { code, out, err } = await serve(changed({ password: secret }))
  assert.equal(code, 1)
  assertOnlyMessage(err, /database error: password authentication failed .*\(28P01\)$/)
  assert.ok(!out.includes('waiting'), out)
})

describe('refused with code 2:', { concurrency: true }, () => {
  const form = 'must look like postgres://user:password@host:5432/database'
  const replicas = 'allows only target_session_attrs=primary or read-write, which mean the same here'
  for (const [address, message] of [
    [`mysql://root:${secret}@host/db`, form],
    [`postgres://root:${secret}@host:99999/db`, form],
    [`root:${secret}@host/db`, form],
    [secret, form],
    [`postgres://root:${secret}@host/db?target_session_attrs=any`, replicas],
    [`postgres://root:${secret}@host,other/db?a=b&target_session_attrs=standby`, replicas],
  ] as const) {
    test(address.replace(secret, '…'), async () => {
      const { code, out, err } = await serve(address)
      assert.deepEqual([code, out], [2, ''])
      assert.ok(err.endsWith(`DATABASE_URL ${message}`), err)
      assert.ok(!err.includes(secret))
    })
  }
})

describe('a database that does not respond', { concurrency: true }, () => {
  const commands = [['serve'], ['migrate'], ['keys', 'create', 'ci', '--all-projects'], ['keys', 'revoke', 'ci']]
  for (const args of commands) {
    test(`makes "${args.slice(0, 2).join(' ')}" wait, and then fail with code 1`, async () => {
      const unreachable = changed({ password: secret, port: String(await refusingPort()) })
      const { code, out, err } = await command(args, { DATABASE_URL: unreachable, PORT: '0' })
      assert.equal(code, 1)
      assertOnlyMessage(
        err.split('\n').at(-1)!,
        /the database at 127.0.0.1:\d+ cannot be reached: connection refused \(ECONNREFUSED\)$/,
      )
      assert.equal((out + err).match(/waiting for the database/g)?.length, 1)
      assert.ok(!(out + err).includes(secret))
    })
  }

  test('is skipped if another host of the URL responds', async (t) => {
    const silent = createServer()
    cleanUp(t, () => silent.close())
    const [host, unused] = [url.host, `127.0.0.1:${await refusingPort()}`]
    const silentHost = `127.0.0.1:${await listen(silent)}`
    for (const hosts of [`${unused},${host}`, `${host},${unused}`, `${silentHost},${unused},${host}`]) {
      const service = await startArtifact({ DATABASE_URL: url.href.replace(host, hosts) })
      assert.equal((await service.send('GET //readyz')).status, 200)
      await service.close()
    }
  })
})

test('IPv6 addresses in brackets are accepted, alone and among several hosts', async () => {
  const at = (...hosts: string[]) => address.replace(url.host, hosts.join(','))
  // The server has only an IPv4 address; this is the same in IPv6 notation.
  const ipv6 = `[::ffff:127.0.0.1]:${url.port}`
  const unused = await refusingPort()
  for (const DATABASE_URL of [
    at(ipv6),
    at(`127.0.0.1:${unused}`, ipv6),
    at(`[::ffff:127.0.0.1]:${unused}`, ipv6),
    at(ipv6, `[::1]:${unused}`),
  ]) {
    const { code, err } = await command(['keys', 'list'], { DATABASE_URL })
    assert.deepEqual([code, err], [0, ''], DATABASE_URL)
  }
  const { code, err } = await command(['serve'], { DATABASE_URL: at('[::1', ipv6) })
  assert.deepEqual([code, err.includes('DATABASE_URL must look like')], [2, true])
})

test('target_session_attrs=read-write is accepted and uses the primary', async () => {
  const service = await startArtifact({ DATABASE_URL: changed({ search: '?target_session_attrs=read-write' }) })
  assert.equal((await service.send('GET //readyz')).status, 200)
  await service.close()
})

describe('a stopped server', () => {
  test('is used as soon as it is started', async (t) => {
    await server.stop()
    const lines: string[] = []
    const starting = startArtifact({ DATABASE_URL: url.href }, lines)
    await until('it waits', () => lines.some((line) => line.includes('waiting for the database')))
    await server.start()
    const service = await starting
    cleanUp(t, () => service.close())
    assert.equal((await service.send('GET //readyz')).status, 200)
    assert.ok(!lines.join('').includes(url.password))
  })

  test('does not delay the shutdown of the service', async (t) => {
    const lines: string[] = []
    const service = await startArtifact({ DATABASE_URL: url.href }, lines)
    cleanUp(t, () => service.child.kill('SIGKILL'))
    assert.equal((await service.send('GET /key', { key })).status, 200)
    await server.stop()
    const ended = once(service.child, 'exit')
    service.child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    assert.match(lines.join('\n'), /"warn".*last-used times of keys could not be written/)
    await server.start()
  })

  test('does not lose the last use of a key', async (t) => {
    const [early, late] = [await issueKey(sql, 'early'), await issueKey(sql, 'late')]
    const db = openDatabase({ target: { url: url.href }, poolSize: 2, statementTimeoutMs: 10_000 })
    cleanUp(t, () => db.close())
    const lines: string[] = []
    const ticks: (() => void)[] = []
    const interval = mock.method(globalThis, 'setInterval', (work: () => void) => {
      ticks.push(work)
      return { unref() {} }
    })
    const uses = collectLastUses(
      db,
      createLog('info', (line) => lines.push(line)),
    )
    interval.mock.restore()
    const [tick] = ticks as [() => void]
    uses.record(early.slice(3, 15))
    await server.stop()
    tick()
    await until('the write has failed', () => lines.length > 0)
    uses.record(late.slice(3, 15))
    await server.start()
    tick()
    const recorded = () => sql`select name from workgate.keys where last_used_at is not null order by name`
    await until('both are recorded', async () => (await recorded()).map((row) => row['name']).join() === 'early,late')
    await uses.close()
  })
})
