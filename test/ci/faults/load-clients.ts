// Clients that ask again and again, each time another question.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { ask, type Question } from './ask.ts'

export type Asked = ReturnType<typeof askOn>

const pauseMs = 20

export function askOn(t: TestContext, clients: number, question: (n: number) => [address: string, more?: Question]) {
  const counts: Record<string, number> = {}
  const waits: Record<string, number[]> = {}
  const agent = new Agent({ keepAlive: true })
  let asked = 0
  let stopped = false

  async function askAgain() {
    while (!stopped) {
      const [address, more] = question(++asked)
      const began = performance.now()
      const { status, body, headers } = await ask(address, { agent, ...more })
      if (status === 503) assert.deepEqual([body.code, headers['retry-after']], ['UNAVAILABLE', '1'])
      else assert.ok(status < 300, JSON.stringify(body))
      counts[status] = (counts[status] ?? 0) + 1
      ;(waits[status] ??= []).push((performance.now() - began) / 1_000)
      await sleep(pauseMs)
    }
  }

  const running = Promise.all(Array.from({ length: clients }, askAgain))
  running.catch(() => {})
  cleanUp(t, () => (stopped = true))
  return {
    counts,
    asked: () => asked,
    /** Seconds that each answer of a status took. */
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

export const sumOf = (asked: Asked[], ...statuses: number[]) =>
  asked.flatMap(({ counts }) => statuses.map((status) => counts[status] ?? 0)).reduce((sum, count) => sum + count, 0)
