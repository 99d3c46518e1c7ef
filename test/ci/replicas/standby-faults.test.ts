// Standbys that are killed, that hang, that lag and that follow another history: all requests succeed, on other servers.

import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { startLoad } from '../faults/fault-load.ts'
import { project, startService, startWithMetrics } from '../faults/stage.ts'
import { addressOf } from '../faults/replicas.ts'
import { until, succeeds } from '../../faults/fixtures/embedded.ts'
import { insertData } from '../../support/data.ts'
import { withFindings } from '../../support/doctor.ts'
import { refusingPort, startServer, suspend, type Server } from '../../support/server.ts'
import { startPooler } from '../../support/pooler.ts'
import { asLeast, command, issueKey, withSql } from '../../support/workgate.ts'
import { run } from '../../support/environment.ts'
import { startCluster } from './standbys.ts'

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
  const DATABASE_REPLICAS = cluster.replicasOf(database)
  const { service, metric } = await startWithMetrics(t, { DATABASE_URL: url, DATABASE_REPLICAS, ...settings(database) })
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

/** What the doctor says about the replicas. */
async function examine(DATABASE_URL: string, DATABASE_REPLICAS: string): Promise<string> {
  const { out } = await command(['doctor', '--json'], { DATABASE_URL, DATABASE_REPLICAS })
  return withFindings(out).line('replicas')
}

/** Compares the load with the primary. No request was refused. */
async function check(fault: string, { load, url }: Awaited<ReturnType<typeof startWithLoad>>) {
  await withSql(url, (sql) => load.check(fault, sql))
  assert.equal(load.refused(), 0, 'no request was refused')
}

test('a standby is killed, and serves reads again after its start', async (t) => {
  const running = await startWithLoad(t, () => ({ WORKERS: '2' }))
  const { database, url } = running
  assert.match(await examine(url, cluster.replicasOf(database)), /^ok: 2 replicas can serve reads; at most \d+ bytes/)
  for (let n = 0; n < 2; n++) {
    await first.stop('SIGKILL')
    await until('it is not used', async () => !(await running.isUsable(first)))
    await running.load.untilServed(20)
    assert.match(
      await examine(url, cluster.replicasOf(database)),
      /^warning: 127\.0\.0\.1:\d+: the database cannot be reached: connection refused/,
    )
    await until('it starts', () => succeeds(first.start()))
    await until('it serves reads', running.serves(first))
  }
  await check('a standby is killed, 2 times', running)
})

test('a standby hangs', async (t) => {
  const running = await startWithLoad(t, (database) => ({
    DATABASE_URL: asLeast(cluster.primary.url(database)),
    DATABASE_REPLICAS: cluster.replicasOf(database).split(',').map(asLeast).join(),
  }))
  const resume = await suspend(first)
  try {
    await until('it is not used', async () => !(await running.isUsable(first)))
    await running.load.untilServed(20)
  } finally {
    resume()
  }
  await until('it serves reads', running.serves(first))
  await check('a standby hangs', running)
})

test('a read on a standby that hangs runs on the primary before its connections are closed', async (t) => {
  const database = await cluster.createDatabase()
  const url = cluster.primary.url(database)
  const key = await withSql(url, (sql) => issueKey(sql, 'reader'))
  const { service, metric } = await startWithMetrics(t, { DATABASE_URL: url, DATABASE_REPLICAS: first.url(database) })
  let days = 0
  const readNew = () =>
    service.send(`GET /projects?updatedAfter=${new Date(86_400_000 * ++days).toISOString()}`, { key })
  const valueOf = async (name: string) => (await metric(name))[nameOf(first)]!
  await until('it serves reads', async () => {
    await readNew()
    return (await valueOf('workgate_reads_total')) > 0
  })
  const inTime: boolean[] = []
  for (let n = 0; n < 7; n++) {
    // Its connection then knows that the standby has replayed everything, and sends the next statement without asking.
    await readNew()
    const resume = await suspend(first)
    const { status } = await readNew()
    assert.equal(status, 200)
    inTime.push((await valueOf('workgate_replica_usable')) === 1)
    resume()
    await until('it is used', async () => (await valueOf('workgate_replica_usable')) === 1)
  }
  assert.ok(inTime.filter(Boolean).length > 3, `in time: ${inTime.join(', ')}`)
})

test('standbys lag behind a primary that is reached through PgBouncer', async (t) => {
  const pooler = await startPooler(cluster.primary.url('postgres'))
  t.after(() => pooler.remove())
  const pooled = (database: string) => ({
    DATABASE_URL: pooler.through(cluster.primary.url(database)),
    DATABASE_POOLER: 'transaction',
  })
  const running = await startWithLoad(t, pooled)
  for (const standby of cluster.standbys)
    await withSql(standby.url(running.database), (sql) => sql`select pg_wal_replay_pause()`)
  const before = await running.metric('workgate_reads_total')
  await writeLog(running.url)
  await running.load.untilServed(50)
  assert.match(
    await examine(running.url, cluster.replicasOf(running.database)),
    /^warning: .* has not replayed the last \d\d MB of the log; .* has not replayed/,
  )
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
    [other.url('postgres'), /DATABASE_REPLICAS is not a copy of the server of DATABASE_URL$/],
    [first.url('postgres'), /DATABASE_REPLICAS names the database "postgres", but DATABASE_URL "test_/],
  ]
  for (const [DATABASE_REPLICAS, message] of cases) {
    const { code, err } = await command(['serve'], { DATABASE_URL, DATABASE_REPLICAS, PORT: '0' })
    assert.equal(code, 1)
    assert.match(err, message)
    assert.doesNotMatch(err, /secret/)
    assert.match(
      await examine(DATABASE_URL, DATABASE_REPLICAS),
      new RegExp(`^fault: .*${message.source.replace('$', '\\.')}`),
    )
  }
})

test('a replica that cannot be reached, or lacks the schema, does not, and the log says why it is not used', async (t) => {
  const database = `empty_${crypto.randomUUID().replaceAll('-', '')}`
  await withSql(cluster.primary.url('postgres'), (sql) => sql.unsafe(`create database ${database}`))
  await until('the standby has it', () => succeeds(withSql(first.url(database), (sql) => sql`select`)))
  await withSql(first.url(database), (sql) => sql`select pg_wal_replay_pause()`)
  const lines: string[] = []
  const unreachable = cluster.primary.url(database).replace(/:\d+\//, `:${await refusingPort()}/`)
  const DATABASE_REPLICAS = [unreachable, first.url(database)].join()
  await startService(t, { DATABASE_URL: cluster.primary.url(database), DATABASE_REPLICAS }, lines)
  const isLogged = (code: string) =>
    lines
      .map((line) => JSON.parse(line))
      .some(({ message, cause }) => message === 'replica is not used' && cause.code === code)
  await until('both are logged', async () => isLogged('ECONNREFUSED') && isLogged('42P01'))
  await withSql(first.url(database), (sql) => sql`select pg_wal_replay_resume()`)
  await until('it is used', async () => lines.some((line) => line.includes('"replica is used"')))
})

test('after a failover, a standby that follows another history serves no reads', async (t) => {
  const { primary, standbys, ...cluster } = await startCluster()
  t.after(cluster.remove)
  const [promoted, other] = standbys as [Server, Server]
  const database = await cluster.createDatabase()
  const key = await withSql(primary.url(database), async (sql) => {
    await insertData(sql)
    return issueKey(sql, 'load')
  })
  const DATABASE_URL = addressOf(database, primary, promoted)
  const { service, metric } = await startWithMetrics(t, { DATABASE_URL, DATABASE_REPLICAS: other.url(database) })
  const readsOf = async (server: Server) => (await metric('workgate_reads_total'))[nameOf(server)]!

  /** Creates a task, and reads its number. */
  async function createAndRead() {
    const body = JSON.stringify({ title: 'New' })
    const headers = { 'content-type': 'application/json' }
    const { body: created, status } = await service.send(`POST /projects/${project}/tasks`, { key, headers, body })
    if (status !== 201) return false
    const list = await service.send(`GET /projects/${project}/tasks?sort=-number&limit=1`, { key })
    assert.equal(list.body.data[0].number, created.data.number)
    return true
  }

  await until('the standby serves reads', async () => (await createAndRead()) && (await readsOf(other)) > 0)
  // It receives 20 MB of the log that the other one does not.
  await withSql(promoted.url(database), async (sql) => {
    await sql`alter system set primary_conninfo = ''`
    await sql`select pg_reload_conf()`
    await until('it receives nothing', async () => (await sql`select from pg_stat_wal_receiver`).length === 0)
  })
  await writeLog(primary.url(database))
  const written = await withSql(primary.url(database), (sql) => sql`select pg_current_wal_insert_lsn()::text as lsn`)
  await until('it has replayed that', () =>
    withSql(other.url(database), async (sql) => {
      const [row] = await sql`select pg_last_wal_replay_lsn() >= ${written[0]!['lsn']}::pg_lsn as done`
      return row!['done']
    }),
  )
  await primary.stop('SIGKILL')
  await withSql(promoted.url(database), (sql) => sql`select pg_promote()`)
  await until('writes succeed', createAndRead)
  const before = await readsOf(other)
  await until('the new epoch is known', async () => {
    assert.ok(await createAndRead())
    return withSql(promoted.url(database), async (sql) => (await sql`select from workgate.epochs`).length === 2)
  })
  for (let n = 0; n < 50; n++) assert.ok(await createAndRead())
  assert.equal(await readsOf(other), before)
  assert.match(await examine(promoted.url(database), other.url(database)), /^warning: .* follows another history/)
})

test('after a failover, a standby serves reads again when it follows the new primary', async (t) => {
  await first.stop()
  await first.start({ cluster_name: 'one' })
  await withSql(cluster.primary.url('postgres'), async (sql) => {
    await sql`alter system set synchronous_standby_names = 'one'`
    await sql`select pg_reload_conf()`
  })
  const running = await startWithLoad(t, (database) => ({ DATABASE_URL: addressOf(database, cluster.primary, first) }))
  const { database, load, serves } = running
  // Otherwise it may have received more of the log than the server that is promoted, and cannot follow it.
  await second.stop()
  await load.untilServed(20)
  await cluster.primary.stop('SIGKILL')
  await load.untilRefused(20)
  await withSql(first.url(database), (sql) => sql`select pg_promote()`)
  await load.untilServed(20)
  await second.start()
  const { hostname, port, username, password } = new URL(first.url(database))
  await withSql(second.url(database), async (sql) => {
    const address = `host=${hostname} port=${port} user=${username} password=${password}`
    await sql.unsafe(`alter system set primary_conninfo = '${address}'`)
    await sql`select pg_reload_conf()`
  })
  await until('it serves reads', serves(second))
  await withSql(first.url(database), (sql) => load.check('failover with two standbys', sql))
})

/** Writes 20 MB into the log. */
async function writeLog(url: string) {
  const megabyte = "pg_logical_emit_message(false, 'test', repeat('x', 1048576))"
  await withSql(url, (sql) => sql.unsafe(`select ${megabyte} from generate_series(1, 20)`))
}
