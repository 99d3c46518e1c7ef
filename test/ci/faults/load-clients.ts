// Clients that send requests in a loop, each request a different one.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { ask, type RequestOptions } from './ask.ts'

export type Clients = ReturnType<typeof startClients>

const pauseMs = 20

export function startClients(
  t: TestContext,
  clients: number,
  request: (n: number) => [address: string, more?: RequestOptions],
) {
  const counts: Record<string, number> = {}
  const waits: Record<string, number[]> = {}
  const agent = new Agent({ keepAlive: true })
  let sent = 0
  let stopped = false

  async function sendInLoop() {
    while (!stopped) {
      const [address, more] = request(++sent)
      const began = performance.now()
      const { status, body, headers } = await ask(address, { agent, ...more })
      if (status === 503) assert.deepEqual([body.code, headers['retry-after']], ['UNAVAILABLE', '1'])
      else assert.ok(status < 300, JSON.stringify(body))
      counts[status] = (counts[status] ?? 0) + 1
      ;(waits[status] ??= []).push((performance.now() - began) / 1_000)
      await sleep(pauseMs)
    }
  }

  const running = Promise.all(Array.from({ length: clients }, sendInLoop))
  running.catch(() => {})
  cleanUp(t, () => (stopped = true))
  return {
    clients,
    counts,
    sent: () => sent,
    /** The latency in seconds of each response with a status. */
    waitsOf: (status: number) => waits[status] ?? [],
    longest: () =>
      Object.values(waits)
        .flat()
        .reduce((most, wait) => Math.max(most, wait), 0),
    async untilServed(count: number) {
      const before = counts[200] ?? 0
      const served = until(`${count} are served`, () => (counts[200] ?? 0) >= before + count, 120_000)
      await Promise.race([served, running.then(() => served)])
    },
    async stop() {
      stopped = true
      await running
      agent.destroy()
    },
  }
}

export const sumOf = (all: Clients[], ...statuses: number[]) =>
  all.flatMap(({ counts }) => statuses.map((status) => counts[status] ?? 0)).reduce((sum, count) => sum + count, 0)
