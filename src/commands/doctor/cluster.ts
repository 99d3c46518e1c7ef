// Checks the nodes of a database that Citus distributes.

import { targetOf, type Cluster, type Node } from '../../db/citus/cluster.ts'
import { withConnection, type Session, type Target } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { describeError } from '../describe-error.ts'
import { readVersions, requireServable } from '../distribute/usable-cluster.ts'
import { fault, formatCount, ok, type Outcome } from './finding.ts'
import placementsSql from '../../../sql/citus/placements.sql'
import placesHereSql from '../../../sql/citus/places-here.sql'

const findPlacements = query<{ group: number; places: string }>(placementsSql)
const findPlaces = query<{ places: string }>(placesHereSql)

export async function checkCluster(session: Session, coordinator: Target, cluster: Cluster): Promise<Outcome> {
  const problem = await requireServable(session, coordinator, cluster).then(() => undefined, describeError)
  if (problem !== undefined) return fault(`The service does not start: ${problem}.`, 'Correct this first.')
  const placements = await findPlacements(session, {})
  const found = await Promise.all(
    cluster.nodes.map(async (node) => {
      const places = JSON.parse(placements.find(({ group }) => group === node.group)!.places) as number[]
      return { node, places, problem: await findProblem(targetOf(coordinator, node), places) }
    }),
  )
  const describe = ({ host, port }: Node, problem: string) => `${host}:${port} ${problem}`
  const wrong = found.flatMap(({ node, problem }) => (problem ? [describe(node, problem)] : []))
  if (wrong.length > 0)
    return fault(
      `${wrong.join('; ')}.`,
      'Requests about the projects there get 503. Start the nodes, and run "workgate distribute".',
    )
  const shards = found.reduce((sum, { places }) => sum + places.length, 0)
  const used = found.filter(({ places }) => places.length > 0)
  return ok(`The projects are in ${formatCount(shards, 'shard')} on ${formatCount(used.length, 'node')}, all prepared`)
}

async function findProblem(target: Target, places: readonly number[]): Promise<string | undefined> {
  try {
    return await withConnection(target, async (session) => {
      if (!(await readVersions(session)).isPrepared) return 'is not prepared'
      const [row] = await findPlaces(session, { places: places.map(String) })
      const missing = places.length - (JSON.parse(row!.places) as number[]).length
      return missing === 0 ? undefined : `has ${formatCount(missing, 'shard')} without triggers`
    })
  } catch (error) {
    return `cannot be read: ${describeError(error)}`
  }
}
