// Disturbs the nodes of a database in a Citus cluster: commits of prepared transactions arrive late or not at all, and
// places move from one worker to another.

import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../faults/fixtures/embedded.ts'
import { startProxy, type ConnectionHandler } from '../../faults/fixtures/proxy.ts'
import { serverUrls } from '../../support/places.ts'
import { chooser } from '../../support/random.ts'
import { runEdited, type Edit } from '../../support/edited-build.ts'
import { connect, freshDatabase, type Sql } from '../../support/workgate.ts'

export interface Disturbances {
  /** The share of commits that arrive late, and of those that do not arrive. */
  late?: number
  cut?: number
  moves?: boolean
}

export interface Disturbed {
  late: number
  cut: number
  moves: number
  stop(): Promise<void>
}

/** Runs a checker on a database of its own, and returns its report. */
export async function checkDisturbed<Report>(
  checker: string,
  edits: readonly Edit[],
  load: string,
  disturbances: Disturbances,
): Promise<Report & { disturbed: Disturbed }> {
  const { url, drop } = await freshDatabase()
  const disturbed = await disturb(url, disturbances)
  try {
    return { disturbed, ...(await runEdited<Report>(checker, edits, url, load)) }
  } finally {
    await disturbed.stop().finally(drop)
  }
}

/**
 * Lets the servers of a database reach each other through proxies. They call the function with each commit of a prepared
 * transaction that is sent to a server, and pass it on afterwards, or close the connection instead. Returns the ports of
 * the servers, the coordinator's first.
 */
export async function interceptCommits(sql: Sql, url: string, intercept: (server: string) => Promise<'lost' | void>) {
  const handler =
    (server: string): ConnectionHandler =>
    (client, open) => {
      const upstream = open()
      upstream.pipe(client)
      client.once('close', () => upstream.destroy())
      upstream.once('close', () => client.destroy())
      client.on('data', async (bytes: Buffer) => {
        if (bytes.includes('COMMIT PREPARED')) {
          client.pause()
          if ((await intercept(server)) === 'lost') {
            client.destroy()
            return
          }
          client.resume()
        }
        upstream.write(bytes)
      })
    }
  const servers = serverUrls(url)
  const proxies = await Promise.all(servers.map((server) => startProxy(server, () => server)))
  for (const [n, proxy] of proxies.entries()) proxy.setHandler(handler(servers[n]!))
  const ports = proxies.map((proxy) => Number(new URL(proxy.url).port))
  const nodes = await sql<{ id: number }[]>`select nodeid as id from pg_dist_node order by groupid`
  for (const [n, { id }] of nodes.entries()) await sql`select citus_update_node(${id}, '127.0.0.1', ${ports[n]!})`
  await sql`select start_metadata_sync_to_all_nodes()`
  return {
    ports,
    close() {
      for (const proxy of proxies) proxy.close()
    },
  }
}

export async function disturb(url: string, { late = 0, cut = 0, moves = false }: Disturbances): Promise<Disturbed> {
  const choice = chooser(7)
  let isStopped = false
  const sql = connect(url, { max: 1 })
  const counts = { late: 0, cut: 0, moves: 0 }

  async function disturbCommit(): Promise<'lost' | void> {
    if (isStopped) return
    if (choice.chance(cut)) {
      counts.cut++
      return 'lost'
    }
    if (choice.chance(late)) {
      counts.late++
      await sleep(choice.below(60))
    }
  }

  async function move(sql: Sql) {
    // Without a service, nothing gives the places their triggers.
    await until(
      'a service is connected',
      async () =>
        (
          await sql`select from pg_stat_activity where application_name like 'workgate%' and datname = current_database()`
        ).length > 0 || isStopped,
    )
    while (!isStopped) {
      const places = await sql<{ place: string; port: number }[]>`
        select distinct shardid as place, nodeport as port
        from workgate.projects
        join citus_shards on shardid = get_shard_id_for_distribution_column('workgate.tasks', id)`
      if (places.length === 0) continue
      const { place, port } = choice.pick(places)
      const to = choice.pick(workers.filter((worker) => worker !== port))
      const mode = choice.pick(['block_writes', 'block_writes', 'force_logical'])
      try {
        await sql.begin(async (transaction) => {
          // Others wait for a move that waits for an open transaction.
          await transaction`set local lock_timeout = '1s'`
          await transaction`
            select citus_move_shard_placement(${place}, '127.0.0.1', ${port}, '127.0.0.1', ${to}, ${mode})`
        })
        counts.moves++
      } catch (error) {
        if (!conflict.test((error as Error).message)) throw error
      }
      await sleep(choice.below(500))
    }
  }

  const { ports, close } = await interceptCommits(sql, url, disturbCommit)
  const [, ...workers] = ports
  const moving = moves ? move(sql) : undefined
  return Object.assign(counts, {
    async stop() {
      isStopped = true
      try {
        await moving
        await sql`select recover_prepared_transactions()`
      } finally {
        await sql.end({ timeout: 1 })
        close()
      }
    },
  })
}

/** The errors of a move that meets locks of other transactions. */
const conflict = /deadlock|lock timeout|could not be cleaned up/
