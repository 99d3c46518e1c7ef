// Standbys that are killed, that hang, that lag and that follow another history: all requests succeed, on other servers.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, test, type TestContext } from 'node:test'
import { startLoad } from '../faults/fault-load.ts'
import { project, startService } from '../faults/stage.ts'
import { addressOf } from '../faults/replicas.ts'
import { until, succeeds } from '../../faults/fixtures/embedded.ts'
import { insertData } from '../../support/data.ts'
import { refusingPort, startServer, type Server } from '../../support/server.ts'
import { command, issueKey } from '../../support/workgate.ts'
import { run } from '../../support/environment.ts'
import { startCluster, withSql } from './standbys.ts'

const cluster = await startCluster()
const [first, second] = cluster.standbys as [Server, Server]
after(cluster.remove)

const nameOf = (server: Server) => new URL(server.url('postgres')).host

/** Starts the service on a new database, with requests that never stop, and waits until both standbys serve reads. */
async function startWithLoad(t: TestContext, settings: (database: string) => Record<string, string> = () => ({})) {
  const database = await cluster.createDatabase()
  const url = cluster.primary.url(database)
  const key = await withSql(url, async (sql) => {
    await insertData(sql)
    return issueKey(sql, 'load')
  })
  const lines: string[] = []
  const DATABASE_REPLICAS = cluster.replicasOf(database)
  const METRICS_LISTEN = '127.0.0.1:0'
  const environment = { DATABASE_URL: url, DATABASE_REPLICAS, METRICS_LISTEN, ...settings(database) }
  const service = await startService(t, environment, lines)
  const { url: metricsUrl } = lines.map((line) => JSON.parse(line)).find(({ message }) => message === 'serving metrics')

  /** The value of a metric for each server. */
  async function metric(name: string): Promise<Record<string, number>> {
    const text = await (await fetch(metricsUrl)).text()
    const samples = text.matchAll(new RegExp(`^${name}\\{server="(.*)"\\} (\\d+)$`, 'gm'))
    return Object.fromEntries([...samples].map(([, server, value]) => [server, Number(value)]))
  }

  const load = startLoad(t, { url: () => service.url, key, project })
  const serves = (server: Server) => async () => {
    const before = (await metric('workgate_reads_total'))[nameOf(server)]!
    await load.untilRead(20)
    return (await metric('workgate_reads_total'))[nameOf(server)]! > before
  }
  const isUsable = async (server: Server) => (await metric('workgate_replica_usable'))[nameOf(server)] === 1
  for (const standby of cluster.standbys) await until('both standbys serve reads', serves(standby))
  return { database, url, load, serves, isUsable, metric }
}

/** Compares the load with the primary. No request was refused. */
async function check(fault: string, { load, url }: Awaited<ReturnType<typeof startWithLoad>>) {
  await withSql(url, (sql) => load.check(fault, sql))
  assert.equal(load.refused(), 0, 'no request was refused')
}

test('a standby is killed, and serves reads again after its start', async (t) => {
  const running = await startWithLoad(t)
  for (let n = 0; n < 2; n++) {
    await first.stop('SIGKILL')
    await until('it is not used', async () => !(await running.isUsable(first)))
    await running.load.untilServed(20)
    await until('it starts', () => succeeds(first.start()))
    await until('it serves reads', running.serves(first))
  }
  await check('a standby is killed, 2 times', running)
})

test('a standby hangs', async (t) => {
  const running = await startWithLoad(t)
  const processes = await processesOf(first)
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  try {
    await until('it is not used', async () => !(await running.isUsable(first)))
    await running.load.untilServed(20)
  } finally {
    for (const pid of processes) process.kill(pid, 'SIGCONT')
  }
  await until('it serves reads', running.serves(first))
  await check('a standby hangs', running)
})

test('standbys lag', async (t) => {
  const running = await startWithLoad(t)
  for (const standby of cluster.standbys)
    await withSql(standby.url(running.database), (sql) => sql`select pg_wal_replay_pause()`)
  const before = await running.metric('workgate_reads_total')
  await running.load.untilServed(50)
  const during = await running.metric('workgate_reads_total')
  const lag = await running.metric('workgate_replica_lag_bytes')
  for (const standby of cluster.standbys)
    await withSql(standby.url(running.database), (sql) => sql`select pg_wal_replay_resume()`)
  assert.ok(during['primary']! > before['primary']!)
  for (const value of Object.values(lag)) assert.ok(value > 0, `they lag by ${value} bytes`)
  for (const standby of cluster.standbys) await until('both serve reads', running.serves(standby))
  await check('the replay of both standbys is paused', running)
})

test('a server in DATABASE_REPLICAS that is no replica of the database ends the start', async (t) => {
  const database = await cluster.createDatabase()
  const other = await startServer(run().postgresBin)
  t.after(() => other.remove())
  const DATABASE_URL = cluster.primary.url(database)
  const cases: [replica: string, message: RegExp][] = [
    [cluster.primary.url(database), /DATABASE_REPLICAS is not a standby$/],
    [other.url('postgres'), /DATABASE_REPLICAS belongs to another cluster than DATABASE_URL$/],
    [first.url('postgres'), /DATABASE_REPLICAS names the database "postgres", but DATABASE_URL "test_/],
  ]
  for (const [DATABASE_REPLICAS, message] of cases) {
    const { code, err } = await command(['serve'], { DATABASE_URL, DATABASE_REPLICAS, PORT: '0' })
    assert.equal(code, 1)
    assert.match(err, message)
    assert.doesNotMatch(err, /secret/)
  }
})

test('a replica that cannot be reached does not', async (t) => {
  const database = await cluster.createDatabase()
  const lines: string[] = []
  const unreachable = cluster.primary.url(database).replace(/:\d+\//, `:${await refusingPort()}/`)
  await startService(t, { DATABASE_URL: cluster.primary.url(database), DATABASE_REPLICAS: unreachable }, lines)
  const messages = lines.map((line) => JSON.parse(line))
  assert.ok(
    messages.some(({ message, problem }) => message === 'a replica cannot be reached' && /refused/.test(problem)),
  )
})

test('after a failover, a standby serves reads once it follows the new primary', async (t) => {
  const running = await startWithLoad(t, (database) => ({ DATABASE_URL: addressOf(database, cluster.primary, first) }))
  const { database, load, metric, serves } = running
  await cluster.primary.stop('SIGKILL')
  await load.untilRefused(20)
  await withSql(first.url(database), (sql) => sql`select pg_promote()`)
  await load.untilServed(20)
  // It follows the history of the old primary, whose positions are higher than those of the new one.
  const before = await metric('workgate_reads_total')
  await until('the new epoch is known', () =>
    withSql(first.url(database), async (sql) => (await sql`select from workgate.epochs`).length === 2),
  )
  await load.untilServed(50)
  const { [nameOf(second)]: served } = await metric('workgate_reads_total')
  assert.equal(served, before[nameOf(second)])
  const { hostname, port, username, password } = new URL(first.url(database))
  await withSql(second.url(database), async (sql) => {
    const address = `host=${hostname} port=${port} user=${username} password=${password}`
    await sql.unsafe(`alter system set primary_conninfo = '${address}'`)
    await sql`select pg_reload_conf()`
  })
  await until('it serves reads', serves(second))
  await withSql(first.url(database), (sql) => load.check('failover with two standbys', sql))
})

/** The postmaster and its children. */
async function processesOf(server: Server): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const children = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === server.pid() ? [Number(pid)] : []
    }),
  )
  return [server.pid(), ...children.flat()]
}
