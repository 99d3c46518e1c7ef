// Refuses clusters that Workgate cannot use, each with one sentence.

import { readCluster, type Cluster, type Node } from '../../db/citus/cluster.ts'
import type { Session } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import versionsSql from '../../../sql/citus/versions.sql'

export class ClusterError extends Error {
  override name = 'ClusterError'
}

const findVersions = query<{ citus: string | null; postgres: number; isPrepared: boolean }>(versionsSql)

/** True if Citus distributes the database. Throws if it is not complete. */
export async function isDistributed(session: Session): Promise<boolean> {
  const cluster = await readCluster(session)
  if (!cluster || cluster.distributed.length === 0) return false
  refuseUnusable(cluster)
  const [versions] = await findVersions(session, {})
  if (!versions!.isPrepared)
    throw new ClusterError('the database is distributed only in part: run "workgate distribute"')
  return true
}

/** Throws if Workgate cannot use the cluster of this server. */
export async function readUsableCluster(session: Session): Promise<Cluster> {
  const cluster = await readCluster(session)
  if (!cluster) throw new ClusterError('the database has no extension Citus: create it on every server of the cluster')
  refuseUnusable(cluster)
  return cluster
}

function refuseUnusable(cluster: Cluster): void {
  if (!cluster.isCoordinator) throw new ClusterError('DATABASE_URL is a worker of a Citus cluster: use its coordinator')
  if (!cluster.nodes.some(({ group }) => group === 0))
    throw new ClusterError(
      'the workers do not know the coordinator: run "select citus_set_coordinator_host(\'…\')" with its address on it',
    )
  const inactive = cluster.nodes.find(({ isActive }) => !isActive)
  if (inactive) throw new ClusterError(`the node ${inactive.host}:${inactive.port} of the Citus cluster is not active`)
  if (!cluster.nodes.some(({ hasShards }) => hasShards))
    throw new ClusterError('the coordinator has no workers: add them with "select citus_add_node(\'…\', 5432)"')
  const { distributed, notDistributed } = cluster
  if (distributed.length > 0 && notDistributed.length > 0)
    throw new ClusterError(
      `only a part of the tables is distributed: not ${notDistributed.join(', ')}. Load a backup into a new database, and distribute that`,
    )
}

export async function refuseMixedVersions(sessions: readonly Session[], nodes: readonly Node[]) {
  const versions = await Promise.all(sessions.map(async (session) => (await findVersions(session, {}))[0]!))
  const [first] = versions
  for (const [n, { citus, postgres }] of versions.entries()) {
    const { host, port } = nodes[n]!
    if (citus !== first!.citus || postgres !== first!.postgres)
      throw new ClusterError(
        `the node ${host}:${port} has Citus ${citus} on PostgreSQL ${postgres}, and the coordinator Citus ${first!.citus} on PostgreSQL ${first!.postgres}: all need the same versions`,
      )
  }
}
