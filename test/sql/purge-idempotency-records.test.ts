// Idempotency records are kept for a day. All older ones are deleted, however many there are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { purgeIdempotencyRecordsPeriodically } from '../../src/api/housekeeping.ts'
import { until } from '../faults/fixtures/embedded.ts'
import { quiet } from '../support/log.ts'
import { freshDatabase } from '../support/workgate.ts'

test('one run deletes all records older than a day, and no others', async (t) => {
  const { url, sql, drop } = await freshDatabase()
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 10_000 })
  await sql`
    insert into workgate.idempotency_records
    select gen_random_uuid(), 'k', 'r', n::text, 'x', 200, '{}', now() - case when n = 1 then interval '23 hours' else '25 hours' end
    from generate_series(1, 45000) n`
  const turns = purgeIdempotencyRecordsPeriodically(db, quiet)
  t.after(async () => {
    turns.close()
    await db.close()
    await drop()
  })
  const left = async () =>
    (await sql`select idempotency_key as key from workgate.idempotency_records limit 2`).map((row) => row['key'])
  await until('the old records are deleted', async () => (await left()).length === 1)
  assert.deepEqual(await left(), ['1'])
})
