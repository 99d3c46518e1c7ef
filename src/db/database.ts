// Opens the database: a pool for requests, a small pool for freshness checks, and sessions.

import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { openConnection, type Session } from './pool/connection.ts'
import { openPool, type Pool, type PoolOptions, type Runner } from './pool/pool.ts'

export type Database = ReturnType<typeof openDatabase>

export const freshnessConnections = 2

export function openDatabase(options: PoolOptions) {
  const pool = openPool(options, 'custom')
  const freshnessChecks = openPool({ ...options, poolSize: freshnessConnections }, 'generic')
  return {
    run: pool.run,
    markActive: pool.markActive,
    /**
     * Runs the freshness checks of requests. It has its own connections, so that checks never wait for other statements,
     * and uses generic plans.
     */
    freshnessChecks: freshnessChecks as Runner,
    metrics: () => poolMetrics({ statements: pool.counts, checks: freshnessChecks.counts }),

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
      await Promise.all([pool.close(), freshnessChecks.close()])
    },
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
