// Clients whose bodies do not end, on many connections: memory stays bounded, also with a heap of 256 MB, and other keys
// can write. Against the artifact.

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { maxBytesOfBodies } from '../../../src/server/http/receive-body.ts'
import { until } from '../../faults/fixtures/embedded.ts'
import { request, startWire } from '../../faults/fixtures/wire.ts'
import { api, issueKey } from '../../support/workgate.ts'
import { memoryOf } from '../faults/memory.ts'

const connections = 1_000
const maxGrowth = 128 * 1_048_576

const service = await startWire('HTTP', { NODE_OPTIONS: '--max-old-space-size=256', RATE_LIMIT_PER_MINUTE: '0' })
after(() => service.close())

const withKey = (key: string, ...headers: string[]) =>
  request(`POST ${api}/projects`, `Authorization: Bearer ${key}`, 'Content-Type: application/json', ...headers)

// prettier-ignore
const bodies: [claim: string, header: string, body: string, mayWait: number][] = [
  ['in chunks of one byte',        'Transfer-Encoding: chunked', '1\r\na\r\n'.repeat(3_990), connections],
  ['of 256 KiB but the last byte', 'Content-Length: 262144',     'a'.repeat(262_143),         maxBytesOfBodies / 262_144],
]

describe(`memory grows by less than 128 MB while ${connections} connections send bodies`, () => {
  for (const [claim, header, body, mayWait] of bodies) {
    test(claim, async (t) => {
      const bytes = Buffer.from(withKey(service.key, header) + body)
      const responses: string[] = []
      const ended = new Set<Socket>()
      await until('no request is running', async () => (await service.read('workgate_http_requests_in_flight')) === 0)
      const before = memoryOf(service.pid)
      for (let n = 0; n < connections; n++) {
        const socket = service.open(t)
        socket.once('data', (response: Buffer) => responses.push(response.toString()))
        for (const event of ['data', 'close']) socket.once(event, () => ended.add(socket))
        socket.write(bytes)
      }
      let most = 0
      await until('each body waits, is refused, or its connection is closed', async () => {
        most = Math.max(most, memoryOf(service.pid))
        const waiting = await service.read('workgate_http_requests_in_flight')
        return waiting <= mayWait && waiting + ended.size >= connections
      })
      const other = service.open(t)
      other.write(
        withKey(await issueKey(service.sql, claim), 'Content-Length: 16', 'Connection: close') + '{"name":"Other"} ',
      )
      assert.match(Buffer.concat(await other.toArray()).toString(), /^HTTP\/1.1 201 /)
      assert.ok(most - before < maxGrowth, `${(most - before) / 1_048_576} MB`)
      const refused = responses.filter((response) =>
        /^HTTP\/1.1 503 .*\r\nretry-after: 1\r\n.*"UNAVAILABLE"/is.test(response),
      )
      assert.equal(refused.length > 0, mayWait < connections)
    })
  }
})
