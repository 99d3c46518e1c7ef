// workgate health: the service that is asked, and others at its address. Against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { startSecure } from '../faults/fixtures/secure.ts'
import { freePort } from '../support/server.ts'
import { command, freshDatabase, startArtifact } from '../support/workgate.ts'

const ask = (PORT: number | string, environment: Record<string, string> = {}) =>
  command(['health'], { PORT: String(PORT), ...environment })
const ok = { code: 0, out: 'ok', err: '' }

describe('workgate health', { concurrency: 2 }, () => {
  test('is ok where the service listens: at its address, at all of them, with TLS', async (t) => {
    const { url, drop } = await freshDatabase()
    cleanUp(t, drop)
    const service = await startArtifact({ DATABASE_URL: url, HOST: '0.0.0.0' })
    cleanUp(t, service.close)
    const { port } = new URL(service.url)
    assert.deepEqual(await ask(port), ok)
    assert.deepEqual(await ask(port, { HOST: '0.0.0.0' }), ok)
    const secure = await startSecure(t, { DATABASE_URL: url })
    const files = { TLS_CERT_FILE: secure.files.cert, TLS_KEY_FILE: secure.files.key }
    assert.deepEqual(await ask(secure.port, files), ok)
    assert.equal((await ask(secure.port)).code, 1)
  })

  test('is not where nobody listens', async () => {
    const { code, out, err } = await ask(await freePort())
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /^workgate: .*ECONNREFUSED/)
  })

  test('needs a port', async () => {
    const { code, err } = await ask(0)
    assert.deepEqual([code, err], [2, 'workgate: PORT is 0, so the port of the service is unknown: set PORT'])
  })

  // prettier-ignore
  const others: [who: string, answer: RequestListener, error: string][] = [
    ['who answers something else', (_, response) => void response.writeHead(503).end(), '/healthz responded with 503'],
    ['who says nothing',           () => {},                                            'no response within 3000 ms'],
  ]
  for (const [who, answer, error] of others) {
    test(`is not ok with one ${who}`, async (t) => {
      const server = createServer(answer).listen(0, '127.0.0.1')
      cleanUp(t, () => (server.closeAllConnections(), server.close()))
      await once(server, 'listening')
      const { code, err } = await ask((server.address() as AddressInfo).port)
      assert.deepEqual([code, err], [1, `workgate: ${error}`])
    })
  }
})
