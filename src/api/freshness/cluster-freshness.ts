// Confirms versions in a Citus cluster: each on the nodes whose projects a response shows, because a node knows first what
// is committed on it. A response about several nodes has a vector of versions.

import type { Cluster, ClusterNode, Source } from '../../db/database.ts'
import { DatabaseUnavailable } from '../../db/errors.ts'
import type { Runner } from '../../db/pool/pool.ts'
import type { Place, Projects } from '../../db/projects.ts'
import { setNewest } from '../../runtime/newest-entries.ts'
import { isUuid } from '../input/values.ts'
import { areNames, type ConfirmedVersion } from './confirmed-version.ts'
import {
  createFreshness,
  directory,
  everyProject,
  freshnessMetrics,
  type CheckRequest,
  type Freshness,
} from './freshness.ts'

/** The question to one node. */
interface Part {
  node: ClusterNode
  scope: string
  /** The places that the node must have. */
  places: readonly number[]
}

const maxNames = 10_000

export function createClusterFreshness(cluster: Cluster): Freshness {
  const perNode = new WeakMap<ClusterNode, Freshness>()
  const counts = { checks: 0, statements: 0 }
  /** The projects that names in paths referred to last: where to ask next time. */
  const projectsOfNames = new Map<string, string>()

  function freshnessOf(node: ClusterNode): Freshness {
    const known = perNode.get(node)
    if (known) return known
    const created = createFreshness(node.checks, () => sourceIn(cluster, node, []), { isNode: true, counts })
    perNode.set(node, created)
    return created
  }

  async function partsOf(scope: string): Promise<Part[]> {
    const home = await cluster.home()
    if (scope === directory || scope === '') return [{ node: home, scope, places: [] }]
    if (scope === everyProject)
      return [home, ...cluster.nodes.filter((node) => node !== home)].map((node) => ({
        node,
        scope,
        places: cluster.placesOn(node),
      }))
    if (areNames(scope)) {
      const project = projectsOfNames.get(scope)
      if (project === undefined) return [{ node: home, scope, places: [] }]
      return [{ ...(await partsOfProjects(cluster, [project]))[0]!, scope }]
    }
    return partsOfProjects(cluster, scope.split(',').filter(isUuid))
  }

  /** Undefined if a node does not have a place that it should have. */
  async function confirm(scope: string, request: CheckRequest): Promise<ConfirmedVersion | undefined> {
    const parts = await partsOf(scope)
    const confirmed = await Promise.all(
      parts.map(({ node, scope, places }) => freshnessOf(node).check(scope, { ...request, places })),
    )
    if (confirmed.some(({ hasPlaces }) => !hasPlaces)) return undefined
    const [first] = confirmed
    const { node, places } = parts[0]!
    const { ids } = first!
    if (ids?.projectId) {
      const place = await cluster.placeOf(ids.projectId)
      setNewest(projectsOfNames, scope, ids.projectId, maxNames)
      // Where to ask is known only now.
      if (cluster.nodeOf(place) !== node || !places.includes(place)) return confirm(scope, request)
    }
    return {
      ...first!,
      version: parts.map(({ node }, n) => `${node.name} ${confirmed[n]!.version}`).join(' '),
      at: confirmed.map(({ at }) => at).sort()[0]!,
      source: sourceIn(cluster, node, parts),
    }
  }

  const check = (scope: string, request: CheckRequest = {}) => cluster.whileMoving(() => confirm(scope, request))

  return {
    counts,
    metrics: () => freshnessMetrics(counts),
    check,
    keyVersion: async (scope, keyScope) => (await check(scope, { keyScope })).keyVersion,
  }
}

/** One part per node, in the order of the nodes. */
async function partsOfProjects(cluster: Cluster, projects: readonly string[]): Promise<Part[]> {
  const byNode = new Map<ClusterNode, { projects: string[]; places: Set<number> }>()
  for (const project of projects) {
    const place = await cluster.placeOf(project)
    const node = cluster.nodeOf(place)
    if (!node) throw new DatabaseUnavailable('no node has the place of the project')
    const part = byNode.get(node) ?? { projects: [], places: new Set() }
    part.projects.push(project)
    part.places.add(place)
    byNode.set(node, part)
  }
  return [...byNode]
    .sort(([a], [b]) => a.group - b.group)
    .map(([node, { projects, places }]) => ({ node, scope: projects.join(','), places: [...places] }))
}

/** Where responses about these parts are read. */
function sourceIn(cluster: Cluster, node: ClusterNode, parts: readonly Part[]): Source {
  const places = parts.flatMap(({ node, places }) => places.map((place) => [place, node.place(place)] as const))
  const { run } = places.length === 1 ? places[0]![1] : node.directory
  const projects: Projects = {
    run,
    placesOf: (projectIds) => placesOf(cluster, new Map(places), projectIds),
    placesNow: cluster.placesNow,
    journals: cluster.journals,
  }
  return { name: node.name, directory: node.directory, projects, reads: projects }
}

/** The places among those that the version covers. */
async function placesOf(
  cluster: Cluster,
  places: Map<number, Runner>,
  projectIds: readonly string[] | null,
): Promise<Place[]> {
  if (!projectIds) return [...places].map(([number, db]) => ({ number, db, projectIds: [] }))
  const ids = new Map<number, string[]>()
  for (const projectId of projectIds) {
    const place = await cluster.placeOf(projectId)
    // A project of another place is not among those that the version covers.
    if (places.has(place)) ids.set(place, [...(ids.get(place) ?? []), projectId])
  }
  return [...ids].map(([number, projectIds]) => ({ number, db: places.get(number)!, projectIds }))
}
