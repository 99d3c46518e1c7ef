// What writers have appended to tallies and changes is read row by row until it is folded: the service keeps it short.

import type { Database } from '../../db/database.ts'
import { query } from '../../db/query.ts'
import type { Log } from '../../runtime/log.ts'
import { runPeriodically } from '../../db/run-periodically.ts'
import foldSomeSql from '../../../sql/analytics/fold-some.sql'
import foldChangesSql from '../../../sql/freshness/fold-changes.sql'

const foldSome = query<{ last: string | null }>(foldSomeSql)
const foldChanges = query(foldChangesSql)
const intervalMs = 2_000
const statementsATurn = 20
const beforeAll = '00000000-0000-0000-0000-000000000000'

export function compactPeriodically(db: Database, log: Log): { close(): void } {
  const changes = runPeriodically(log, intervalMs, 'changes could not be folded', async () => {
    await foldChanges(db, {})
  })

  let after = beforeAll
  const tallies = runPeriodically(log, intervalMs, 'tallies could not be folded', async () => {
    for (let n = 0; n < statementsATurn; n++) {
      const [row] = await foldSome(db, { after })
      after = row!.last ?? beforeAll
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
