// Reading many long work packets at once, as a long poll does for all waiting requests, does not delay other requests.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import type { Runner } from '../../src/db/pool/pool.ts'
import { findPackets } from '../../src/resources/work-packets/packets.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { countTurns } from '../support/count-turns.ts'
import { id, web } from '../support/data.ts'

const { workgate } = await contractSuite({ data: 'basic' })
const taskIds = Array.from({ length: 20 }, (_, n) => id('task', 100 + n))

test('other requests run after each long packet', async () => {
  await workgate.sql`
    insert into workgate.tasks (id, project_id, title, description)
    select task_id, ${web}, 'Long', repeat('x', 100000) from unnest(${taskIds}::uuid[]) task_id`
  const db = openDatabase({ target: { url: workgate.url }, poolSize: 1, statementTimeoutMs: 10_000 })
  let rows: unknown[] = []
  // Turns during which the statement runs do not count.
  const read: Runner = { run: async <Row>() => rows as Row[] }
  const store: Runner = {
    async run<Row>(...statement: Parameters<Runner['run']>) {
      rows = await db.run<Row>(...statement)
      return rows as Row[]
    },
  }
  try {
    await findPackets(store, web, taskIds)
    assert.equal(rows.length, taskIds.length)
    assert.ok((await countTurns(() => findPackets(read, web, taskIds))) >= taskIds.length)
  } finally {
    await db.close()
  }
})
