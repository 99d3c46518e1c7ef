// Chooses a server for each read: a standby that has replayed what the read has to see, or else the primary. Whatever
// fails on a standby runs again on the primary: its connections can be lost, or a statement cancelled because it delays
// the replay.

import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import type { Log } from '../../runtime/log.ts'
import { isSpent, StandbyBehind } from '../errors.ts'
import type { Owner } from '../pool/connection-shares.ts'
import type { PoolOptions, LogPosition, Runner } from '../pool/pool.ts'
import { openReplica, type Replica } from './replica.ts'

export interface ReplicaOptions {
  urls: readonly string[]
  log: Log
}

export function openReplicas(options: PoolOptions, given: ReplicaOptions | undefined) {
  const all = given?.urls.map((url) => openReplica(url, options, given.log)) ?? []
  /** The number of reads by server. */
  const reads = new Map(['primary', ...all.map(({ name }) => name)].map((server) => [server, 0]))
  let newest = 0n
  let turn = 0

  const count = (server: string) => void reads.set(server, reads.get(server)! + 1)

  /** The one that is used least; those that are used equally take turns. */
  function choose(position: LogPosition): Replica | undefined {
    turn++
    const load = ({ counts }: Replica) => counts.inUse + counts.waiting
    return all
      .map((_, n) => all[(n + turn) % all.length]!)
      .filter((replica) => replica.mayHaveReached(position))
      .reduce<Replica | undefined>((best, each) => (best && load(best) <= load(each) ? best : each), undefined)
  }

  return {
    all,

    readsFrom: (primary: Runner, position: LogPosition): Runner => ({
      async run<Row>(...[text, values, given]: Parameters<Runner['run']>) {
        if (position.lsn > newest) newest = position.lsn
        const replica = choose(position)
        if (replica) {
          try {
            const rows = await replica.run<Row>(text, values, { ...given, position })
            count(replica.name)
            return rows
          } catch (error) {
            if (isSpent(error)) throw error
            if (error instanceof StandbyBehind) replica.noteMissed(position)
          }
        }
        count('primary')
        return primary.run<Row>(text, values, given)
      },
    }),

    /** Keeps connections free for a key that has sent a request. */
    markActive(owner: Owner) {
      for (const replica of all) replica.markActive(owner)
    },

    metrics: () => (all.length > 0 ? metricsOf(all, reads, newest) : []),

    async close() {
      await Promise.all(all.map((replica) => replica.close()))
    },
  }
}

function metricsOf(all: readonly Replica[], reads: ReadonlyMap<string, number>, newest: bigint): Metric[] {
  const lagOf = ({ replayed }: Replica) => (replayed && newest > replayed.lsn ? Number(newest - replayed.lsn) : 0)
  const perReplica = (value: (replica: Replica) => number) =>
    all.map((replica) => [{ server: replica.name }, value(replica)] as const)
  const perServer = [...reads].map(([server, count]) => [{ server }, count] as const)
  return [
    catalogMetric('workgate_reads_total', perServer),
    catalogMetric(
      'workgate_replica_usable',
      perReplica(({ isUsable }) => Number(isUsable)),
    ),
    catalogMetric('workgate_replica_lag_bytes', perReplica(lagOf)),
  ]
}
