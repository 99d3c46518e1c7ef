// Real logical replication: rows of one database arrive in another, and a service there returns them.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { migrations } from '../../src/db/schema/migrations.ts'
import { until } from '../faults/fixtures/embedded.ts'
import { id, insertData, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { quiet } from '../support/log.ts'
import { startServer, type Server } from '../support/server.ts'
import { shownTables } from '../support/shown-tables.ts'
import { versionsOf } from '../support/versions.ts'
import { connect, issueKey, startArtifact, withSql, type Sql } from '../support/workgate.ts'

let server: Server
let source: Sql
let target: Sql
let service: Awaited<ReturnType<typeof startArtifact>>
let key: string

before(async () => {
  server = await startServer(run().postgresBin, {
    wal_level: 'logical',
    max_worker_processes: '24',
    max_logical_replication_workers: '20',
    max_sync_workers_per_subscription: '18',
    max_replication_slots: '24',
    max_wal_senders: '24',
    wal_retrieve_retry_interval: '20ms',
  })
  source = await open('source')
  target = await open('target')
  await insertData(source)
  await source`update workgate.tasks set estimate_seconds = 60, state = 'completed' where project_id = ${web}`
  await source`update workgate.tasks set state = 'open' where id = ${id('task', 1)}`
  await source.unsafe(
    `create publication everything for table ${shownTables.map(({ table }) => `workgate.${table}`).join()}`,
  )
  // Within one cluster, a subscription that creates its own slot would wait for itself.
  await source`select pg_create_logical_replication_slot('arrivals', 'pgoutput')`
  await target.unsafe(`
    create subscription arrivals connection '${server.url('source')}' publication everything
    with (create_slot = false, slot_name = 'arrivals')`)
  await until('all tables are copied', async () => {
    // Slots wait for a record of running transactions, which a checkpoint writes.
    await source`checkpoint`
    const [row] = await target`select count(*)::int as n from pg_subscription_rel where srsubstate <> 'r'`
    return row!['n'] === 0
  })
  key = await issueKey(source, 'reader')
  service = await startArtifact({ DATABASE_URL: server.url('target') })
})
after(async () => {
  await service?.close()
  await target?.unsafe('drop subscription if exists arrivals')
  await Promise.all([source, target].map((sql) => sql?.end({ timeout: 1 })))
  await server?.remove()
})

async function open(name: string): Promise<Sql> {
  await withSql(server.url('postgres'), (admin) => admin.unsafe(`create database ${name}`))
  const db = openDatabase({ target: { url: server.url(name) }, poolSize: 1, statementTimeoutMs: 30_000 })
  await migrate(db, migrations, quiet)
  await db.close()
  return connect(server.url(name))
}

/** Waits until everything that the source committed has been applied. */
async function arrived() {
  const [row] = await source`select pg_current_wal_insert_lsn() as lsn`
  await until('all writes have arrived', async () => {
    const [slot] = await source`
      select confirmed_flush_lsn >= ${row!['lsn']}::pg_lsn as done from pg_replication_slots where slot_name = 'arrivals'`
    return slot!['done']
  })
}

/** All columns but the transaction ids, which are those of each database. */
const contents = async (sql: Sql) =>
  Object.fromEntries(
    await Promise.all(
      shownTables.map(async ({ table }) => {
        const rows = await sql.unsafe(`select (to_jsonb(t) - 'xid')::text as row from workgate.${table} t order by 1`)
        return [table, rows.map(({ row }) => row)] as const
      }),
    ),
  )
const wrong = async () =>
  (await target`select p.key, r.kind from workgate.projects p, workgate.recount(p.id, false) r`).map((row) => ({
    ...row,
  }))

describe('replicated rows', { concurrency: false }, () => {
  test('that existed before are copied with their history, and counted', async () => {
    assert.deepEqual(await contents(target), await contents(source))
    assert.deepEqual(await wrong(), [])
  })

  const ask = async (path: string) => (await service.send(`GET ${path}`, { key })).body.data
  const titles = async () =>
    (await ask(`/projects/${web}/tasks?sort=number`)).map((task: { title: string }) => task.title)

  // prettier-ignore
  const changes: [claim: string, change: (sql: Sql) => Promise<unknown>, path: string][] = [
    ['a task is added',            (sql) => sql`insert into workgate.tasks (project_id, title) values (${web}, 'Came')`, `/projects/${web}/tasks`],
    ['a task is completed',        (sql) => sql`update workgate.tasks set state = 'completed' where id = ${id('task', 1)}`, `/projects/${web}/analytics/overview`],
    ['a task is reopened',         (sql) => sql`update workgate.tasks set state = 'open' where id = ${id('task', 1)}`, `/projects/${web}/analytics/overview`],
    ['many tasks are added',       (sql) => sql`insert into workgate.tasks (project_id, title, created_at) select ${web}, 'Many', now() - n * interval '1 hour' from generate_series(1, 300) n`, '/projects/summary'],
    ['a task is tagged',           (sql) => sql`with tag as (insert into workgate.tags (project_id, name) values (${web}, 'old') returning project_id, id) insert into workgate.task_tags select project_id, ${id('task', 1)}, id from tag`, `/projects/${web}/tasks`],
    ['a tag is renamed',           (sql) => sql.begin(async (sql) => { await sql`update workgate.tasks set title = 'Tagged' where id = ${id('task', 1)}`; await sql`update workgate.tags set name = 'new' where name = 'old'` }), `/projects/${web}/tasks?include=tags`],
    ['a tag is deleted',           (sql) => sql`delete from workgate.tags where name = 'new'`, `/projects/${web}/tasks?include=tags`],
    ['a file is attached',         (sql) => sql`insert into workgate.files (project_id, comment_id, name, mime_type, size_bytes, sha256, url) values (${web}, ${id('comment', 1)}, 'x', 'a/b', 1, repeat('0', 64), 'https://x')`, `/projects/${web}/comments`],
    ['a user is renamed',          (sql) => sql`update workgate.users set name = 'Renamed' where id = ${id('user', 1)}`, `/projects/${web}/users`],
    ['documents are deleted',      (sql) => sql`delete from workgate.documents where project_id = ${web}`, `/projects/${web}/documents`],
    ['time entries are truncated', (sql) => sql`truncate workgate.time_entries`, `/projects/${web}/time-entries`],
    ['comments are truncated',     (sql) => sql`truncate workgate.comments cascade`, `/projects/${web}/comments`],
    ['a task is deleted',          (sql) => sql`delete from workgate.tasks where id = ${id('task', 2)}`, `/projects/${web}/tasks`],
    ['tasks are truncated',        (sql) => sql`truncate workgate.tasks cascade`, `/projects/${web}/tasks`],
    ['a project is deleted',       (sql) => sql`delete from workgate.projects where id = ${web}`, '/projects'],
  ]
  for (const [claim, change, path] of changes)
    test(`${claim}: the cached response is replaced, and the tallies are correct`, async () => {
      await arrived()
      const warm = await ask(path)
      const before = await versionsOf(target)
      await change(source)
      await arrived()
      assert.notDeepEqual(await ask(path), warm)
      assert.notDeepEqual(await versionsOf(target), before)
      assert.deepEqual(await contents(target), await contents(source))
      assert.deepEqual(await wrong(), [])
    })

  test('of one transaction appear together, and history that is not replicated is recorded in the target', async () => {
    await source`alter publication everything drop table workgate.task_history`
    await source`insert into workgate.projects (id, key, name) values (${web}, 'WEB', 'again')`
    await source`insert into workgate.tasks (project_id, title) values (${web}, 'One'), (${web}, 'Two')`
    await source.begin(async (sql) => {
      await sql`select set_config('workgate.channel', 'api', true), set_config('workgate.actor', 'first', true)`
      await sql`update workgate.tasks set title = title || '!' where project_id = ${web}`
    })
    await arrived()
    assert.deepEqual(await titles(), ['One!', 'Two!'])
    const rows =
      await target`select version::int, changes, channel, actor from workgate.task_history where project_id = ${web} order by 1, 2`
    assert.deepEqual(rows.map(({ version, changes }) => [version, changes.title?.to ?? changes.state.to]).sort(), [
      [1, 'open'],
      [1, 'open'],
      [2, 'One!'],
      [2, 'Two!'],
    ])
    // The role that applies them, whoever made them in the source.
    for (const { channel, actor } of rows) assert.deepEqual([channel, actor], ['sql', { role: 'workgate' }])
    await source`delete from workgate.tasks where title = 'One!'`
    await arrived()
    const [left] = await target`select count(*)::int as n from workgate.task_history where project_id = ${web}`
    assert.equal(left!['n'], 2)
    assert.deepEqual(await wrong(), [])
  })
})
