// Records when each key was last used. Times are collected in memory and written periodically, so that reads cause no
// writes.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/statements/query.ts'
import type { Log } from '../../runtime/log.ts'
import { runPeriodically } from '../run-periodically.ts'
import recordUsesSql from '../../../sql/keys/record-uses.sql'

const recordUses = query(recordUsesSql)
const intervalMs = 30_000

export interface LastUses {
  record(keyId: string): void
  /** Writes the collected times and stops. */
  close(): Promise<void>
}

export function collectLastUses(db: Database, log: Log): LastUses {
  const uses = new Map<string, number>()
  const writer = runPeriodically(log, intervalMs, 'last-used times of keys could not be written', async () => {
    if (uses.size === 0) return
    const entries = [...uses]
    uses.clear()
    try {
      await recordUses(db, {
        keyIds: entries.map(([id]) => id),
        times: entries.map(([, time]) => new Date(time).toISOString()),
      })
    } catch (error) {
      // Restored for the next run, except for keys that have been used again since.
      for (const [id, time] of entries) if (!uses.has(id)) uses.set(id, time)
      throw error
    }
  })

  return {
    record: (keyId) => uses.set(keyId, Date.now()),
    async close() {
      writer.close()
      await writer.run()
    },
  }
}
