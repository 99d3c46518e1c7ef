// The periodic work that no request waits for: compacting marks and tally deltas, which queries read row by row until
// then, and deleting old idempotency records and old entries of the journal.

import type { Database } from '../db/database.ts'
import type { Runner } from '../db/pool/pool.ts'
import { query } from '../db/statements/query.ts'
import type { Log } from '../runtime/log.ts'
import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import compactNextTalliesSql from '../../sql/analytics/compact-next-tallies.sql'
import compactMarksSql from '../../sql/freshness/compact-marks.sql'
import beginEpochSql from '../../sql/changes/begin-epoch.sql'
import dropOldEntriesSql from '../../sql/freshness/drop-old-entries.sql'
import purgeIdempotencyRecordsSql from '../../sql/writes/purge-idempotency-records.sql'
import { describeCause } from '../db/errors.ts'

interface PeriodicTask {
  /** Runs the work now, or after the run that is in progress. */
  run(): Promise<void>
  close(): void
}

/** A run that fails is retried on the next tick. */
export function runPeriodically(
  log: Log,
  intervalMs: number,
  failure: string,
  work: () => Promise<void>,
): PeriodicTask {
  let isFailing = false
  let pending = 0
  let last = Promise.resolve()
  const timer = setInterval(() => void (pending === 0 && run()), intervalMs)
  timer.unref()

  function run() {
    pending++
    return (last = last.then(runOnce).finally(() => pending--))
  }

  async function runOnce() {
    try {
      await work()
      isFailing = false
    } catch (error) {
      // Logged once per outage, not once per retry.
      if (!isFailing) log.warn(failure, { cause: describeCause(error) })
      isFailing = true
    }
  }

  return { run, close: () => clearInterval(timer) }
}

/** Works on all of them, also if one fails. */
async function onEach<One>(all: Promise<readonly One[]>, work: (one: One) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = []
  for (const one of await all) await work(one).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

const compactNextTallies = query<{ last: string | null }>(compactNextTalliesSql)
const compactMarks = query(compactMarksSql)
const beginEpoch = query(beginEpochSql)
const purgeIdempotencyRecords = query<{ some: boolean }>(purgeIdempotencyRecordsSql)
const dropOldEntries = query<{ some: boolean; age: number }>(dropOldEntriesSql)
const compactionMs = 2_000
const purgeMs = 600_000
const maxStatementsPerRun = 20
const lowestId = '00000000-0000-0000-0000-000000000000'

export function compactPeriodically(db: Database, log: Log): PeriodicTask[] {
  const marks = runPeriodically(log, compactionMs, 'marks could not be compacted', () =>
    onEach(db.servers(), ({ directory }) => compactMarks(directory, {})),
  )

  const last = new Map<Runner, string>()
  const tallies = runPeriodically(log, compactionMs, 'tallies could not be compacted', () =>
    onEach(db.places(), async (place) => {
      for (let n = 0; n < maxStatementsPerRun; n++) {
        const [row] = await compactNextTallies(place, { after: last.get(place) ?? lowestId })
        last.set(place, row!.last ?? lowestId)
        if (row!.last === null) return
      }
    }),
  )

  const epochs = runPeriodically(log, compactionMs, 'the epoch of the server could not be recorded', () =>
    onEach(db.servers(), ({ directory }) => beginEpoch(directory, {})),
  )

  return [marks, tallies, epochs]
}

/** Deletes idempotency records that are older than a day, and entries of the journal. */
export function purgePeriodically(db: Database, log: Log, changesKeptDays: number) {
  let journalAge = 0
  const tasks = [
    runPeriodically(log, purgeMs, 'old idempotency records could not be deleted', () =>
      onEach(db.places(), async (place) => {
        while ((await purgeIdempotencyRecords(place, {}))[0]!.some);
      }),
    ),
    runPeriodically(log, purgeMs, 'old entries of the journal could not be deleted', async () => {
      const ages: number[] = []
      await onEach(db.servers(), async ({ directory }) => {
        let row
        do [row] = await dropOldEntries(directory, { days: changesKeptDays })
        while (row!.some)
        ages.push(row!.age)
      })
      journalAge = Math.max(0, ...ages)
    }),
  ]
  for (const task of tasks) void task.run()
  return { tasks, metrics: (): Metric[] => [catalogMetric('workgate_journal_age_seconds', journalAge)] }
}
