// Log lines are written once per turn of the event loop.

import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { test } from 'node:test'
import { createLineBatch } from '../../src/runtime/line-batch.ts'

test('the lines of one turn are written at once and in order, and those of the next turn after them', async () => {
  const written: string[] = []
  const { add, flush } = createLineBatch((lines) => void written.push(lines))
  for (const line of ['1\n', '2\n']) add(line)
  await Promise.resolve().then(() => add('3\n'))
  assert.deepEqual(written, [])
  await nextTurn()
  add('4\n')
  flush()
  add('5\n')
  await nextTurn()
  await nextTurn()
  assert.deepEqual(written, ['1\n2\n3\n', '4\n', '5\n'])
})
