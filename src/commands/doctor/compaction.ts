// Checks that the service compacts the rows that triggers append. Readers read uncompacted rows one by one.

import type { Session } from '../../db/connection.ts'
import { query } from '../../db/query.ts'
import { ok, warning, type Finding } from './finding.ts'
import waitingSql from '../../../sql/doctor/waiting.sql'

const findWaiting = query<{ changes: number; tallyDeltas: number }>(waitingSql)
const maxRows = 100_000

export async function checkCompaction(session: Session): Promise<Finding> {
  const [row] = await findWaiting(session, { most: maxRows + 1 })
  const waiting = Object.entries({ 'workgate.changes': row!.changes, 'workgate.tally_deltas': row!.tallyDeltas })
  const format = (count: number) => (count > maxRows ? 'more than 100,000' : count.toLocaleString('en-US'))
  const text = `Rows waiting for compaction: ${waiting.map(([table, count]) => `${format(count)} in ${table}`).join(', ')}`
  if (waiting.every(([, count]) => count <= maxRows)) return ok('compaction', text)
  return warning(
    'compaction',
    `${text}.`,
    'The service compacts them while it runs: check that it is running, and search its log for "could not be compacted".',
  )
}
