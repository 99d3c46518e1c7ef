// Clients without a key that send as many headers as they can in pipelined requests, and read no response: the service
// keeps running with a heap of 256 MB.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { until } from '../../faults/fixtures/embedded.ts'
import { request, startWire } from '../../faults/fixtures/wire.ts'
import { memoryOf } from '../faults/memory.ts'

const connections = 300
const bytesEach = 127_000
const maxGrowth = 128 * 1_048_576

const service = await startWire('HTTP', { NODE_OPTIONS: '--max-old-space-size=256' })
after(() => service.close())

const requestWith = (count: number) =>
  request('GET /openapi.json', ...Array.from({ length: count - 1 }, (_, n) => `a${n}:`))

// prettier-ignore
const requests: [claim: string, text: string, countedBy: string][] = [
  ['more headers than permitted', requestWith(1_980), 'workgate_malformed_requests_total'],
  ['100 headers',                 requestWith(100),   'workgate_connections_paused_total'],
]

describe(`memory grows by less than 128 MB while ${connections} connections send requests with`, () => {
  for (const [claim, text, countedBy] of requests) {
    test(claim, async (t) => {
      const before = memoryOf(service.pid)
      const counted = await service.read(countedBy)
      for (let n = 0; n < connections; n++)
        service
          .open(t)
          .pause()
          .write(text.repeat(bytesEach / text.length))
      let most = 0
      await until('each connection is refused or waits', async () => {
        most = Math.max(most, memoryOf(service.pid))
        return (await service.read(countedBy)) >= counted + connections
      })
      assert.ok(most - before < maxGrowth, `${(most - before) / 1_048_576} MB`)
    })
  }
})
