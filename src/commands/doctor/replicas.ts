// Checks the standbys in DATABASE_REPLICAS.

import { describeHosts } from '../../db/database-url.ts'
import { withConnection, type Session } from '../../db/pool/connection.ts'
import { readReplayed, type Replayed } from '../../db/replicas/replayed.ts'
import { describeError } from '../describe-error.ts'
import { findMistake, readIdentity } from '../replicas.ts'
import { fault, formatCount, ok, warning, type Outcome } from './finding.ts'

const maxLagBytes = 16 * 1_048_576

export async function checkReplicas(session: Session, urls: readonly string[]): Promise<Outcome | undefined> {
  if (urls.length === 0) return undefined
  const primary = await readIdentity(session)
  const { epoch } = await readReplayed(session)
  const lags: number[] = []
  const problems: string[] = []
  for (const url of urls) {
    const host = describeHosts(url)
    try {
      const found = await withConnection(
        { url },
        async (replica) => (await findMistake(replica, primary)) ?? readReplayed(replica),
      )
      if (typeof found === 'string')
        return fault(
          `The server ${host} in DATABASE_REPLICAS ${found}.`,
          'The service does not start: correct the address.',
        )
      const lag = Number(BigInt(primary.lsn ?? 0) - found.lsn)
      lags.push(lag)
      const problem = findProblem(found, lag, epoch)
      if (problem) problems.push(`${host} ${problem}`)
    } catch (error) {
      problems.push(`${host}: ${describeError(error)}`)
    }
  }
  if (problems.length > 0)
    return warning(`${problems.join('; ')}.`, 'Until this is mended, the other servers run its reads.')
  const lag = Math.max(0, ...lags)
  return ok(
    `${formatCount(urls.length, 'replica')} can serve reads; at most ${lag} bytes of the log are not replayed yet`,
  )
}

function findProblem(replayed: Replayed, lag: number, epoch: string | null): string | undefined {
  if (lag > maxLagBytes) return `has not replayed the last ${Math.floor(lag / 1_048_576)} MB of the log`
  return epoch === null || replayed.epoch === epoch
    ? undefined
    : 'follows another history than DATABASE_URL, as after a failover'
}
