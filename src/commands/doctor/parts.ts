// Checks that every object that the migrations create exists. parts.json lists the objects; test/sql/migrations.test.ts
// generates it, and fails if it is out of date.

import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { fault, ok, type Outcome } from './finding.ts'
import partsSql from '../../../sql/doctor/parts.sql'
import parts from './parts.json' with { type: 'json' }

const findParts = query<{ part: string }>(partsSql)

/** Objects that are not in the list are ignored: others may add their own. */
export async function checkParts(session: Session): Promise<Outcome> {
  const existing = new Set((await findParts(session, {})).map(({ part }) => part))
  const missing = parts.filter((part) => !existing.has(part))
  if (missing.length === 0) return ok(`All ${parts.length} objects that the migrations create exist`)
  return fault(
    // Not shortened: each of them must be recreated.
    `Missing: ${missing.join(', ')}.`,
    'Restore a complete backup into an empty database. Or, as the owner of schema workgate, run the statements in ' +
      'sql/migrations that create these objects, then "select workgate.touch()" and "workgate doctor --repair".',
  )
}
