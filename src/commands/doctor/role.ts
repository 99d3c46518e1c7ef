// Checks whether the role has the permissions that the service needs, and no more than that.

import type { Session } from '../../db/connection.ts'
import { query } from '../../db/query.ts'
import { fault, formatNames, ok, warning, type Finding } from './finding.ts'
import type { Server } from './server.ts'
import rightsSql from '../../../sql/doctor/rights.sql'

const findRights = query<{ isOwner: boolean; missing: string }>(rightsSql)

export async function checkRole(
  session: Session,
  { role, isSuperuser }: Server,
  isEmbedded: boolean,
): Promise<Finding> {
  if (isEmbedded) return ok('role', `${role}, to whom all of the embedded database belongs`)
  if (isSuperuser) {
    return warning(
      'role',
      `${role} is a superuser, which is more than the service needs.`,
      '"workgate grants" prints the SQL that makes a role with the rights that it needs.',
    )
  }
  const [row] = await findRights(session, {})
  if (!row) return ok('role', `${role}; there is no schema workgate yet`)
  const missing = JSON.parse(row.missing) as string[]
  if (missing.length > 0) {
    return fault(
      'role',
      `${role} lacks rights that the service needs: ${formatNames(missing)}.`,
      'Run what "workgate grants" prints as the owner of schema workgate.',
    )
  }
  return ok('role', `${role}, who may do what the service does${row.isOwner ? ', and migrate' : ', and not migrate'}`)
}
