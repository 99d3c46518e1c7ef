// Tests the limits of failed credentials: which keys still work over the limit, parallel guesses, and the networks to
// which the limits apply.

import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { createAttemptLimit, createBuckets } from '../../src/api/access/rate-limit.ts'
import { createAuthenticate } from '../../src/api/access/authenticate.ts'
import { readEnvironmentKeys } from '../../src/config/environment-keys.ts'
import { createKeyRecords } from '../../src/api/access/key-records.ts'
import { Problem, problems } from '../../src/api/problems/problem.ts'
import { cleanUp, until } from '../faults/fixtures/embedded.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { lockTables } from '../support/locks.ts'
import { recordSecret } from '../support/log.ts'
import { issueKey, openWorkgate, wellFormedKey, type Reply, type Workgate } from '../support/workgate.ts'

const environmentKey = `env-${crypto.randomUUID()}`
recordSecret(environmentKey)

const { workgate, sql } = await contractSuite({
  environment: {
    TRUST_PROXY: '1',
    API_KEYS: JSON.stringify([{ name: 'env', key: environmentKey }]),
    // Long enough for statements to wait for the lock of a test.
    STATEMENT_TIMEOUT_MS: '40000',
  },
})

const times = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n))

const guess = () =>
  wellFormedKey(crypto.randomUUID().slice(-12), crypto.randomUUID().replaceAll('-', '').padEnd(48, '0'))
/** A key with the id of another, but another secret. */
const forge = (key: string) => wellFormedKey(key.slice(3, 15), '0'.repeat(48))

const sendFrom = (address: string, key: string, service: Workgate = workgate): Promise<Reply> =>
  service.send('GET /key', { key, headers: { 'x-forwarded-for': address } })

const exhaust = (address: string) => Promise.all(times(70, () => sendFrom(address, guess())))

const others: Promise<Reply>[] = []

/**
 * Sends guesses first, for the tokens that the bucket has got since it was exhausted: one a second. Requests on several
 * connections arrive in any order, so the first guesses take the tokens, and the others those that come meanwhile.
 */
async function sendOverLimit(address: string, key: string): Promise<Reply> {
  const guesses = () => {
    const sent = times(50, () => sendFrom(address, guess()))
    others.push(...sent)
    return sent
  }
  await Promise.any(guesses().map(async (reply) => assert.equal((await reply).status, 429)))
  guesses()
  return sendFrom(address, key)
}

/** Makes all statements about keys and versions wait. Returns a function that lets them continue. */
function lockStatements(t: TestContext) {
  cleanUp(t, () => Promise.all(others))
  return lockTables(t, sql, 'workgate.api_keys, workgate.freshness_versions')
}

describe('an address over the limit', () => {
  test('gets 429 for a key that has not been used before, valid or not, without a statement', async (t) => {
    const address = '198.51.100.1'
    const unused = await workgate.issueKey('unused')
    await exhaust(address)
    const unlock = await lockStatements(t)
    for (const key of [unused, guess(), 'hello']) {
      const { status, headers, body } = await sendOverLimit(address, key)
      assert.deepEqual([status, body.code, headers['retry-after']], [429, 'RATE_LIMITED', '1'])
    }
    await unlock()
    assert.equal((await sendFrom('198.51.100.2', unused)).status, 200, 'other addresses are not affected')
  })

  test('can use keys that were used before, from any address, and environment keys', async () => {
    const address = '198.51.100.7'
    const used = await workgate.issueKey('used')
    assert.equal((await sendFrom('198.51.100.2', used)).status, 200)
    await exhaust(address)
    for (const key of [used, environmentKey]) assert.equal((await sendFrom(address, key)).status, 200)
  })

  test('cannot use a key that was revoked after its last use, without a statement', async (t) => {
    const address = '198.51.100.8'
    const revoked = await workgate.issueKey('revoked')
    assert.equal((await sendFrom(address, revoked)).status, 200)
    await sql`select workgate.revoke_key('revoked')`
    assert.equal((await sendFrom(address, revoked)).body.code, 'KEY_REVOKED')
    await exhaust(address)
    await lockStatements(t)
    assert.equal((await sendOverLimit(address, revoked)).status, 429)
  })
})

describe('parallel requests', () => {
  test('with guesses are limited before the first guess has failed', async (t) => {
    const address = '198.51.100.3'
    const unused = await workgate.issueKey('guessed')
    const unlock = await lockStatements(t)
    const statuses: number[] = []
    const guesses = times(100, async () => void statuses.push((await sendFrom(address, guess())).status))
    await until('some are refused', () => statuses.length > 0)
    assert.equal((await sendOverLimit(address, unused)).status, 429)
    await unlock()
    await Promise.all(guesses)
    assert.deepEqual([...new Set(statuses)], [429, 401])
    assert.ok(statuses.filter((status) => status === 401).length < 70)
  })

  test('with one new key all succeed, and do not count', async () => {
    const address = '198.51.100.4'
    const key = await workgate.issueKey('parallel')
    const replies = await Promise.all(times(200, () => sendFrom(address, key)))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    const failures = await Promise.all(times(60, () => sendFrom(address, guess())))
    assert.deepEqual([...new Set(failures.map(({ status }) => status))], [401])
  })

  test('with new keys do not count if the database is unavailable', async (t) => {
    const address = '198.51.100.5'
    const brief = await openWorkgate({ TRUST_PROXY: '1', STATEMENT_TIMEOUT_MS: '400' })
    t.after(() => brief.close())
    const session = await brief.sql.reserve()
    await session`begin`
    await session`lock table workgate.freshness_versions in access exclusive mode`
    const failed = await Promise.all(times(60, () => sendFrom(address, guess(), brief)))
    assert.deepEqual([...new Set(failed.map(({ status }) => status))], [503])
    await session`rollback`
    session.release()
    const key = await brief.issueKey('later')
    assert.equal((await sendFrom(address, key, brief)).status, 200)
  })
})

describe('an authentication that fails with another status than 401', () => {
  const { keys } = readEnvironmentKeys(JSON.stringify([{ name: 'env', key: environmentKey }]))
  const address = '198.51.100.9'

  for (const code of ['UNAVAILABLE', 'RATE_LIMITED'] as const) {
    test(`(${problems[code][0]}) does not count, and does not affect an environment key`, async () => {
      // No record is read: every authentication ends before.
      const records = createKeyRecords()
      const check = () => Promise.reject(new Problem(code, 'The check failed.'))
      const attempts = createAttemptLimit(createBuckets().networks)
      const authenticate = createAuthenticate(records, keys, attempts, { check }, () => {})
      const send = (credential: string) => authenticate({ credential, address, projectId: null, names: undefined })
      const expected = { code, detail: 'The check failed.' }
      for (const key of [environmentKey, ...times(100, guess)]) await assert.rejects(send(key), expected)
      const guesses = times(70, (n) => send(`guess ${n}`).catch((error: Problem) => error.status))
      assert.ok((await Promise.all(guesses)).includes(429), 'invalid keys exhaust the limit')
      await assert.rejects(send(environmentKey), expected)
    })
  }
})

test('one invalid key, however often it is sent, does not block new keys from its address', async () => {
  const address = '198.51.100.6'
  const invalid = guess()
  const statuses = new Set<number>()
  for (let n = 0; n < 100; n++) statuses.add((await sendFrom(address, invalid)).status)
  assert.deepEqual([...statuses], [401])
  assert.equal((await sendFrom(address, await workgate.issueKey('neighbour'))).status, 200)
})

test('the addresses of an IPv6 /64 count together', async () => {
  const replies = await Promise.all(times(200, (n) => sendFrom(`2001:db8:7:1::${n}`, guess())))
  const passed = replies.filter(({ status }) => status === 401).length
  assert.ok(passed >= 60 && passed < 200, `${passed} of 200 attempts were counted in one bucket`)
  assert.equal((await sendFrom('2001:db8:7:2::1', guess())).status, 401)
})

describe('an address in X-Forwarded-For', () => {
  // prettier-ignore
  const forms: [sent: string, address: string][] = [
    ['203.0.113.9',                     '203.0.113.9'],
    ['203.0.113.9:4711',                '203.0.113.9'],
    ['::ffff:203.0.113.9',              '203.0.113.9'],
    ['[::FFFF:cb00:7109]:80',           '203.0.113.9'],
    ['2001:DB8:0:0::0001',              '2001:db8::1'],
    ['[2001:db8::1]',                   '2001:db8::1'],
    ['[2001:db8::1]:443',               '2001:db8::1'],
    ['fe80::1%eth0',                    'fe80::1'],
    ['unknown',                         '127.0.0.1'],
    ['_hidden',                         '127.0.0.1'],
    ['203.0.113.9:99999999',            '127.0.0.1'],
    ['256.0.0.1',                       '127.0.0.1'],
    ['[127.0.0.1',                      '127.0.0.1'],
    [environmentKey,                    '127.0.0.1'],
  ]

  test('is normalized, and replaced by the address of the proxy if it is invalid', async (t) => {
    const behind = await openWorkgate({ TRUST_PROXY: '1' }, 'artifact')
    t.after(() => behind.close())
    for (const [n, [sent, address]] of forms.entries()) {
      const headers = { 'x-forwarded-for': `192.0.2.1, ${sent}`, 'x-request-id': `form-${n}` }
      await behind.send('GET //healthz', { headers })
      assert.equal((await behind.logged(`form-${n}`))['address'], address, sent)
    }
    const spellings = ['203.0.113.9', '203.0.113.9:1', '203.0.113.9:2', '::ffff:203.0.113.9']
    // Four buckets would let all of them pass. One bucket does not, even if it refills for two minutes meanwhile.
    const replies = await Promise.all(times(200, (n) => sendFrom(spellings[n % 4]!, guess(), behind)))
    const passed = replies.filter(({ status }) => status === 401).length
    assert.ok(passed >= 60 && passed < 200, `${passed} of 200 attempts were counted in one bucket`)
  })
})

test('the id of a key that is in use does not verify another secret', async () => {
  const key = await issueKey(sql, 'in use elsewhere')
  assert.equal((await sendFrom('198.51.100.77', key)).status, 200)
  assert.equal((await sendFrom('198.51.100.77', forge(key))).status, 401)
  assert.equal((await sendFrom('198.51.100.77', key)).status, 200)
})
