// Answers are kept for their Idempotency-Key for a day; what is older goes now and then.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/query.ts'
import type { Log } from '../../runtime/log.ts'
import { runPeriodically } from '../../db/run-periodically.ts'
import purgeIdempotencyRecordsSql from '../../../sql/writes/purge-idempotency-records.sql'

const purgeIdempotencyRecords = query<{ some: boolean }>(purgeIdempotencyRecordsSql)
const intervalMs = 600_000

export function purgeIdempotencyRecordsPeriodically(db: Database, log: Log): { close(): void } {
  const turns = runPeriodically(log, intervalMs, 'old answers to writes could not be removed', async () => {
    while ((await purgeIdempotencyRecords(db, {}))[0]!.some);
  })
  void turns.run()
  return turns
}
