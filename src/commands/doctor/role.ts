// Checks that the role that serves requests has the privileges that it needs, and is not a superuser.

import { withConnection, type Session, type Target } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { asServiceRole, serviceRole } from '../with-database.ts'
import { fault, formatNames, ok, warning, type Outcome } from './finding.ts'
import { readServer, type Server } from './server.ts'
import rightsSql from '../../../sql/doctor/rights.sql'
import serviceRoleSql from '../../../sql/doctor/service-role.sql'

interface Rights {
  isOwner: boolean
  missing: string
}

const findRights = query<Rights>(rightsSql)
const findServiceRole = query<{ exists: boolean }>(serviceRoleSql)

interface FromServer {
  server: Server
  /** Undefined if the schema does not exist. */
  rights: Rights | undefined
}

/**
 * Reads the server as the role that serves requests, because settings and limits can depend on the role. Uses the owner
 * of the embedded database until a service has created that role.
 */
export async function readAsService(session: Session, target: Target): Promise<FromServer> {
  const found = await readFrom(session)
  if (!('socket' in target)) return found
  const [role] = await findServiceRole(session, { role: serviceRole })
  if (!role!.exists) return found
  const { server, rights } = await withConnection(asServiceRole(target), readFrom)
  // Only the owner sees which sessions are those of commands.
  return { server: { ...server, otherConnections: found.server.otherConnections }, rights }
}

async function readFrom(session: Session): Promise<FromServer> {
  const server = await readServer(session)
  const [rights] = await findRights(session, {})
  return { server, rights }
}

export function checkRole({ server, rights }: FromServer, target: Target): Outcome {
  const { role, isSuperuser } = server
  const isEmbedded = 'socket' in target
  if (isEmbedded && role !== serviceRole)
    return ok(`${serviceRole} does not exist yet: the service creates it when it starts`)
  if (isSuperuser) {
    return warning(
      `${role} is a superuser and has more privileges than the service needs.`,
      '"workgate grants" prints the SQL that creates a role with only the privileges it needs.',
    )
  }
  if (!rights) return ok(`${role}; schema workgate does not exist yet`)
  const missing = JSON.parse(rights.missing) as string[]
  if (missing.length > 0) {
    return fault(
      `${role} lacks privileges that the service needs: ${formatNames(missing)}.`,
      isEmbedded
        ? 'Restart the service, which grants them.'
        : 'As the owner of schema workgate, run the SQL that "workgate grants" prints.',
    )
  }
  const sufficient = `${role} has the privileges that the service needs`
  if (isEmbedded) return ok(`${sufficient}; ${target.user}, the owner, migrates`)
  return ok(`${sufficient}, ${rights.isOwner ? 'and' : 'but'} may ${rights.isOwner ? '' : 'not '}migrate`)
}
