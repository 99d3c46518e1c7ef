// Deletes idempotency records that are older than a day.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import type { Log } from '../../runtime/log.ts'
import { runPeriodically } from '../run-periodically.ts'
import purgeIdempotencyRecordsSql from '../../../sql/writes/purge-idempotency-records.sql'

const purgeIdempotencyRecords = query<{ some: boolean }>(purgeIdempotencyRecordsSql)
const intervalMs = 600_000

export function purgeIdempotencyRecordsPeriodically(db: Database, log: Log): { close(): void } {
  const task = runPeriodically(log, intervalMs, 'old idempotency records could not be deleted', async () => {
    while ((await purgeIdempotencyRecords(db, {}))[0]!.some);
  })
  void task.run()
  return task
}
