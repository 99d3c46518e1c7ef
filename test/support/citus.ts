// Starts a Citus cluster for tests: a coordinator and workers, each with the same databases.

import { distributeDatabase } from '../../src/commands/distribute/distribute-database.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { untracked } from '../../src/runtime/progress.ts'
import { quiet } from './log.ts'
import { startServer, type Server } from './server.ts'
import { withSql, type Sql } from './workgate.ts'
import grantsSql from '../../sql/roles/workgate-api.sql'

export interface CitusCluster {
  bin: string
  coordinator: Server
  workers: Server[]
  /** All of them, the coordinator first. */
  servers: Server[]
  /** Creates a database in which Citus knows all nodes. */
  createDatabase(name: string): Promise<void>
  remove(): Promise<void>
}

const workerCount = 2

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '400',
  max_prepared_transactions: '400',
  // Each database has a process of Citus.
  max_worker_processes: '150',
  shared_buffers: '64MB',
  'citus.enable_statistics_collection': 'off',
  'citus.recover_2pc_interval': '2s',
  // As workgate distribute sets them, for copies of a database.
  'citus.propagate_set_commands': 'local',
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.node_conninfo': 'sslmode=prefer',
}

export async function startCitus(bin: string, more: Record<string, string> = {}): Promise<CitusCluster> {
  const servers: Server[] = []
  const remove = async () => {
    for (const server of servers) await server.remove()
  }
  try {
    for (let n = 0; n <= workerCount; n++) servers.push(await startServer(bin, { ...settings, ...more }))
  } catch (error) {
    await remove()
    throw error
  }
  const [coordinator, ...workers] = servers as [Server, ...Server[]]
  return {
    bin,
    coordinator,
    workers,
    servers,
    remove,
    async createDatabase(name) {
      for (const server of servers) {
        await onServer(server, 'postgres', (sql) => sql.unsafe(`create database ${name}`))
        await onServer(server, name, (sql) => sql`create extension citus`)
      }
      await onServer(coordinator, name, async (sql) => {
        await sql`select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`
        for (const worker of workers) await sql`select citus_add_node('127.0.0.1', ${portOf(worker)})`
      })
    },
  }
}

export const portOf = (server: Server) => Number(new URL(server.url('')).port)

export const onServer = <T>(server: Server, database: string, use: (sql: Sql) => Promise<T>) =>
  withSql(server.url(database), use)

/** Starts another worker, and adds it to the cluster of a database. */
export async function addWorker(cluster: CitusCluster, database: string): Promise<Server> {
  const worker = await startServer(cluster.bin, settings)
  cluster.servers.push(worker)
  await onServer(worker, 'postgres', (sql) => sql.unsafe(`create database ${database}`))
  await onServer(worker, database, (sql) => sql`create extension citus`)
  await onServer(cluster.coordinator, database, (sql) => sql`select citus_add_node('127.0.0.1', ${portOf(worker)})`)
  return worker
}

/** Makes template_workgate, of which databases are copied on each server. */
export async function makeDistributedTemplate({ servers, coordinator, createDatabase }: CitusCluster, least: boolean) {
  const name = 'template_workgate'
  for (const server of servers) {
    await onServer(server, 'postgres', async (sql) => {
      const { password } = new URL(server.url(''))
      await sql.unsafe(`create role workgate_api login password '${password}'`)
      // As in the template of one server.
      await sql`alter role workgate set search_path = ''`
    })
  }
  await createDatabase(name)
  const url = coordinator.url(name)
  const db = openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 30_000 })
  await migrate(db, migrations, quiet)
  if (least) await db.session((session) => session.script(grantsSql))
  await db.close()
  await distributeDatabase({ url }, 8, untracked)
  // Citus keeps connections open, so that nothing could be copied.
  for (const server of servers) {
    await server.stop()
    await server.start()
  }
}
