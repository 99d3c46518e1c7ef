// Whether somebody folds what writers append. Where nobody does, each reader reads it row by row.

import type { Session } from '../../db/connection.ts'
import { query } from '../../db/query.ts'
import { ok, warning, type Finding } from './finding.ts'
import waitingSql from '../../../sql/doctor/waiting.sql'

const findWaiting = query<{ changes: number; tallyDeltas: number }>(waitingSql)
const many = 100_000

export async function checkFolding(session: Session): Promise<Finding> {
  const [row] = await findWaiting(session, { most: many + 1 })
  const waiting = Object.entries({ 'workgate.changes': row!.changes, 'workgate.tally_deltas': row!.tallyDeltas })
  const say = (count: number) => (count > many ? 'more than 100,000' : count.toLocaleString('en-US'))
  const what = `Rows that wait to be folded: ${waiting.map(([table, count]) => `${say(count)} of ${table}`).join(', ')}`
  if (waiting.every(([, count]) => count <= many)) return ok('folding', what)
  return warning(
    'folding',
    `${what}.`,
    'The service folds them while it runs: see whether it runs, and whether its log says "could not be folded".',
  )
}
