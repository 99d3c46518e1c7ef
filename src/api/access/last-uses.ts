// When each key was last used: gathered in memory and written now and then, so that reading costs no write.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/query.ts'
import type { Log } from '../../runtime/log.ts'
import { runPeriodically } from '../../db/run-periodically.ts'
import recordUsesSql from '../../../sql/keys/record-uses.sql'

const recordUses = query(recordUsesSql)
const intervalMs = 30_000

export interface LastUses {
  record(keyId: string): void
  /** Writes what is there and ends. */
  close(): Promise<void>
}

export function collectLastUses(db: Database, log: Log): LastUses {
  const uses = new Map<string, number>()
  const turns = runPeriodically(log, intervalMs, 'the last use of keys could not be written', async () => {
    if (uses.size === 0) return
    const entries = [...uses]
    uses.clear()
    try {
      await recordUses(db, {
        keyIds: entries.map(([id]) => id),
        times: entries.map(([, time]) => new Date(time).toISOString()),
      })
    } catch (error) {
      // Kept for the next time, unless a later use came in meanwhile.
      for (const [id, time] of entries) if (!uses.has(id)) uses.set(id, time)
      throw error
    }
  })

  return {
    record: (keyId) => uses.set(keyId, Date.now()),
    async close() {
      turns.close()
      await turns.run()
    },
  }
}
