// Reads for long polls: keys share the places, and take turns.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitConcurrency } from '../../src/resources/work-packets/limit-concurrency.ts'

test('one key runs half of the tasks, other keys run at once, and waiting keys take turns', async () => {
  const limit = limitConcurrency(4)
  const started: string[] = []
  const ends: (() => void)[] = []
  const work = (keyId: string) =>
    limit(keyId, () => {
      started.push(keyId)
      return new Promise<void>((end) => ends.push(end))
    })
  const all = [...Array<string>(6).fill('a'), 'b', 'c', 'b'].map(work)
  await Promise.resolve()
  assert.deepEqual(started, ['a', 'a', 'b', 'c'])
  while (started.length < all.length) {
    ends.shift()!()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const end of ends) end()
  await Promise.all(all)
  assert.deepEqual(started.slice(4), ['a', 'b', 'a', 'a', 'a'])
})
