// A cluster that Workgate cannot use stops `workgate distribute` and the start of the service with one sentence, and stays
// as it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onServer, portOf, startCitus } from '../../support/citus.ts'
import { run } from '../../support/environment.ts'
import { atEnd } from '../../support/suite-database.ts'
import { valuesOf } from '../../support/values.ts'
import { command, type Sql } from '../../support/workgate.ts'

const cluster = await startCitus(run().postgresBin!)
atEnd(cluster.remove)
const { coordinator, workers, createDatabase } = cluster
const [worker] = workers as [(typeof workers)[number]]

const distribute = (DATABASE_URL: string, ...args: string[]) => command(['distribute', ...args], { DATABASE_URL })
const serve = (DATABASE_URL: string) => command(['serve'], { DATABASE_URL, PORT: '0' })

let databases = 0
/** Creates an empty database, in which Citus knows all nodes. */
async function newDatabase(): Promise<string> {
  const name = `refused_${++databases}`
  await createDatabase(name)
  return name
}

async function distributed(): Promise<string> {
  const name = await newDatabase()
  const { code, err } = await distribute(coordinator.url(name), '--shards', '4')
  assert.equal(code, 0, err)
  return name
}

const on = <T>(name: string, use: (sql: Sql) => Promise<T>, server = coordinator) => onServer(server, name, use)

async function refuses(ask: typeof distribute, url: string, message: RegExp) {
  const { code, out, err } = await ask(url)
  assert.match(err.replace(/^.*\n(?=workgate: )/s, ''), message)
  assert.equal(code, 1)
  assert.equal(out, '')
}

/** The tables of the service, on the coordinator. */
const tablesIn = async (name: string) =>
  valuesOf(
    await on(name, (sql) => sql`select relname from pg_class where relnamespace = to_regnamespace('workgate')`),
    'relname',
  )

test('without the extension', async () => {
  await onServer(coordinator, 'postgres', (sql) => sql`create database plain`)
  await refuses(distribute, coordinator.url('plain'), /^workgate: the database has no extension Citus: /)
  assert.deepEqual(await tablesIn('plain'), [])
})

test('without workers', async () => {
  await onServer(coordinator, 'postgres', (sql) => sql`create database lonely`)
  await on('lonely', (sql) => sql`create extension citus`)
  await refuses(distribute, coordinator.url('lonely'), /^workgate: the workers do not know the coordinator: run /)
  await on('lonely', (sql) => sql`select citus_set_coordinator_host('127.0.0.1', ${portOf(coordinator)})`)
  await refuses(
    distribute,
    coordinator.url('lonely'),
    /^workgate: the coordinator has no workers: add them with "select /,
  )
  assert.deepEqual(await tablesIn('lonely'), [])
})

test('a worker instead of the coordinator', async () => {
  const name = await distributed()
  for (const ask of [distribute, serve])
    await refuses(ask, worker.url(name), /^workgate: DATABASE_URL is a worker of a Citus cluster: use its coordinator$/)
})

test('a node that is not active', async () => {
  const name = await newDatabase()
  await on(name, async (sql) => {
    await sql`select citus_remove_node('127.0.0.1', ${portOf(worker)})`
    await sql`select citus_add_inactive_node('127.0.0.1', ${portOf(worker)})`
  })
  await refuses(distribute, coordinator.url(name), /^workgate: the node 127\.0\.0\.1:\d+ is not active: run "select /)
  assert.deepEqual(await tablesIn(name), [])
})

test('other versions on a node', async () => {
  const isOther = (sql: Sql) => sql`update pg_extension set extversion = '13.2-0' where extname = 'citus'`
  const empty = await newDatabase()
  await on(empty, isOther, worker)
  await refuses(distribute, coordinator.url(empty), /^workgate: the node 127\.0\.0\.1:\d+ has Citus 13\.2-0 on /)
  assert.deepEqual(await tablesIn(empty), [])
  const name = await distributed()
  await on(name, isOther, worker)
  for (const ask of [distribute, serve])
    await refuses(
      ask,
      coordinator.url(name),
      /^workgate: the node 127\.0\.0\.1:\d+ has Citus 13\.2-0 on PostgreSQL 15, and the coordinator Citus 13\.2-1 on PostgreSQL 15: all need the same versions$/,
    )
})

test('tables that are distributed only in part', async () => {
  const name = await newDatabase()
  const { code, err } = await command(['migrate'], { DATABASE_URL: coordinator.url(name) })
  assert.equal(code, 0, err)
  await on(name, async (sql) => {
    await sql`create table workgate.others (id uuid primary key)`
    await sql`select create_reference_table('workgate.others')`
  })
  for (const ask of [distribute, serve])
    await refuses(ask, coordinator.url(name), /^workgate: only a part of the tables is distributed: not api_key_uses, /)
})

test('a service that uses the database', async () => {
  const name = await newDatabase()
  await on(name, async (sql) => {
    await sql`set application_name = workgate`
    await refuses(distribute, coordinator.url(name), /^workgate: a service uses the database: stop it, /)
  })
  const distributed = await on(name, (sql) => sql`select from pg_dist_partition`)
  assert.equal(distributed.length, 0)
})

test('wrong options and settings', async () => {
  for (const [environment, args, message] of [
    [
      { DATABASE_URL: coordinator.url('plain') },
      ['--shards', '0'],
      /^workgate: --shards must be an integer between 1 and 1024\n/,
    ],
    [
      { DATABASE_URL: coordinator.url('plain') },
      ['--shard'],
      /^workgate: unknown option --shard; did you mean --shards\?\n/,
    ],
    [
      { DATABASE_URL: coordinator.url('plain'), DATABASE_POOLER: 'transaction' },
      [],
      /^workgate: distribute needs a database session: /,
    ],
    [
      { DATA_DIR: '/nowhere' },
      [],
      /^workgate: distribute needs a Citus cluster: set DATABASE_URL to the database on its coordinator$/,
    ],
  ] satisfies [Record<string, string>, string[], RegExp][]) {
    const { code, err } = await command(['distribute', ...args], environment)
    assert.match(err, message)
    assert.equal(code, 2)
  }
})
