// Refuses clusters that Workgate cannot use, each with one sentence.

import { readCluster, targetOf, type Cluster, type Node } from '../../db/citus/cluster.ts'
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

/** True if Citus distributes the database. Throws if it is not complete, or if a node that responds has other versions. */
export async function isDistributed(session: Session, coordinator: Target): Promise<boolean> {
  const cluster = await readCluster(session)
  if (!isDistributedIn(cluster)) return false
  refuseUnusable(cluster)
  const own = await readVersions(session)
  if (!own.isPrepared) throw new ClusterError('the database is distributed only in part: run "workgate distribute"')
  const [, ...others] = cluster.nodes
  const versions = await Promise.all(
    others.map((node) => withConnection(targetOf(coordinator, node), readVersions).catch(ignoreUnavailable)),
  )
  refuseMixedVersions(cluster.nodes, [own, ...versions])
  return true
}

/** Its projects are not available, which is no reason to refuse those of other nodes. */
function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof DatabaseUnavailable)) throw error
}

export const fillFirst = 'fill a new one, and distribute that'

/** For commands whose statements need all projects on one server. */
export async function refuseDistributed(db: Runner, message: string): Promise<void> {
  if (isDistributedIn(await readCluster(db))) throw new ClusterError(message)
}

/** Throws if Workgate cannot use the cluster of this server. */
export async function readUsableCluster(session: Session): Promise<Cluster> {
  const cluster = await readCluster(session)
  if (!cluster) throw new ClusterError('the database has no extension Citus: create it on every server of the cluster')
  refuseUnusable(cluster)
  const inactive = cluster.nodes.find(({ isActive }) => !isActive)
  if (!inactive) return cluster
  const { host, port } = inactive
  throw new ClusterError(
    `the node ${host}:${port} is not active: run "select citus_activate_node('${host}', ${port})" on the coordinator`,
  )
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

export const readVersions = async (session: Session) => (await findVersions(session, {}))[0]!

export function refuseMixedVersions(nodes: readonly Node[], versions: readonly (Versions | undefined)[]): void {
  const first = versions[0]!
  for (const [n, { host, port }] of nodes.entries()) {
    const { citus, postgres } = versions[n] ?? first
    if (citus !== first.citus || postgres !== first.postgres)
      throw new ClusterError(
        `the node ${host}:${port} has Citus ${citus} on PostgreSQL ${postgres}, and the coordinator Citus ${first.citus} on PostgreSQL ${first.postgres}: all need the same versions`,
      )
  }
}
