// Runs statements where a Citus cluster cannot pass them on: on each of its servers, or in their places. On plain
// PostgreSQL, there is one server, and a statement runs once.

import { createRenaming } from '../../src/db/citus/names.ts'
import { run } from './environment.ts'
import { withSql, type Sql } from './workgate.ts'

/** Where Citus passes on errors of other nodes without their codes: of rows that it copies there, and of the ends of transactions. */
export const withoutCode = ['ReportCopyError', 'ErrorIfPostCommitFailedShardPlacements', 'MarkRemoteTransactionFailed']

interface Place {
  names: Record<string, string>
}

/** The URLs of a database on each server. */
export const serverUrls = (url: string): string[] =>
  run().citus?.map((server) => server.replace('/postgres', new URL(url).pathname)) ?? [url]

/** Calls the function with each server of a cluster, to which it has a single connection. */
async function eachServer<T>(sql: Sql, use: (server: Sql) => Promise<T>): Promise<T[]> {
  if (!run().citus) return [await use(sql)]
  const results: T[] = []
  for (const url of serverUrls(`postgres:///${sql.options.database}`)) results.push(await withSql(url, use))
  return results
}

/** Runs a statement about tables that each server has for itself, and returns the rows of all servers. */
export const onServers = async (sql: Sql, statement: string) =>
  (await eachServer(sql, (server) => server.unsafe(statement))).flat()

/** Runs a script in every place with the tables that it names: for what Citus refuses or would not do on shards. */
export async function inPlaces(sql: Sql, script: string): Promise<void> {
  await eachServer(sql, async (server) => {
    if (!run().citus) {
      await server.unsafe(script)
      return
    }
    await server`set citus.enable_manual_changes_to_shards = on`
    for (const rename of await renamingsFor(server, script)) await server.unsafe(rename(script))
  })
}

async function renamingsFor(server: Sql, script: string) {
  // The names of reference tables are the same in each place, so a script about them alone must not be repeated.
  const places = await server<Place[]>`
    select names
    from workgate_places.places
    where (place <> 0) = exists (select from workgate_places.tables(false) t where ${script} ~ ('\\mworkgate\\.' || t || '\\M'))`
  return places.map(({ names }) => createRenaming(new Map(Object.entries(names))))
}

/**
 * Runs statements in a transaction on the server that has the project, in its place. Returns the rows of the last
 * statement.
 */
export async function inPlaceOf(sql: Sql, project: string, ...statements: string[]) {
  const results = await eachServer(sql, async (server) => {
    const names = run().citus ? await namesOf(server, project) : {}
    if (!names) return []
    const rename = createRenaming(new Map(Object.entries(names)))
    let rows: Record<string, unknown>[] = []
    await server.begin(async (transaction) => {
      for (const statement of statements) rows = [...(await transaction.unsafe(rename(statement)))]
    })
    return rows
  })
  return results.flat()
}

async function namesOf(server: Sql, project: string): Promise<Place['names'] | undefined> {
  const [found] = await server<Place[]>`
    select names from workgate_places.places where place = workgate_places.place_of(${project})`
  return found?.names
}

/** Runs statements in a transaction, one by one: Citus would send all of a text with several to its workers. */
export const inTurn = (sql: Sql, ...statements: string[]) =>
  sql.begin(async (transaction) => {
    for (const statement of statements) await transaction.unsafe(statement)
  })
