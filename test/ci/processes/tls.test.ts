// HTTPS in the service itself: its protocols, the reload of its certificate, and its shutdown. Against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Agent } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { pairs } from '../../support/certificates.ts'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { api, command } from '../../support/workgate.ts'
import { hasExited } from '../../workers/workers-service.ts'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { startSecure } from '../../faults/fixtures/secure.ts'

const { url: DATABASE_URL, key, lock, untilBlocked } = await databaseSuite()

const start = (t: TestContext, environment: Record<string, string> = {}, pair = pairs.first) =>
  startSecure(t, { DATABASE_URL, ...environment }, pair)

describe('HTTPS', () => {
  test('is served with the certificate and its chain, over TLS 1.2 and 1.3 only', async (t) => {
    const weaker = { NODE_OPTIONS: '--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0' }
    const { url, port, get, open, untilLogged, linesWith } = await start(t, weaker)
    assert.match(url, /^https:/)
    assert.equal((await get(`${api}/key`, { headers: { authorization: `Bearer ${key}` } })).status, 200)
    await untilLogged('certificate loaded')
    const { level, names, validUntil } = linesWith('certificate loaded')[0]!
    assert.deepEqual(
      [level, names, validUntil],
      ['info', 'DNS:localhost, IP Address:127.0.0.1', '2120-01-01T00:00:00.000Z'],
    )
    const socket = await open({ ALPNProtocols: ['h2', 'http/1.1'] })
    assert.equal(socket.alpnProtocol, 'http/1.1')
    await assert.rejects(open({ ALPNProtocols: ['h2'] }), { code: /ALPN|ALERT/ })
    const plain = connectPlain(port, '127.0.0.1', () => plain.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
    assert.deepEqual(await plain.toArray().catch(() => []), [], 'HTTP without TLS gets no response')
    socket.write('garbage\r\n\r\n')
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    assert.match(bytes.toString(), /^HTTP\/1\.1 400 .*MALFORMED_REQUEST/s)

    const only = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      open({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' })
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) assert.equal((await only(version)).getProtocol(), version)
    // Node's own options would allow it.
    await assert.rejects(only('TLSv1.1'), { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' })
  })

  test('offers only cipher suites with forward secrecy and authenticated encryption', async (t) => {
    const { open } = await start(t)
    const with12 = (ciphers: string) =>
      open({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })
    for (const suite of ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305']) {
      assert.equal((await with12(`ECDHE-ECDSA-${suite}`)).getCipher().name, `ECDHE-ECDSA-${suite}`)
    }
    for (const suite of ['AES128-SHA256', 'AES256-SHA', 'AES128-CCM', 'AES128-CCM8']) {
      await assert.rejects(with12(`ECDHE-ECDSA-${suite}`), /handshake failure/i, suite)
    }
  })

  test('has Strict-Transport-Security in every response, if HSTS_MAX_AGE is set', async (t) => {
    const path = `${api}/projects/nothing`
    const { get, open } = await start(t, { HSTS_MAX_AGE: '300', WORKERS: '2' })
    for (const target of ['/healthz', '/docs', '/nothing', path]) {
      assert.equal((await get(target)).headers['strict-transport-security'], 'max-age=300', target)
    }
    for (const malformed of ['garbage\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
      const socket = await open()
      socket.write(malformed)
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      assert.match(bytes.toString(), /^HTTP\/1\.1 400 .*^strict-transport-security: max-age=300\r$/ims)
    }
    const without = await start(t)
    assert.equal((await without.get('/healthz')).headers['strict-transport-security'], undefined)
  })

  test('starts with an expired certificate, logs a warning, and respects MAX_CONNECTIONS', async (t) => {
    const { open, untilLogged, linesWith } = await start(t, { MAX_CONNECTIONS: '2' }, pairs.expired)
    await untilLogged('certificate loaded, but it is not valid now')
    const { level, validUntil } = linesWith('certificate loaded, but it is not valid now')[0]!
    assert.deepEqual([level, validUntil], ['warn', '2021-01-01T00:00:00.000Z'])
    const openUnverified = () => open({ rejectUnauthorized: false })
    const first = await openUnverified()
    const closed = once(first, 'close')
    await openUnverified()
    await openUnverified()
    first.resume()
    await closed
  })
})

test('a certificate that OpenSSL refuses is reported, and the service does not start', async () => {
  const { cert, key } = pairs.weak
  const { code, out, err } = await command(['serve'], { DATABASE_URL, TLS_CERT: cert, TLS_KEY: key })
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /key too small/)
})

describe('on SIGHUP', { concurrency: 2 }, () => {
  for (const WORKERS of ['1', '2']) {
    test(`open connections continue, and new ones get the new certificate (WORKERS=${WORKERS})`, async (t) => {
      const { child, get, names, replace, untilLogged, linesWith, pids, ended } = await start(t, { WORKERS })
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      cleanUp(t, () => agent.destroy())
      let sockets = 0
      const again = async () => {
        const { status } = await get('/readyz', { agent })
        sockets = Object.values(agent.freeSockets).flat().length
        return status
      }
      assert.equal(await again(), 200)
      const [kept] = Object.values(agent.freeSockets).flat() as TLSSocket[]
      assert.deepEqual(await names(), ['first'])

      await replace(pairs.second)
      // A terminal sends the signal to all processes when it is closed.
      for (const pid of WORKERS === '1' ? [] : pids()) process.kill(pid, 'SIGHUP')
      child.kill('SIGHUP')
      await untilLogged('certificate reloaded')
      await until('every worker has the new certificate', async () => (await names()).join() === 'second')
      assert.equal(await again(), 200)
      assert.equal(sockets, 1)
      assert.equal(Object.values(agent.freeSockets).flat()[0], kept, 'the connection is the same')
      assert.equal(linesWith('certificate reloaded')[0]!['level'], 'info')

      if (WORKERS === '2') {
        process.kill(pids()[0]!, 'SIGKILL')
        await untilLogged('worker restarted')
        assert.deepEqual(await names(), ['second'], 'a worker that starts later has it too')
      }
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
      assert.ok(WORKERS === '1' || pids().every(hasExited))
    })
  }

  test('a certificate that cannot be used is reported, and the current one stays in use', async (t) => {
    const { child, files, names, replace, linesWith } = await start(t, { WORKERS: '2' })
    // prettier-ignore
    const bad: [make: () => Promise<unknown>, problem: RegExp][] = [
      [() => replace({ ...pairs.second, key: pairs.first.key }), /TLS_KEY is not the private key of TLS_CERT/],
      [() => replace({ ...pairs.second, cert: 'half of a' }),    /TLS_CERT must be a certificate in PEM/],
      [() => replace(pairs.weak),                                /TLS_CERT and TLS_KEY cannot be used: .*key too small/],
      [() => replace(pairs.expired),                             /TLS_CERT is not valid now: it is valid only from .* to 2021-01-01T00:00:00.000Z/],
      [() => replace({ cert: '', key: '' }),                     /TLS_CERT_FILE names a file that is empty/],
      [() => rm(files.key),                                      /TLS_KEY_FILE names a file that cannot be read/],
    ]
    const message = 'certificate reload failed, keeping the current one'
    for (const [index, [make, problem]] of bad.entries()) {
      await make()
      child.kill('SIGHUP')
      await until('it is logged', () => linesWith(message).length === index + 1)
      const { level, problem: logged } = linesWith(message)[index]!
      assert.equal(level, 'error')
      assert.match(String(logged), problem)
      assert.deepEqual(await names(), ['first'])
    }
    await replace(pairs.second)
    child.kill('SIGHUP')
    await until('every worker has the new certificate', async () => (await names()).join() === 'second')
  })
})

test('on SIGTERM, running requests get a response, and idle connections do not delay the shutdown', async (t) => {
  const { child, ended, get, open, port, untilLogged } = await start(t)
  const release = await lock(t, 'projects')
  const running = get(`${api}/projects`, { headers: { authorization: `Bearer ${key}` } })
  await untilBlocked(1)
  const agent = new Agent({ keepAlive: true })
  cleanUp(t, () => agent.destroy())
  assert.equal((await get('/readyz', { agent })).status, 200)
  const ahead = await open()
  const silent = connectPlain(port, '127.0.0.1')
  const halfOpen = connectPlain(port, '127.0.0.1', () => halfOpen.write(Buffer.from([0x16, 3, 1, 2, 0])))
  for (const socket of [silent, halfOpen])
    await once(
      socket.on('error', () => {}),
      'connect',
    )
  child.kill('SIGTERM')
  await untilLogged('stopping')
  // They may be closed by a reset or by an end.
  await until('all are closed', () => [ahead, silent, halfOpen].every(({ closed }) => closed))
  await release()
  const { status, headers } = await running
  assert.deepEqual([status, headers.connection], [200, 'close'])
  assert.deepEqual(await ended, [0, null])
})
