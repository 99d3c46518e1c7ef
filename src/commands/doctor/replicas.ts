// Checks the standbys in DATABASE_REPLICAS.

import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { describeUnreachable } from '../describe-error.ts'
import { findReplicas, readIdentity, type FoundReplica } from '../replicas.ts'
import { fault, formatCount, ok, warning, type Outcome } from './finding.ts'
import epochSql from '../../../sql/doctor/epoch.sql'

const findEpoch = query<{ epoch: string | null }>(epochSql)
const maxLagBytes = 16n * 1_048_576n

export async function checkReplicas(session: Session, urls: readonly string[]): Promise<Outcome | undefined> {
  if (urls.length === 0) return undefined
  const primary = await readIdentity(session)
  const [row] = await findEpoch(session, {})
  const replicas = await findReplicas(urls, primary)
  const wrong = replicas.find(({ mistake }) => mistake)
  if (wrong)
    return fault(
      `The server ${wrong.host} in DATABASE_REPLICAS ${wrong.mistake}.`,
      'The service does not start: correct the address.',
    )
  const problems = replicas.flatMap((replica) => {
    const problem = findProblem(replica, BigInt(primary.lsn ?? 0), row!.epoch)
    return problem ? [`${replica.host} ${problem}`] : []
  })
  if (problems.length > 0)
    return warning(`${problems.join(', ')}.`, 'Until this is mended, the other servers run its reads.')
  return ok(`${formatCount(urls.length, 'replica')} can serve reads`)
}

function findProblem({ unreachable, replayed }: FoundReplica, lsn: bigint, epoch: string | null): string | undefined {
  if (unreachable) return `cannot be reached: ${describeUnreachable(unreachable)}`
  const lag = lsn - replayed!.lsn
  if (lag > maxLagBytes) return `has not replayed the last ${lag / 1_048_576n} MB of the log`
  return epoch === null || replayed!.epoch === epoch
    ? undefined
    : 'follows another history than DATABASE_URL, as after a failover'
}
