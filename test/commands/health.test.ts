// workgate health, run from the artifact against the service and against other servers at its address.

import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { describe, test } from 'node:test'
import { cleanUp } from '../faults/fixtures/embedded.ts'
import { startSecure } from '../faults/fixtures/secure.ts'
import { listen } from '../support/server.ts'
import { command, freshDatabase, startArtifact } from '../support/workgate.ts'

const checkHealth = (PORT: number | string, environment: Record<string, string> = {}) =>
  command(['health'], { PORT: String(PORT), ...environment })
const ok = { code: 0, out: 'ok', err: '' }

describe('workgate health', { concurrency: 2 }, () => {
  test('succeeds if the service listens on its address, on all addresses, or with TLS', async (t) => {
    const { url, drop } = await freshDatabase()
    cleanUp(t, drop)
    const service = await startArtifact({ DATABASE_URL: url, HOST: '0.0.0.0' })
    cleanUp(t, service.close)
    const { port } = new URL(service.url)
    assert.deepEqual(await checkHealth(port), ok)
    assert.deepEqual(await checkHealth(port, { HOST: '0.0.0.0' }), ok)
    const secure = await startSecure(t, { DATABASE_URL: url })
    const files = { TLS_CERT_FILE: secure.files.cert, TLS_KEY_FILE: secure.files.key }
    assert.deepEqual(await checkHealth(secure.port, files), ok)
    assert.equal((await checkHealth(secure.port)).code, 1)
  })

  test('requires a port', async () => {
    const { code, err } = await checkHealth(0)
    assert.deepEqual([code, err], [2, 'workgate: PORT is 0, so the port of the service is unknown: set PORT'])
  })

  // prettier-ignore
  const others: [claim: string, respond: RequestListener, error: string][] = [
    ['responds with an error',     (_, response) => void response.writeHead(503).end(), '/healthz responded with 503'],
    ['does not respond',           () => {},                                            'no response within 3000 ms'],
  ]
  for (const [claim, respond, error] of others) {
    test(`fails if another server ${claim}`, async (t) => {
      const server = createServer(respond)
      cleanUp(t, () => (server.closeAllConnections(), server.close()))
      const { code, err } = await checkHealth(await listen(server))
      assert.deepEqual([code, err], [1, `workgate: ${error}`])
    })
  }
})
