// Periodically compacts changes and tally deltas, which queries read row by row until then, and deletes old idempotency
// records.

import type { Database } from '../db/database.ts'
import { query } from '../db/statements/query.ts'
import type { Log } from '../runtime/log.ts'
import { runPeriodically } from './run-periodically.ts'
import compactNextTalliesSql from '../../sql/analytics/compact-next-tallies.sql'
import compactChangesSql from '../../sql/freshness/compact-changes.sql'
import purgeIdempotencyRecordsSql from '../../sql/writes/purge-idempotency-records.sql'

const compactNextTallies = query<{ last: string | null }>(compactNextTalliesSql)
const compactChanges = query(compactChangesSql)
const purgeIdempotencyRecords = query<{ some: boolean }>(purgeIdempotencyRecordsSql)
const compactionMs = 2_000
const purgeMs = 600_000
const maxStatementsPerRun = 20
const lowestId = '00000000-0000-0000-0000-000000000000'

export function compactPeriodically(db: Database, log: Log): { close(): void } {
  const changes = runPeriodically(log, compactionMs, 'changes could not be compacted', async () => {
    await compactChanges(db, {})
  })

  let after = lowestId
  const tallies = runPeriodically(log, compactionMs, 'tallies could not be compacted', async () => {
    for (let n = 0; n < maxStatementsPerRun; n++) {
      const [row] = await compactNextTallies(db, { after })
      after = row!.last ?? lowestId
      if (row!.last === null) return
    }
  })

  return {
    close() {
      changes.close()
      tallies.close()
    },
  }
}

/** Those that are older than a day. */
export function purgeIdempotencyRecordsPeriodically(db: Database, log: Log): { close(): void } {
  const task = runPeriodically(log, purgeMs, 'old idempotency records could not be deleted', async () => {
    while ((await purgeIdempotencyRecords(db, {}))[0]!.some);
  })
  void task.run()
  return task
}
