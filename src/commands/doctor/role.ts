// Checks that the role has the privileges that the service needs, and is not a superuser.

import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { fault, formatNames, ok, warning, type Outcome } from './finding.ts'
import type { Server } from './server.ts'
import rightsSql from '../../../sql/doctor/rights.sql'

const findRights = query<{ isOwner: boolean; missing: string }>(rightsSql)

export async function checkRole(
  session: Session,
  { role, isSuperuser }: Server,
  isEmbedded: boolean,
): Promise<Outcome> {
  if (isEmbedded) return ok(`${role}, the owner of the embedded database`)
  if (isSuperuser) {
    return warning(
      `${role} is a superuser and has more privileges than the service needs.`,
      '"workgate grants" prints the SQL that creates a role with only the privileges it needs.',
    )
  }
  const [row] = await findRights(session, {})
  if (!row) return ok(`${role}; schema workgate does not exist yet`)
  const missing = JSON.parse(row.missing) as string[]
  if (missing.length > 0) {
    return fault(
      `${role} lacks privileges that the service needs: ${formatNames(missing)}.`,
      'As the owner of schema workgate, run the SQL that "workgate grants" prints.',
    )
  }
  return ok(
    `${role} has the privileges that the service needs, ${row.isOwner ? 'and' : 'but'} may ${row.isOwner ? '' : 'not '}migrate`,
  )
}
