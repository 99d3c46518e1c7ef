// Refuses clusters that Workgate cannot use, each with one sentence.

import { readCluster, targetOf, type Cluster } from '../../db/citus/cluster.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import { withConnection, type Session, type Target } from '../../db/pool/connection.ts'
import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import versionsSql from '../../../sql/citus/versions.sql'

export class ClusterError extends Error {
  override name = 'ClusterError'
}

interface Versions {
  citus: string | null
  postgres: number
  isPrepared: boolean
}

const findVersions = query<Versions>(versionsSql)

export const isDistributedIn = (cluster: Cluster | undefined): cluster is Cluster =>
  cluster !== undefined && cluster.distributed.length > 0

/** True if Citus distributes the database. Throws if the service cannot use it. */
export async function isDistributed(session: Session, coordinator: Target): Promise<boolean> {
  const cluster = await readCluster(session)
  if (!isDistributedIn(cluster)) return false
  await requireServable(session, coordinator, cluster)
  return true
}

/** Throws if the service cannot use a distributed database. */
export async function requireServable(session: Session, coordinator: Target, cluster: Cluster): Promise<void> {
  refuseUnusable(cluster)
  const own = await readVersions(session)
  if (!own.isPrepared) throw new ClusterError('the database is distributed only in part: run "workgate distribute"')
  await refuseMixedVersions(coordinator, cluster, own)
}

/** A node that does not respond is no reason to refuse the projects of other nodes. */
async function refuseMixedVersions(coordinator: Target, { nodes }: Cluster, own: Versions): Promise<void> {
  const [, ...others] = nodes
  await Promise.all(
    others.map(async (node) => {
      const found = await withConnection(targetOf(coordinator, node), readVersions).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailable)) throw error
      })
      if (found && (found.citus !== own.citus || found.postgres !== own.postgres))
        throw new ClusterError(
          `the node ${node.host}:${node.port} has Citus ${found.citus} on PostgreSQL ${found.postgres}, and the coordinator Citus ${own.citus} on PostgreSQL ${own.postgres}: all need the same versions`,
        )
    }),
  )
}

export const readVersions = async (session: Session) => (await findVersions(session, {}))[0]!

export const fillFirst = 'fill a new one, and distribute that'

/** For commands whose statements need all projects on one server. */
export async function refuseDistributed(db: Runner, message: string): Promise<void> {
  if (isDistributedIn(await readCluster(db))) throw new ClusterError(message)
}

/** For distribute. Throws if Workgate cannot use the cluster of this server. */
export async function readUsableCluster(session: Session, coordinator: Target): Promise<Cluster> {
  const cluster = await readCluster(session)
  if (!cluster) throw new ClusterError('the database has no extension Citus: create it on every server of the cluster')
  refuseUnusable(cluster)
  const inactive = cluster.nodes.find(({ isActive }) => !isActive)
  if (inactive) {
    const { host, port } = inactive
    throw new ClusterError(
      `the node ${host}:${port} is not active: run "select citus_activate_node('${host}', ${port})" on the coordinator`,
    )
  }
  await refuseMixedVersions(coordinator, cluster, await readVersions(session))
  return cluster
}

function refuseUnusable(cluster: Cluster): void {
  if (!cluster.isCoordinator) throw new ClusterError('DATABASE_URL is a worker of a Citus cluster: use its coordinator')
  if (!cluster.nodes.some(({ group }) => group === 0))
    throw new ClusterError(
      'the workers do not know the coordinator: run "select citus_set_coordinator_host(\'…\')" with its address on it',
    )
  if (!cluster.nodes.some(({ hasShards }) => hasShards))
    throw new ClusterError('the coordinator has no workers: add them with "select citus_add_node(\'…\', 5432)"')
  const { distributed, notDistributed } = cluster
  if (distributed.length > 0 && notDistributed.length > 0)
    throw new ClusterError(
      `only a part of the tables is distributed: not ${notDistributed.join(', ')}. Load a backup into a new database, and distribute that`,
    )
}
