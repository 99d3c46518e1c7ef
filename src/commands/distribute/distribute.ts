// workgate distribute: turns a database into one that Citus distributes by project, or completes what is missing, for
// example on a new worker.

import { setTimeout as sleep } from 'node:timers/promises'
import { withConnection, type Session, type Target } from '../../db/pool/connection.ts'
import { query } from '../../db/statements/query.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { formatTable } from '../format-table.ts'
import { parseOptions } from '../parse-options.ts'
import { prepareSchema, retryUntilAvailable, withNewDatabase } from '../with-database.ts'
import { distributeDatabase } from './distribute-database.ts'
import { readUsableCluster } from './usable-cluster.ts'
import otherSessionsSql from '../../../sql/citus/other-sessions.sql'
import sharesSql from '../../../sql/citus/shares.sql'

export const distributeUsage = 'workgate distribute [--shards 32]'

interface Share {
  node: string
  isCoordinator: boolean
  hasShards: boolean
  shards: number
  projects: number
}

const countOtherSessions = query<{ count: number }>(otherSessionsSql)
const readShares = query<Share>(sharesSql)

const maxShards = 1_024
/** The server ends a session some time after its connection. */
const [attempts, pauseMs] = [20, 50]

export async function distribute(context: CommandContext): Promise<void> {
  const shards = readShards(context.args)
  const target = readTarget(context)
  // A cluster that cannot be used is refused before anything is written.
  const { distributed } = await retryUntilAvailable(context, () =>
    withConnection(target, (session) => readUsableCluster(session, target)),
  )
  await withNewDatabase(context, (db) => prepareSchema(context, db))
  if (distributed.length === 0) await withConnection(target, refuseOthers)
  const { isNew, settled } = await distributeDatabase(target, shards, context.progress)
  const prepared = settled.filter(({ places }) => places.length > 0).map(({ node }) => `${node.host}:${node.port}`)
  const shares = await withConnection(target, (session) => readShares(session, {}))
  context.print(describe(isNew, prepared, shares))
}

function readShards(args: readonly string[]): number {
  const { values } = parseOptions(args, { shards: { type: 'string' } }, distributeUsage)
  const shards = Number(values.shards ?? '32')
  if (!Number.isInteger(shards) || shards < 1 || shards > maxShards)
    throw new UsageError(`--shards must be an integer between 1 and ${maxShards}\n\n${distributeUsage}`)
  return shards
}

function readTarget({ config }: CommandContext): Target {
  const { DATABASE_URL: url, DATABASE_POOLER } = config
  if (url === undefined)
    throw new UsageError('distribute needs a Citus cluster: set DATABASE_URL to the database on its coordinator')
  if (DATABASE_POOLER)
    throw new UsageError(
      'distribute needs a database session: set DATABASE_URL to the coordinator itself, and leave DATABASE_POOLER empty',
    )
  return { url }
}

/** A service that does not know that the database is distributed would not notice the changes on the nodes. */
async function refuseOthers(session: Session) {
  for (let attempt = 1; ; attempt++) {
    const [row] = await countOtherSessions(session, {})
    if (row!.count === 0) return
    if (attempt === attempts)
      throw new Error('a service uses the database: stop it, run this command again, and start it afterwards')
    await sleep(pauseMs)
  }
}

function describe(isNew: boolean, prepared: readonly string[], shares: readonly Share[]): string {
  const done = isNew
    ? 'The database is distributed by project now.'
    : prepared.length > 0
      ? `The database was distributed before. Prepared: ${prepared.join(', ')}.`
      : 'The database was distributed before, and every node is prepared.'
  const table = formatTable([
    ['NODE', 'SHARDS', 'PROJECTS'],
    ...shares.map(({ node, isCoordinator, shards, projects }) => [
      isCoordinator ? `${node} (coordinator)` : node,
      String(shards),
      String(projects),
    ]),
  ])
  const isEmpty = shares.some(({ hasShards, shards }) => hasShards && shards === 0)
  return `${done}\n\n${table}${isEmpty ? `\n\nMove projects to nodes without shards: select citus_rebalance_start();` : ''}`
}
