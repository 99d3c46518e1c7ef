// Opens the database: a pool for requests, a small pool for freshness checks, sessions, the standbys that serve reads, and the
// nodes of a cluster. Code above db/ does not know how many servers there are, except service.ts, which chooses how versions
// are confirmed.

import { catalogMetric } from '../runtime/metrics/catalog.ts'
import type { Log } from '../runtime/log.ts'
import type { Metric } from '../runtime/metrics/metrics.ts'
import { withConnection, type Session } from './pool/connection.ts'
import type { Owner } from './pool/connection-shares.ts'
import { openPool, type Pool, type PoolOptions, type LogPosition, type Runner } from './pool/pool.ts'
import type { ClusterNode } from './citus/node.ts'
import { openCluster, type Cluster } from './citus/open-cluster.ts'
import { allIn, type Projects } from './projects.ts'
import { openReplicas, type ReplicaOptions } from './replicas/replicas.ts'

export type { Cluster, ClusterNode }
export type Database = ReturnType<typeof openDatabase>

/** The servers that confirmed a version. Whatever the version covers is read from them, afterwards. */
export interface Source {
  /** Versions of sources with other names mean nothing here. */
  name: string
  /** Runs statements about keys, users and teams. */
  directory: Runner
  /** Runs statements about the projects that the version covers. */
  projects: Projects
  /** Runs reads about them, on any server that shows everything that the version covers. */
  reads: Projects
}

/** A server that has versions and a journal of its own. */
export interface Server {
  /** Runs statements about keys, users, teams and the journal. */
  directory: Runner
  /** Runs checks: they see everything that was acknowledged before. */
  checks: Runner
}

export const freshnessConnections = 2

interface DatabaseOptions {
  replicas?: ReplicaOptions
  /** Set if Citus distributes the database. */
  citus?: { log: Log }
}

export function openDatabase(options: PoolOptions, { replicas: replicaOptions, citus }: DatabaseOptions = {}) {
  const pool = openPool(options, 'custom')
  const freshnessChecks = openPool({ ...options, poolSize: freshnessConnections }, 'generic')
  const replicas = openReplicas(options, replicaOptions)
  const cluster = citus && openCluster(pool, options, freshnessConnections, citus.log)
  const server: Server = { directory: pool, checks: freshnessChecks }
  return {
    run: pool.run,
    replicas,
    cluster,
    servers: async (): Promise<readonly Server[]> => (cluster ? cluster.allNodes() : [server]),
    /** The parts of the projects. */
    places: async (): Promise<readonly Runner[]> => (cluster ? cluster.allPlaces() : [pool]),
    markActive(owner: Owner) {
      pool.markActive(owner)
      replicas.markActive(owner)
      cluster?.markActive(owner)
    },
    /**
     * Runs the freshness checks of requests. It has its own connections, so that checks never wait for other statements,
     * and uses generic plans.
     */
    freshnessChecks: freshnessChecks as Runner,
    metrics: () => [
      ...poolMetrics({ statements: pool.counts, checks: freshnessChecks.counts }),
      ...replicas.metrics(),
      ...(cluster?.metrics() ?? []),
    ],

    /** One connection without time limits. Through a pooler, only the statements of one transaction share a connection. */
    session: <T>(work: (session: Session) => Promise<T>): Promise<T> => withConnection(options.target, work),

    async close() {
      await Promise.all([pool.close(), freshnessChecks.close(), replicas.close(), cluster?.close()])
    },
  }
}

/** One server, and its standbys that have replayed its log up to a position. */
export function sourceAt(db: Database, position?: LogPosition): Source {
  const projects = allIn(db)
  const reads = position === undefined ? projects : allIn(db.replicas.readsFrom(db, position))
  return { name: '', directory: db, projects, reads }
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
