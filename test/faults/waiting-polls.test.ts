// Requests that wait for changes are told if the database cannot be read, whenever that happens.

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { pollIntervalMs } from '../../src/api/follow-journals.ts'
import { createWaiting } from '../../src/api/waiting.ts'
import type { Runner } from '../../src/db/pool/pool.ts'

test('a poll that fails while no other runs wakes the request, although the next poll gets no answer', async () => {
  let polls = 0
  const checks: Runner = {
    async run<Row>() {
      polls++
      if (polls === 1) return [{ now: '3:3:', changes: null }] as Row[]
      if (polls > 2) return new Promise<Row[]>(() => {})
      // After the poll has been given up for now, and before the next one.
      await sleep(pollIntervalMs * 1.5)
      throw new Error('the database is lost')
    },
  }
  const server = { directory: checks, checks }
  const { open } = createWaiting(
    async () => [server],
    async () => 'unchanged',
    { maxWaiters: 10, poolSize: 1 },
  )
  const wish = { seconds: 30, concerns: () => true }
  const waiting = open('key', wish, () => {})
  const key = { scope: '', keyScope: undefined, validUntil: null, confirmed: { keyVersion: '', at: '' } }
  assert.ok(await waiting.turn(key, wish.concerns))
  await waiting.begin()
  await assert.rejects(waiting.next(), /the database is lost/)
  waiting.close()
})
