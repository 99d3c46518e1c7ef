// Tests rate limits of keys, CORS, the address of a client, HSTS, and LOG_LEVEL.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { openWorkgate } from '../support/workgate.ts'

const { workgate, key } = await contractSuite()

describe('rate limits', () => {
  test('a key gets its 3 requests per minute, then 429 with Retry-After; other keys are unaffected', async () => {
    const slow = await workgate.issueKey('slow', { rateLimit: 3 })
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await workgate.send('GET /key', { key: slow })
      assert.deepEqual([status, headers['x-ratelimit-remaining'], headers['x-ratelimit-limit']], [200, remaining, '3'])
      assert.equal(headers['ratelimit-policy'], '"key";q=3;w=60')
      assert.match(headers['ratelimit']!, new RegExp(`^"key";r=${remaining};t=\\d+$`))
    }
    const { status, headers, body } = await workgate.send('GET /projects', { key: slow })
    assert.deepEqual([status, body.code, headers['x-ratelimit-remaining']], [429, 'RATE_LIMITED', '0'])
    assert.ok(Number(headers['retry-after']) > 0 && Number(headers['retry-after']) <= 20)
    assert.ok(Number(headers['x-ratelimit-reset']) > Date.now() / 1000)
    assert.equal((await workgate.send('GET /key', { key })).status, 200)
  })

  test('RATE_LIMIT_PER_MINUTE=0 disables the limit and its headers', async () => {
    const { headers } = await workgate.send('GET /key', { key })
    assert.equal(headers['ratelimit'], undefined)
  })

  test('the default applies to keys without their own limit', async () => {
    const limited = await openWorkgate({ RATE_LIMIT_PER_MINUTE: '1' })
    const own = await limited.issueKey('own', { rateLimit: 5 })
    const usual = await limited.issueKey('usual')
    assert.equal((await limited.send('GET /key', { key: usual })).headers['ratelimit-policy'], '"key";q=1;w=60')
    assert.equal((await limited.send('GET /key', { key: usual })).status, 429)
    assert.equal((await limited.send('GET /key', { key: own })).headers['ratelimit-policy'], '"key";q=5;w=60')
    await limited.close()
  })
})

describe('other origins', () => {
  const preflight = { origin: 'https://app.example.org', 'access-control-request-method': 'GET' }

  test('are not allowed by default', async () => {
    const { headers } = await workgate.send('GET /key', { key, headers: { origin: preflight.origin } })
    assert.equal(headers['access-control-allow-origin'], undefined)
    const options = await workgate.send('OPTIONS /key', { headers: preflight })
    assert.deepEqual([options.status, options.headers['access-control-allow-origin']], [204, undefined])
  })

  test('are allowed if CORS_ORIGINS names them', async () => {
    const open = await openWorkgate({ CORS_ORIGINS: 'https://app.example.org,https://b.example.org' })
    const openKey = await open.issueKey('open')
    const options = await open.send('OPTIONS /projects', { headers: preflight })
    assert.equal(options.status, 204)
    assert.equal(options.headers['access-control-allow-origin'], preflight.origin)
    assert.match(options.headers['access-control-allow-headers']!, /Authorization, X-API-Key/)
    const got = await open.send('GET /key', { key: openKey, headers: { origin: preflight.origin } })
    assert.equal(got.headers['access-control-allow-origin'], preflight.origin)
    assert.match(got.headers['access-control-expose-headers']!, /\bDeprecation, ETag, .*Link, .*Sunset, .*X-Request-Id/)
    assert.equal(got.headers['vary'], 'Accept-Encoding, Origin')
    const other = { ...preflight, origin: 'https://evil.example.org' }
    const others = await open.send('OPTIONS /projects', { headers: other })
    assert.deepEqual([others.status, others.headers['access-control-allow-origin']], [204, undefined])
    const refused = await open.send('GET /key', { headers: { origin: preflight.origin } })
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [401, preflight.origin])
    await open.close()
  })
})

describe('the address of a client', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }

  for (const [trusted, address] of [
    ['0', '127.0.0.1'],
    ['1', '198.51.100.7'],
    ['2', '203.0.113.9'],
    ['3', '127.0.0.1'],
  ] as const) {
    test(`behind ${trusted} trusted proxies is ${address}`, async () => {
      const behind = await openWorkgate({ TRUST_PROXY: trusted }, 'artifact')
      await behind.send('GET //healthz', { headers: { ...forwarded, 'x-request-id': 'forwarded' } })
      const line = await behind.logged('forwarded')
      await behind.close()
      assert.equal(line['address'], address)
    })
  }
})

test('behind a proxy, HSTS_MAX_AGE adds Strict-Transport-Security to every response', async (t) => {
  const behind = await openWorkgate({ TRUST_PROXY: '1', HSTS_MAX_AGE: '300' }, 'artifact')
  t.after(() => behind.close())
  for (const line of ['GET //healthz', 'GET //nothing', 'GET /key', 'OPTIONS /projects']) {
    const { headers } = await behind.send(line)
    assert.equal(headers['strict-transport-security'], 'max-age=300')
  }
})

test('LOG_LEVEL=warn logs internal errors, but no requests', async (t) => {
  // In process, because the tests learn the URL of an artifact from its log.
  const quiet = await openWorkgate({ LOG_LEVEL: 'warn' }, 'process')
  t.after(() => quiet.close())
  const quietKey = await quiet.issueKey('quiet')
  await quiet.send('GET /projects', { key: quietKey })
  assert.deepEqual(quiet.logLines(), [])
  await quiet.sql`alter table workgate.projects rename to elsewhere`
  const { status, body } = await quiet.send('GET /projects?limit=1', { key: quietKey })
  assert.equal(status, 500)
  await quiet.logged(body.requestId)
  // Background work can fail in the meantime, too.
  const levels = valuesOf(quiet.logLines(), 'level').filter((level) => level !== 'warn')
  assert.deepEqual(levels, ['error'])
})
