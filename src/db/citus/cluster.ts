// Reads the metadata of a Citus cluster.

import { isIP } from 'node:net'
import { urlPerHost } from '../database-url.ts'
import type { Target } from '../pool/connection.ts'
import type { Runner } from '../pool/pool.ts'
import { query } from '../statements/query.ts'
import { include } from '../statements/template.ts'
import clusterSql from '../../../sql/citus/cluster.sql'
import isInstalledSql from '../../../sql/citus/is-installed.sql'
import nodeTables from '../../../sql/citus/node-tables.sql'

/** A server of the cluster. The coordinator has the group 0. */
export interface Node {
  group: number
  host: string
  port: number
  isActive: boolean
  /** True if projects can be stored on it. */
  hasShards: boolean
}

export interface Cluster {
  isCoordinator: boolean
  /** The coordinator first, if the others know it. */
  nodes: Node[]
  /** Tables of the schema that Citus distributes, and others that it should. */
  distributed: string[]
  notDistributed: string[]
}

interface Row {
  isCoordinator: boolean
  nodes: string
  distributed: string
  notDistributed: string
}

const findInstalled = query<{ installed: boolean }>(isInstalledSql)
const findCluster = query<Row>(include(clusterSql, { nodeTables }))

/** Undefined if the database has no extension Citus. */
export async function readCluster(db: Runner): Promise<Cluster | undefined> {
  const [row] = await findInstalled(db, {})
  if (!row!.installed) return undefined
  const [found] = await findCluster(db, {})
  return {
    isCoordinator: found!.isCoordinator,
    nodes: JSON.parse(found!.nodes) as Node[],
    distributed: JSON.parse(found!.distributed) as string[],
    notDistributed: JSON.parse(found!.notDistributed) as string[],
  }
}

/** The address of a node: that of the coordinator, with another host and port. Poolers are in front of the coordinator only. */
export function targetOf(coordinator: Target, { host, port }: Pick<Node, 'host' | 'port'>): Target {
  if (!('url' in coordinator)) throw new Error('the embedded database is no Citus cluster')
  const url = new URL(urlPerHost(coordinator.url)[0]!)
  url.hostname = isIP(host) === 6 ? `[${host}]` : host
  url.port = String(port)
  url.searchParams.delete('host')
  return { url: url.href }
}
