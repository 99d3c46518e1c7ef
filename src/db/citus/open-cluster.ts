// Opens the nodes of a Citus cluster, follows which node has which place, and finds the places of projects.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../runtime/log.ts'
import { catalogMetric } from '../../runtime/metrics/catalog.ts'
import type { Metric } from '../../runtime/metrics/metrics.ts'
import { setNewest } from '../../runtime/newest-entries.ts'
import { DatabaseUnavailable, describeCause } from '../errors.ts'
import type { Owner } from '../pool/connection-shares.ts'
import { waitForConnectionMs, type PoolOptions, type Runner } from '../pool/pool.ts'
import type { Journal, Place } from '../projects.ts'
import { query } from '../statements/query.ts'
import { targetOf } from './cluster.ts'
import { openNode, type ClusterNode } from './node.ts'
import placeOfSql from '../../../sql/citus/place-of.sql'
import placementsSql from '../../../sql/citus/placements.sql'

const findPlacements = query<{ group: number; host: string; port: number; places: string }>(placementsSql)
const findPlace = query<{ place: string }>(placeOfSql)

const refreshMs = 1_000
const maxProjects = 100_000
const retryMs = 20

export type Cluster = ReturnType<typeof openCluster>

export function openCluster(coordinator: Runner, options: PoolOptions, checkConnections: number, log: Log) {
  const { nodes, nodeOfPlace, started, refresh, ...followed } = followNodes(coordinator, options, checkConnections, log)
  const placeOfProject = new Map<string, number>()
  const whileMoving = <Found>(find: () => Promise<Found | undefined>) => tryWhileMoving(find, refresh)

  /** The place of a project, whether or not the project exists. */
  async function placeOf(projectId: string): Promise<number> {
    const known = placeOfProject.get(projectId)
    if (known !== undefined && nodeOfPlace.has(known)) return known
    const [row] = await findPlace(coordinator, { projectId })
    const place = Number(row!.place)
    setNewest(placeOfProject, projectId, place, maxProjects)
    return place
  }

  /** The places of some projects, or all places, as they are now. */
  async function confirmedPlaces(projectIds: readonly string[] | null): Promise<Place[]> {
    await started
    return whileMoving(async () => {
      const found = new Map<number, string[]>((projectIds ? [] : [...nodeOfPlace.keys()]).map((place) => [place, []]))
      for (const projectId of projectIds ?? []) {
        const place = await placeOf(projectId)
        found.set(place, [...(found.get(place) ?? []), projectId])
      }
      const places = [...found].map(([number, projectIds]) => ({ number, node: nodeOfPlace.get(number), projectIds }))
      if (!(await areThere(places))) return undefined
      return places.map(({ number, node, projectIds }) => ({ number, db: node!.place(number), projectIds }))
    })
  }

  return {
    whileMoving,
    /** The coordinator. */
    async home(): Promise<ClusterNode> {
      await started
      const home = followed.home()
      if (!home) throw new DatabaseUnavailable('the metadata of the cluster could not be read')
      return home
    },
    /** The nodes that have places. */
    get nodes() {
      return [...new Set(nodeOfPlace.values())]
    },
    async allNodes() {
      await started
      return [...nodes.values()]
    },
    async allPlaces(): Promise<Runner[]> {
      await started
      return [...nodeOfPlace].map(([place, node]) => node.place(place))
    },
    /** Where the metadata say that a place is. */
    nodeOf: (place: number) => nodeOfPlace.get(place),
    placesOn: (node: ClusterNode) => [...nodeOfPlace].filter(([, one]) => one === node).map(([place]) => place),
    placeOf,
    placesNow: confirmedPlaces,
    async journals(): Promise<Journal[]> {
      await started
      const all = [...nodes.values()].sort((a, b) => a.group - b.group)
      return all.map(({ group, journal }) => ({ node: group, db: journal, isWithObjects: false }))
    },
    markActive(owner: Owner) {
      for (const node of nodes.values()) node.markActive(owner)
    },
    metrics: (): Metric[] => [catalogMetric('workgate_node_usable', followed.usable())],
    close: followed.close,
  }
}

/** Reads once a second which node has which place, and makes the places of each node ready. */
function followNodes(coordinator: Runner, options: PoolOptions, checkConnections: number, log: Log) {
  const nodes = new Map<string, ClusterNode>()
  const nodeOfPlace = new Map<number, ClusterNode>()
  const failing = new Set<string>()
  let home: ClusterNode | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  async function readPlacements() {
    const found = await findPlacements(coordinator, {})
    if (isClosed) return
    const left = new Map(nodes)
    nodeOfPlace.clear()
    for (const { group, host, port, places } of found) {
      const name = `${host}:${port}`
      const node = nodes.get(name) ?? open(group, name, { host, port })
      nodes.set(name, node)
      left.delete(name)
      for (const place of JSON.parse(places) as number[]) nodeOfPlace.set(place, node)
      if (group === 0) home = node
    }
    for (const [name, node] of left) {
      nodes.delete(name)
      void node.close()
    }
  }

  function open(group: number, name: string, at: { host: string; port: number }): ClusterNode {
    const given = { ...options, target: targetOf(options.target, at) }
    return openNode(group, name, given, checkConnections, () => void refresh().catch(() => {}))
  }

  async function settle(node: ClusterNode) {
    try {
      await node.settle()
      if (failing.delete(node.name)) log.info('node is used', { node: node.name })
    } catch (error) {
      if (isClosed || failing.has(node.name)) return
      failing.add(node.name)
      log.warn('node is not used', { node: node.name, cause: describeCause(error) })
    }
  }

  /** Reads the metadata as they are some time after the call. */
  function refresh(): Promise<void> {
    const after = running ?? Promise.resolve()
    const next = after
      .catch(() => {})
      .then(async () => {
        if (isClosed) return
        await readPlacements()
        await Promise.all([...nodes.values()].map(settle))
      })
      .finally(() => {
        if (running === next) running = undefined
      })
    running = next
    return next
  }

  const started = refresh().catch(() => {})
  const timer = setInterval(() => void (running ?? refresh().catch(() => {})), refreshMs).unref()

  return {
    nodes,
    nodeOfPlace,
    /** Resolves when the metadata have been read for the first time, or could not be. */
    started,
    refresh,
    home: () => home,
    /** For the metrics. */
    usable: () => [...nodes.keys()].map((server) => [{ server }, Number(!failing.has(server))] as const),
    async close() {
      isClosed = true
      clearInterval(timer)
      await Promise.all([...nodes.values()].map((node) => node.close()))
    },
  }
}

/** Tries again while a node does not have the places that the metadata say, for a limited time. */
async function tryWhileMoving<Found>(
  find: () => Promise<Found | undefined>,
  refresh: () => Promise<void>,
): Promise<Found> {
  const deadline = performance.now() + waitForConnectionMs
  for (;;) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new DatabaseUnavailable('projects are moving to another node')
    await refresh()
    await sleep(retryMs)
  }
}

async function areThere(places: readonly { number: number; node: ClusterNode | undefined }[]): Promise<boolean> {
  if (places.some(({ node }) => !node)) return false
  const all = [...new Set(places.map(({ node }) => node!))]
  const numbersOn = (node: ClusterNode) => places.filter((place) => place.node === node).map(({ number }) => number)
  return !(await Promise.all(all.map((node) => node.hasPlaces(numbersOn(node))))).includes(false)
}
