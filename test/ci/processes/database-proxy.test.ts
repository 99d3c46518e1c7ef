// A proxy between the artifact and its database, as in many networks, that stops working.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { askOnce, databaseSuite } from '../../support/artifact-suite.ts'
import { api, startArtifact } from '../../support/workgate.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { disconnectAfter, startProxy, forward, type ConnectionHandler } from '../../faults/fixtures/proxy.ts'

const { url, key } = await databaseSuite()

// prettier-ignore
const behaviors: [claim: string, handler: ConnectionHandler, statuses: number[]][] = [
  ['closes new connections',       (client) => client.end(),                                              [503]],
  ['resets new connections',       (client) => client.resetAndDestroy(),                                  [503]],
  ['forwards nothing',             () => {},                                                              [503]],
  ['speaks another protocol',      (client) => client.end('HTTP/1.1 400 Bad Request\r\nServer: a\r\n\r\n'), [503]],
  ['disconnects while connecting', (client, open, count) => disconnectAfter(client, open, (count * 13) % 300),   [503]],
  ['disconnects at any moment',    (client, open, count) => disconnectAfter(client, open, (count * 97) % 4_000), [200, 503]],
]

describe('a proxy that', { concurrency: true }, () => {
  for (const [claim, handler, statuses] of behaviors) {
    test(`${claim}: 503 without a flood of connections, and 200 when it works again`, async () => {
      const proxy = await startProxy(url)
      const settings = {
        DATABASE_URL: proxy.url,
        DATABASE_POOL: '3',
        STATEMENT_TIMEOUT_MS: '1000',
        RATE_LIMIT_PER_MINUTE: '0',
      }
      const service = await startArtifact(settings)
      try {
        const ask = () => askOnce(`${service.url}${api}/projects`, key)
        const many = () => Promise.all(Array.from({ length: 30 }, ask))
        await until('all succeed', async () => (await many()).every((status) => status === 200))
        const before = proxy.accepted()
        proxy.setHandler(handler)
        for (const status of await many()) assert.ok(statuses.includes(status), String(status))
        // No requests are running, so no connection is needed.
        await sleep(200)
        const tried = proxy.accepted() - before
        assert.ok(tried > 0 && tried <= 2 * 30, `${tried} connections for 30 requests`)
        proxy.setHandler(forward)
        await until('all succeed', async () => (await many()).every((status) => status === 200))
        assert.equal(service.child.exitCode, null)
      } finally {
        await service.close()
        proxy.close()
      }
    })
  }
})
