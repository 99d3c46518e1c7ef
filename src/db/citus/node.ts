// A node of a Citus cluster: its connections, and its places.

import { DatabaseUnavailable, serverError } from '../errors.ts'
import { openConnection, type Parameter } from '../pool/connection.ts'
import { openPool, type PoolOptions, type RunOptions, type Runner } from '../pool/pool.ts'
import { query } from '../statements/query.ts'
import { createRenaming } from './names.ts'
import awaitCommitsSql from '../../../sql/citus/await-commits.sql'
import namesSql from '../../../sql/citus/names.sql'
import settleSql from '../../../sql/citus/settle.sql'

export type ClusterNode = ReturnType<typeof openNode>

const settle = query(settleSql)
const findNames = query<{ place: number; names: string }>(namesSql)
const awaitCommits = query(awaitCommitsSql)

/** The node itself, with its copies of reference tables. */
export const wholeNode = 0

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
  const pool = openPool(options, 'custom')
  const checks = openPool({ ...options, poolSize: checkConnections }, 'generic', { connect: connectAfterCommits })
  let renamings = new Map<number, (text: string) => string>()

  const inPlace = (place: number, db: Runner): Runner => ({
    async run<Row>(text: string, values?: readonly Parameter[], given?: RunOptions) {
      const rename = renamings.get(place)
      try {
        if (!rename) throw new DatabaseUnavailable('the place is not on this node')
        return await db.run<Row>(rename(text), values, { source: text, ...given })
      } catch (error) {
        if (!hasMoved(error) && rename) throw error
        onMoved()
        throw new DatabaseUnavailable('the projects have just moved to another node', { cause: error })
      }
    },
  })

  return {
    group,
    name,
    /** Runs statements about keys, users, teams and the rows of projects. */
    directory: inPlace(wholeNode, pool),
    /** Runs freshness checks: after whatever was acknowledged before has been committed on this node. */
    checks: inPlace(wholeNode, checks),
    /** Waits until whatever was acknowledged before has been committed on this node. */
    awaitCommits: () => awaitCommits(pool, { most: maxDoubt }),
    /** Runs statements about the projects of a place. */
    place: (place: number) => inPlace(place, pool),
    get places() {
      return [...renamings.keys()].filter((place) => place !== wholeNode)
    },
    /** Creates what is missing in the places of the node, and learns their names. */
    async settle() {
      await settle(pool, {})
      const places = await findNames(pool, {})
      const known = renamings
      renamings = new Map(
        places.map(({ place, names }) => [
          place,
          known.get(place) ?? createRenaming(new Map(Object.entries(JSON.parse(names) as Record<string, string>))),
        ]),
      )
    },
    markActive: pool.markActive,
    counts: { pool, checks },
    async close() {
      await Promise.all([pool.close(), checks.close()])
    },
  }
}

/** The place has left, or is not settled yet; its tables or functions may be gone already. */
const hasMoved = (error: unknown) =>
  ['WG011', 'WG012', '42P01', '42883', '3F000'].includes(serverError(error)?.code ?? '')

/** Sends both together. Each statement has a snapshot of its own. */
const connectAfterCommits: typeof openConnection = (...options) => {
  const connection = openConnection(...options)
  return Object.assign(Object.create(connection) as typeof connection, {
    async run<Row>(...statement: Parameters<typeof connection.run>) {
      const [, rows] = await Promise.all([
        awaitCommits(connection, { most: maxDoubt }),
        connection.run<Row>(...statement),
      ])
      return rows
    },
  } satisfies Partial<typeof connection>)
}
