// Compares the servers in DATABASE_REPLICAS with the primary: when the service starts, and in the doctor.

import type { Session } from '../db/pool/connection.ts'
import { query } from '../db/statements/query.ts'
import identitySql from '../../sql/replicas/identity.sql'

export interface Identity {
  system: string
  database: string
  isStandby: boolean
  /** Null on a standby. */
  lsn: string | null
}

const findIdentity = query<Identity>(identitySql)

export async function readIdentity(session: Session): Promise<Identity> {
  const [row] = await findIdentity(session, {})
  return row!
}

/** Returns why a server cannot be a replica of the primary. */
export async function findMistake(session: Session, primary: Identity): Promise<string | undefined> {
  const replica = await readIdentity(session)
  if (replica.system !== primary.system) return 'is not a copy of the server of DATABASE_URL'
  if (replica.database !== primary.database)
    return `names the database "${replica.database}", but DATABASE_URL "${primary.database}"`
  return replica.isStandby ? undefined : 'is not a standby'
}
