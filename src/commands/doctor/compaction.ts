// Checks that appended rows are compacted. Without compaction, every reader reads them row by row.

import type { Session } from '../../db/connection.ts'
import { query } from '../../db/query.ts'
import { ok, warning, type Finding } from './finding.ts'
import waitingSql from '../../../sql/doctor/waiting.sql'

const findWaiting = query<{ changes: number; tallyDeltas: number }>(waitingSql)
const many = 100_000

export async function checkCompaction(session: Session): Promise<Finding> {
  const [row] = await findWaiting(session, { most: many + 1 })
  const waiting = Object.entries({ 'workgate.changes': row!.changes, 'workgate.tally_deltas': row!.tallyDeltas })
  const say = (count: number) => (count > many ? 'more than 100,000' : count.toLocaleString('en-US'))
  const what = `Rows waiting for compaction: ${waiting.map(([table, count]) => `${say(count)} of ${table}`).join(', ')}`
  if (waiting.every(([, count]) => count <= many)) return ok('compaction', what)
  return warning(
    'compaction',
    `${what}.`,
    'The service compacts them while it runs: check that it runs, and look for "could not be compacted" in its log.',
  )
}
