// Opens the database: a pool for requests, a small pool for freshness checks, sessions, and the standbys that serve reads.
// Nothing else knows how many servers there are.

import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { openConnection, type Session } from './pool/connection.ts'
import type { Owner } from './pool/owner.ts'
import { openPool, type Pool, type PoolOptions, type Position, type Runner } from './pool/pool.ts'
import { openReplicas, type ReplicaOptions } from './replicas/replicas.ts'

export type Database = ReturnType<typeof openDatabase>

export const freshnessConnections = 2

export function openDatabase(options: PoolOptions, replicaOptions?: ReplicaOptions) {
  const pool = openPool(options, 'custom')
  const freshnessChecks = openPool({ ...options, poolSize: freshnessConnections }, 'generic')
  const replicas = openReplicas(options, replicaOptions)
  return {
    run: pool.run,
    replicas,
    markActive(owner: Owner) {
      pool.markActive(owner)
      replicas.markActive(owner)
    },
    /**
     * Runs the freshness checks of requests. It has its own connections, so that checks never wait for other statements,
     * and uses generic plans.
     */
    freshnessChecks: freshnessChecks as Runner,
    metrics: () => [...poolMetrics({ statements: pool.counts, checks: freshnessChecks.counts }), ...replicas.metrics()],

    /** One connection without time limits. Through a pooler, only the statements of one transaction share a connection. */
    async session<T>(work: (session: Session) => Promise<T>): Promise<T> {
      const connection = openConnection(options.target, 'custom', {}, () => {})
      try {
        return await work(connection)
      } finally {
        await connection.end(1)
      }
    },

    async close() {
      await Promise.all([pool.close(), freshnessChecks.close(), replicas.close()])
    },
  }
}

/** The servers that hold the data of a project. */
export interface Place extends Runner {
  /** Runs reads on any server that shows everything up to the position, and without one on the server that writes. */
  readsFrom(position: Position | undefined): Runner
}

/** With one PostgreSQL and its standbys, there is one place. */
export function placeOf(db: Database, _projectId: string | null): Place {
  return {
    run: db.run,
    readsFrom: (position) => (position === undefined ? db : db.replicas.readsFrom(db, position)),
  }
}

function poolMetrics(pools: Record<'statements' | 'checks', Pool['counts']>): Metric[] {
  const perPool = (count: keyof Pool['counts']) =>
    Object.entries(pools).map(([pool, counts]) => [{ pool }, counts[count]] as const)
  return [
    catalogMetric('workgate_database_connections_max', perPool('max')),
    catalogMetric('workgate_database_connections', perPool('open')),
    catalogMetric('workgate_database_connections_in_use', perPool('inUse')),
    catalogMetric('workgate_database_statements_waiting', perPool('waiting')),
    catalogMetric('workgate_database_over_share_total', pools.statements.overShare),
    catalogMetric('workgate_database_displaced_total', pools.statements.displaced),
  ]
}
