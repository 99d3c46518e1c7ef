// A process that was busy for longer than it waits does not miss what has arrived in the meantime: a standby that has
// answered is not taken for a silent one.

import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { test } from 'node:test'
import { isDoneIn } from '../../src/db/replicas/standby-connection.ts'

/** Blocks the event loop. */
const beBusy = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('what has arrived while the process was busy is in time', async () => {
  const isDone = isDoneIn(20, stat('.'))
  beBusy(200)
  assert.equal(await isDone, true)
})

test('what has not arrived is late', async () => {
  assert.equal(await isDoneIn(20, new Promise(() => {})), false)
})
