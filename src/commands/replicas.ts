// Compares the servers in DATABASE_REPLICAS with the primary: when the service starts, and in the doctor.

import { describeHosts } from '../db/database-url.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { openConnection, type Session } from '../db/pool/connection.ts'
import { readReplayed, type Replayed } from '../db/replicas/replayed.ts'
import { query } from '../db/statements/query.ts'
import identitySql from '../../sql/replicas/identity.sql'

export interface Identity {
  cluster: string
  database: string
  isStandby: boolean
  /** Null on a standby. */
  lsn: string | null
}

const findIdentity = query<Identity>(identitySql)

export interface FoundReplica {
  host: string
  /** Why it cannot be a replica. */
  mistake?: string
  /** Set if it could not be asked. */
  unreachable?: DatabaseUnavailable
  replayed?: Replayed
}

export async function readIdentity(primary: Session): Promise<Identity> {
  const [row] = await findIdentity(primary, {})
  return row!
}

export const findReplicas = (urls: readonly string[], primary: Identity): Promise<FoundReplica[]> =>
  Promise.all(urls.map((url) => findReplica(url, primary)))

async function findReplica(url: string, primary: Identity): Promise<FoundReplica> {
  const host = describeHosts(url)
  const connection = openConnection({ url }, 'generic', {}, () => {})
  try {
    const mistake = findMistake(await readIdentity(connection), primary)
    return mistake ? { host, mistake } : { host, replayed: await readReplayed(connection) }
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return { host, unreachable: error }
    throw error
  } finally {
    await connection.end(1)
  }
}

function findMistake(replica: Identity, primary: Identity): string | undefined {
  if (replica.cluster !== primary.cluster) return 'belongs to another cluster than DATABASE_URL'
  if (replica.database !== primary.database)
    return `names the database "${replica.database}", but DATABASE_URL "${primary.database}"`
  return replica.isStandby ? undefined : 'is not a standby'
}
