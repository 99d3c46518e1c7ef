// What the migrations make, so that what is lost of it can be named. test/sql/migrations.test.ts makes parts.json, and keeps it true.

import type { Session } from '../../db/connection.ts'
import { query } from '../../db/query.ts'
import { fault, ok, type Finding } from './finding.ts'
import partsSql from '../../../sql/doctor/parts.sql'
import made from './parts.json' with { type: 'json' }

export const madeParts: readonly string[] = made

const findParts = query<{ part: string }>(partsSql)

/** What others have added is theirs. */
export async function checkParts(session: Session): Promise<Finding> {
  const there = new Set((await findParts(session, {})).map(({ part }) => part))
  const missing = madeParts.filter((part) => !there.has(part))
  if (missing.length === 0) return ok('schema', `All ${madeParts.length} parts that the migrations make are there`)
  return fault(
    'schema',
    // All of them: each has to be made again.
    `Missing: ${missing.join(', ')}.`,
    'Restore a backup whole, into an empty database. Or as the owner of schema workgate run the statements of sql/migrations ' +
      'that make them, then "select workgate.touch()" and "workgate doctor --repair".',
  )
}
