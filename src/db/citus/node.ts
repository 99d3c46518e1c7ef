// A node of a Citus cluster: its connections, and its places.

import { DatabaseUnavailable, serverError } from '../errors.ts'
import { openConnection, type Parameter } from '../pool/connection.ts'
import { openPool, type PoolOptions, type RunOptions, type Runner } from '../pool/pool.ts'
import { query } from '../statements/query.ts'
import { createRenaming } from './names.ts'
import awaitCommitsSql from '../../../sql/citus/await-commits.sql'
import namesSql from '../../../sql/citus/names.sql'
import placesHereSql from '../../../sql/citus/places-here.sql'
import settleSql from '../../../sql/citus/settle.sql'

export type ClusterNode = ReturnType<typeof openNode>

const settle = query(settleSql)
const findNames = query<{ place: number; names: string }>(namesSql)
const findPlaces = query<{ places: string }>(placesHereSql)
const awaitCommits = query(awaitCommitsSql)

/** The node itself, with its copies of reference tables. */
const wholeNode = 0

/** How long a freshness check waits for commits that the node still has to make. */
const maxDoubt = '500 milliseconds'

/** Called if a statement finds that a place has moved. */
export function openNode(
  group: number,
  name: string,
  options: PoolOptions,
  checkConnections: number,
  onMoved: () => void,
) {
  const pool = openPool(options, 'custom', { connect })
  const checks = openPool({ ...options, poolSize: checkConnections }, 'generic', { connect: connectForChecks })
  let renamings: Renamings = new Map()

  const inPlace = (place: number, db: Runner): Runner => ({
    async run<Row>(text: string, values?: readonly Parameter[], given?: RunOptions) {
      const rename = renamings.get(place)
      try {
        if (!rename) throw new DatabaseUnavailable('the place is not on this node')
        return await db.run<Row>(rename(text), values, { source: text, ...given })
      } catch (error) {
        if (rename && !(await hasMoved(place, error))) throw error
        onMoved()
        throw new DatabaseUnavailable('the projects have just moved to another node', { cause: error })
      }
    },
  })

  /** True if the place has left or is not settled yet. Its tables or functions may be gone already. */
  async function hasMoved(place: number, error: unknown): Promise<boolean> {
    const code = serverError(error)?.code ?? ''
    if (heldElsewhere.includes(code)) return true
    return missing.includes(code) && !(await hasPlaces([place]))
  }

  /** True if these places are ready, and whatever was acknowledged before has been committed on this node. */
  async function hasPlaces(places: readonly number[]): Promise<boolean> {
    const [row] = await findPlaces(checks, { places: places.map(String) })
    return (JSON.parse(row!.places) as number[]).length === places.length
  }

  const directory = inPlace(wholeNode, pool)
  const places = new Map<number, Runner>()

  /** The same object for each call. */
  function placeRunner(place: number): Runner {
    const known = places.get(place)
    if (known) return known
    const created = inPlace(place, pool)
    places.set(place, created)
    return created
  }

  return {
    group,
    name,
    /** Runs statements about keys, users, teams and the rows of projects. */
    directory,
    /** Runs freshness checks: they see whatever was acknowledged before, also if it has yet to be committed on this node. */
    checks: inPlace(wholeNode, checks),
    /** Runs statements about the journal: after whatever was acknowledged before has been committed on this node. */
    journal: afterCommits(pool, directory),
    hasPlaces,
    /** Runs statements about the projects of a place. */
    place: placeRunner,
    /** Creates what is missing in the places of the node, and learns their names. */
    async settle() {
      await settle(pool, {})
      renamings = await readRenamings(pool, renamings)
    },
    markActive: pool.markActive,
    close: () => Promise.all([pool.close(), checks.close()]),
  }
}

/** By place: gives a statement the names of its tables and functions. */
type Renamings = ReadonlyMap<number, (text: string) => string>

async function readRenamings(db: Runner, known: Renamings): Promise<Renamings> {
  const places = await findNames(db, {})
  const create = (names: string) => createRenaming(new Map(Object.entries(JSON.parse(names) as Record<string, string>)))
  return new Map(places.map(({ place, names }) => [place, known.get(place) ?? create(names)]))
}

const afterCommits = (node: Runner, db: Runner): Runner => ({
  async run<Row>(...statement: Parameters<Runner['run']>) {
    await awaitCommits(node, { most: maxDoubt })
    return db.run<Row>(...statement)
  },
})

/** The errors of workgate_places.hold(). */
const heldElsewhere = ['WG011', 'WG012']
/** No such table, function or schema, also while the statement already runs. */
const missing = ['42P01', '42883', '3F000', 'XX000']

/** Each place has its own statements and triggers, and a session plans all of them again. */
const maxPlanAgeMs = 30_000

const connect: typeof openConnection = (target, plans, settings, onClose) =>
  openConnection(target, plans, settings, onClose, maxPlanAgeMs)

/** Runs statements that tell whether they are in doubt, and again if a commit that was acknowledged before may be missing. */
const connectForChecks: typeof openConnection = (...options) => {
  const connection = connect(...options)
  return Object.assign(Object.create(connection) as typeof connection, {
    async run<Row>(...statement: Parameters<typeof connection.run>) {
      const rows = await connection.run<Row & { in_doubt: boolean }>(...statement)
      if (!rows[0]!.in_doubt) return rows
      await awaitCommits(connection, { most: maxDoubt })
      return connection.run<Row>(...statement)
    },
  } satisfies Partial<typeof connection>)
}
