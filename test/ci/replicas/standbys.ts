// A primary with standbys, and disturbances of the standbys.

import { setTimeout as sleep } from 'node:timers/promises'
import { succeeds, until } from '../../faults/fixtures/embedded.ts'
import { run } from '../../support/environment.ts'
import { chooser } from '../../support/random.ts'
import { startServer, type Server } from '../../support/server.ts'
import { command, withSql, type Sql } from '../../support/workgate.ts'

export interface Cluster {
  primary: Server
  standbys: readonly Server[]
  /** The setting DATABASE_REPLICAS for a database. */
  replicasOf(database: string): string
  /** Creates a database with the schema on all servers, and returns its name. */
  createDatabase(): Promise<string>
  remove(): Promise<void>
}

const template = 'template_workgate'

export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const bin = run().postgresBin
  const primary = await startServer(bin, settings)
  const servers = [primary]
  try {
    const DATABASE_URL = primary.url(template)
    await withSql(primary.url('postgres'), async (sql) => {
      await sql.unsafe(`create database ${template}`)
      await sql.unsafe(`create role workgate_api login password '${new URL(DATABASE_URL).password}'`)
    })
    await command(['migrate'], { DATABASE_URL })
    const { out: grants } = await command(['grants'], { DATABASE_URL })
    await withSql(DATABASE_URL, (sql) => sql.unsafe(grants))
    for (let n = 0; n < 2; n++) servers.push(await startServer(bin, settings, { primary }))
  } catch (error) {
    await removeAll(servers)
    throw error
  }
  const standbys = servers.slice(1)
  return {
    primary,
    standbys,
    replicasOf: (database) => standbys.map((standby) => standby.url(database)).join(','),
    async createDatabase() {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
      await withSql(primary.url('postgres'), (sql) => sql.unsafe(`create database ${name} template ${template}`))
      for (const standby of standbys) await until('the standby has the database', () => has(standby, name))
      return name
    },
    remove: () => removeAll(servers),
  }
}

async function removeAll(servers: readonly Server[]) {
  for (const server of servers.toReversed()) await server.remove()
}

const has = (server: Server, database: string): Promise<boolean> =>
  withSql(server.url('postgres'), async (sql) => {
    return (await sql`select from pg_database where datname = ${database}`).length > 0
  })

interface Disturbance {
  stop(): Promise<void>
  kills: number
  /** The number of statements that were cancelled because they delayed the replay. */
  conflicts: number
}

/**
 * Until it is stopped, pauses the replay of the standbys for moments, kills one now and then, and locks a table, which
 * cancels statements on the standbys.
 */
export function disturb({ primary, standbys }: Cluster, database: string): Disturbance {
  const choice = chooser(7)
  let isStopped = false
  const disturbance = {
    kills: 0,
    conflicts: 0,
    async stop() {
      isStopped = true
      await Promise.all(loops)
    },
  }

  /** The replay can cancel these statements, too. */
  const run = async (server: Server, statement: (sql: Sql) => Promise<unknown>) =>
    until('the standby is disturbed', () => succeeds(withSql(server.url('postgres'), statement)))

  async function pauseAndKill(standby: Server) {
    while (!isStopped) {
      for (let turns = 10 + choice.below(60); turns > 0 && !isStopped; turns--) {
        await run(standby, (sql) => sql`select pg_wal_replay_pause()`)
        await sleep(choice.below(60))
        await run(standby, (sql) => sql`select pg_wal_replay_resume()`)
        await sleep(choice.below(200))
      }
      // The statistics do not survive a crash.
      await run(standby, async (sql) => {
        const [row] = await sql`
          select sum(confl_lock + confl_snapshot + confl_bufferpin)::int as count
          from pg_stat_database_conflicts
          where datname = ${database}`
        disturbance.conflicts += row!['count']
      })
      if (isStopped) return
      disturbance.kills++
      await standby.stop('SIGKILL')
      // The last process of the killed server may still be running.
      await until('the standby starts', () => succeeds(standby.start()))
    }
  }

  async function lock() {
    await withSql(primary.url(database), async (sql) => {
      while (!isStopped) {
        await sql.begin((transaction) => transaction`lock table workgate.comments in access exclusive mode`)
        await sleep(choice.below(100))
      }
    })
  }

  const loops = [...standbys.map(pauseAndKill), lock()]
  return disturbance
}
