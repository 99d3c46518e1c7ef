// Starts a primary with some data, and a streaming replica of it.

import type { TestContext } from 'node:test'
import { cleanUp, until } from '../../faults/fixtures/embedded.ts'
import { run } from '../../support/environment.ts'
import { startServer, type Server } from '../../support/server.ts'
import { connect } from '../../support/workgate.ts'
import { prepare, startPostgres } from './stage.ts'

export async function startPair(t: TestContext, how: 'synchronous' | 'asynchronous') {
  const primary = await startPostgres(t)
  const { sql, key } = await prepare(t, primary.url('postgres'))
  const replica = await startServer(run().postgresBin, {}, { primary })
  cleanUp(t, () => replica.remove())
  const replicaSql = connect(replica.url('postgres'), { max: 1 })
  cleanUp(t, () => replicaSql.end({ timeout: 1 }))
  if (how === 'synchronous') {
    await sql`alter system set synchronous_standby_names = '*'`
    await sql`select pg_reload_conf()`
  }
  await until('it is replicated', async () => {
    const rows = await sql`
      select from pg_stat_replication where state = 'streaming' and sync_state = ${how.replace(/hronous/, '')}`
    return rows.length === 1
  })
  return { primary, replica, sql, replicaSql, key, url: addressOf('postgres', primary, replica) }
}

/** Returns a URL with several hosts. */
export function addressOf(database: string, ...servers: [Server, ...Server[]]): string {
  const hosts = servers.map((server) => new URL(server.url(database)).host)
  return servers[0].url(database).replace(/@[^/]*/, `@${hosts.join(',')}`)
}
