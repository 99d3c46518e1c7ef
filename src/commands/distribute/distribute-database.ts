// Turns a database into one that Citus distributes by project, or completes what is missing, for example on a new worker.

import type { Progress } from '../../runtime/progress.ts'
import { begin, withConnection, type Session, type Target } from '../../db/pool/connection.ts'
import { grant, hasGrants } from '../../db/schema/migrate.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { targetOf, type Node } from '../../db/citus/cluster.ts'
import { readUsableCluster } from './usable-cluster.ts'
import copyPrivilegesSql from '../../../sql/citus/copy-privileges.sql'
import distributeTablesSql from '../../../sql/citus/distribute-tables.sql'
import nodeDefinitionsSql from '../../../sql/citus/node-definitions.sql'
import nodeTables from '../../../sql/citus/node-tables.sql'
import placeWritesSql from '../../../sql/citus/place-writes.sql'
import placesSql from '../../../sql/citus/places.sql'
import prepareSessionSql from '../../../sql/citus/prepare-session.sql'
import readTriggersSql from '../../../sql/citus/read-triggers.sql'
import replicateReferenceTablesSql from '../../../sql/citus/replicate-reference-tables.sql'
import setShardsSql from '../../../sql/citus/set-shards.sql'
import settlePlacesSql from '../../../sql/citus/settle-places.sql'
import settleSql from '../../../sql/citus/settle.sql'
import storeTriggersSql from '../../../sql/citus/store-triggers.sql'

const findDefinitions = query<{ statement: string }>(include(nodeDefinitionsSql, { nodeTables }))
const setShards = query(setShardsSql)
const readTriggers = query<{ triggers: string }>(readTriggersSql)
const storeTriggers = query(storeTriggersSql)
const replicateReferenceTables = query(replicateReferenceTablesSql)
const copyPrivileges = query(copyPrivilegesSql)
const settle = query<{ places: string }>(settleSql)

export interface Distributed {
  /** False if the tables were distributed before. */
  isNew: boolean
  /** The places that are new on each node. */
  settled: { node: Node; places: number[] }[]
}

export async function distributeDatabase(
  coordinator: Target,
  shards: number,
  progress: Progress,
): Promise<Distributed> {
  return withConnection(coordinator, async (session) => {
    const { nodes, distributed } = await readUsableCluster(session, coordinator)
    const [, ...others] = nodes
    return withSessions(
      others.map((node) => targetOf(coordinator, node)),
      async (sessions) => {
        const all = [session, ...sessions]
        return progress('preparing the nodes', all.length + 1, async (advance) => {
          for (const one of all) await prepare(one)
          const isNew = distributed.length === 0
          if (isNew) await distributeTables(session, shards)
          else await replicateReferenceTables(session, {})
          advance()
          const follow = await hasGrants(session)
          const settled: Distributed['settled'] = []
          for (const [n, one] of all.entries()) {
            if (one !== session) await define(one, session)
            const [row] = await settle(one, {})
            if (follow) await grantInPlaces(one)
            settled.push({ node: nodes[n]!, places: JSON.parse(row!.places) as number[] })
            advance()
          }
          return { isNew, settled }
        })
      },
    )
  })
}

/** Creates the functions that every node needs, which do nothing yet. */
async function prepare(session: Session) {
  await session.script(prepareSessionSql)
  for (const script of [placesSql, placeWritesSql, settlePlacesSql]) await session.script(script)
}

async function distributeTables(session: Session, shards: number) {
  await session.script(begin)
  await setShards(session, { shards })
  await session.script(distributeTablesSql)
  await session.script('commit')
}

/** In one transaction: on a node, the first statement also revokes the privileges on shards. */
async function grantInPlaces(session: Session) {
  await session.script(begin)
  await grant(session)
  await copyPrivileges(session, {})
  await session.script('commit')
}

/** Creates what the coordinator has and Citus does not create on other nodes. */
async function define(session: Session, coordinator: Session) {
  for (const { statement } of await findDefinitions(coordinator, {})) await session.script(statement)
  const [row] = await readTriggers(coordinator, {})
  await storeTriggers(session, { triggers: row!.triggers })
}

function withSessions<T>(targets: readonly Target[], use: (sessions: Session[]) => Promise<T>): Promise<T> {
  const [first, ...others] = targets
  if (!first) return use([])
  return withConnection(first, (session) => withSessions(others, (sessions) => use([session, ...sessions])))
}
