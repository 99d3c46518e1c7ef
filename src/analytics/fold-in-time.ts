// What writers have added to the tallies since they were last folded is read row by row: the service keeps it short.

import type { Database } from '../db/database.ts'
import { query } from '../db/query.ts'
import type { Log } from '../log.ts'
import { nowAndThen } from '../now-and-then.ts'
import foldSomeSql from '../../sql/analytics/fold-some.sql'

const foldSome = query<{ last: string | null }>(foldSomeSql)
const intervalMs = 2_000
const beforeAll = '00000000-0000-0000-0000-000000000000'

export function foldInTime(db: Database, log: Log): { close(): void } {
  let after = beforeAll
  return nowAndThen(log, intervalMs, 'tallies could not be folded', async () => {
    const [row] = await foldSome(db, { after })
    after = row!.last ?? beforeAll
  })
}
