// changes_since() names the objects that GET /changes returns, so that copies loaded by SQL are exact.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TransactionSql } from 'postgres'
import type { Change, ChangePage } from '../support/change-pages.ts'
import { app, id, insertData, old, web } from '../support/data.ts'
import { chooser } from '../support/random.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { connect, issueKey, type Sql } from '../support/workgate.ts'
import { rounds } from '../support/environment.ts'
import { openInstance } from '../freshness/instances.ts'
import { teams, users } from '../changes/random-writes.ts'
import { createWriter } from '../changes/writer.ts'

const { sql, url } = await suiteDatabase(insertData)
const key = await issueKey(sql, 'changes')
const instance = openInstance(url)
atEnd(() => instance.close())
const other = connect(url, { max: 1 })
atEnd(() => other.end())
await sql`select workgate.begin_epoch()`

async function pageOf(parameters: string) {
  const target = `/changes?limit=1000&${parameters}`
  const { status, body } = await instance.ask('GET', target, { authorization: `Bearer ${key}` })
  assert.equal(status, 200, String(body))
  return JSON.parse(String(body)) as ChangePage
}

const cursor = async (by: Sql | TransactionSql = sql) =>
  (await by`select workgate.changes_cursor() as cursor`)[0]!['cursor'] as string
const changesSince = async (since: string | null, until: string | null = null, by: Sql | TransactionSql = sql) => [
  ...(await by<Row[]>`select * from workgate.changes_since(${since}, ${until})`),
]

interface Row {
  project_id: string
  kind: string
  id: string
  event: string | null
  fields: string[] | null
  at: Date
  channel: string
  actor: Record<string, unknown>
}

const ofRow = ({ project_id, at, ...rest }: Row) =>
  JSON.stringify({ ...rest, projectId: project_id, at: at.toISOString() }, names)
const ofItem = ({ by, ...item }: Change) => JSON.stringify({ ...item, ...by }, names)
const names = ['projectId', 'kind', 'id', 'event', 'fields', 'at', 'channel', 'actor', 'role']

const task = (n: number) => `project_id = '${web}' and id = '${id('task', n)}'`
const title = (n: number) => `update workgate.tasks set title = title || '!' where ${task(n)}`
const replica = 'set session_replication_role = replica'

// prettier-ignore
/** What two sessions do after the cursors were taken; `before` is what the second one does before, in a transaction. */
const writes: [claim: string, count: number, statements: string[], before?: string[], after?: string[]][] = [
  ['nothing',                           0, []],
  ['an update that changes nothing',    0, ['update workgate.tasks set title = title']],
  ['a task that is created',            1, [`insert into workgate.tasks (project_id, id, title) values ('${web}', '${id('task', 50)}', 'New')`]],
  ['several changes of a task',         1, [title(1), `update workgate.tasks set state = 'completed' where ${task(1)}`, `update workgate.tasks set priority = 'high' where ${task(1)}`]],
  ['a task that is created and deleted', 1, [`insert into workgate.tasks (project_id, id, title) values ('${web}', '${id('task', 51)}', 'x')`, `delete from workgate.tasks where ${task(51)}`]],
  ['a deleted task and its contents',   4, [`delete from workgate.tasks where ${task(2)}`]],
  ['a comment and three files',         5, [`update workgate.comments set body = 'x' where id = '${id('comment', 1)}'`, `delete from workgate.files where comment_id = '${id('comment', 2)}'`]],
  ['a renamed user, with watched tasks', 2, [`insert into workgate.task_watchers values ('${web}', '${id('task', 1)}', '${id('user', 4)}') on conflict do nothing`, `update workgate.users set name = 'Renamed' where id = '${id('user', 4)}'`]],
  ['a renamed team',                    3, ["update workgate.teams set name = name || '!'"]],
  ['a renamed tag',                     1, [`insert into workgate.tags (project_id, id, name) values ('${web}', '${web}', 'x')`, `insert into workgate.task_tags values ('${web}', '${id('task', 1)}', '${web}')`, "update workgate.tags set name = 'y'"]],
  ['a replicated tag',                  1, [replica, `update workgate.tags set name = 'z' where id = '${web}'`, 'reset session_replication_role']],
  ['a replicated project',              2, [replica, `insert into workgate.tasks (project_id, id, title, number) values ('${id('project', 50)}', '${id('task', 52)}', 'x', 1)`, `insert into workgate.projects (id, key, name) values ('${id('project', 50)}', 'LATE', 'x')`, 'reset session_replication_role']],
  ['rows that outlive their project',   3, [replica, `delete from workgate.projects where id = '${id('project', 50)}'`, 'reset session_replication_role', `insert into workgate.projects (id, key, name) values ('${id('project', 50)}', 'LATE', 'x')`]],
  ['the key of a project',              4, [`update workgate.projects set key = 'WEX' where id = '${web}'`]],
  ['a key that can access less',        0, [`update workgate.api_keys set project_ids = '{}'`]],
  ['a transaction that was open',       2, [title(1)], [title(3)], ['commit']],
  ['a transaction that stays open',     1, [title(1)], [title(3)]],
  ['a transaction that is rolled back', 1, [title(1)], [title(3)], ['rollback']],
  ['a deleted project',                 1, [`delete from workgate.projects where id = '${old}'`]],
  ['a project that is created again',   4, [`delete from workgate.projects where id = '${app}'`, `insert into workgate.projects (id, key, name) values ('${app}', 'APP', 'Again')`, `insert into workgate.tasks (project_id, id, title) values ('${app}', '${id('task', 53)}', 'x')`, `insert into workgate.boards (project_id, name) values ('${app}', 'x')`]],
]

describe('changes_since() equals GET /changes', { concurrency: false }, () => {
  for (const [claim, count, statements, before = [], after = []] of writes)
    test(claim, async () => {
      if (before.length > 0) await other`begin`
      for (const statement of before) await other.unsafe(statement)
      const since = await cursor()
      const { meta } = await pageOf('from=now')
      await sql.begin(async (sql) => {
        for (const statement of statements) await sql.unsafe(statement)
      })
      for (const statement of after) await other.unsafe(statement)
      const rows = (await changesSince(since)).map(ofRow)
      assert.deepEqual(rows.toSorted(), (await pageOf(`cursor=${meta.cursor}`)).data.map(ofItem).toSorted())
      assert.equal(rows.length, count, rows.join('\n'))
      assert.deepEqual(await changesSince(since, since), [])
      assert.deepEqual(await changesSince(await cursor()), [])
      if (before.length > 0) await other`rollback`
    })
})

test('changes between two cursors do not include later ones', async () => {
  const since = await cursor()
  await sql.unsafe(title(1))
  const until = await cursor()
  await sql.unsafe(title(3))
  assert.deepEqual((await changesSince(since, until)).map(({ id }) => id), [id('task', 1)]) // prettier-ignore
})

test('a cursor does not contain what its transaction writes, before and after', async () => {
  let since = ''
  await sql.begin(async (sql) => {
    await sql.unsafe(title(1))
    await other.unsafe('update workgate.teams set description = name')
    since = await cursor(sql)
    assert.deepEqual(await changesSince(since, null, sql), [])
    await sql.unsafe(title(3))
  })
  assert.equal((await changesSince(since)).length, 2)
})

describe('a cursor is refused', { concurrency: false }, () => {
  const undo = new Error('undo')
  const refused = (
    code: string,
    message: RegExp,
    read: (by: Sql | TransactionSql) => Promise<unknown>,
    ...before: string[]
  ) =>
    assert.rejects(
      sql.begin(async (sql) => {
        for (const statement of before) await sql.unsafe(statement)
        await assert.rejects(read(sql), { code, message, hint: /\.$/ })
        throw undo
      }),
      undo,
    )

  test('if it is malformed', async () => {
    const [epoch, lsn, snapshot] = (await cursor()).split(' ')
    const malformed = [null, '', 'x', `${epoch} ${lsn}`, `x ${lsn} ${snapshot}`, `${epoch} x ${snapshot}`]
    for (const since of [...malformed, `${epoch} ${lsn} 5:4:`, `${epoch} ${lsn} ${snapshot} x`])
      await refused('WG010', /^not a cursor/, (by) => changesSince(since, null, by))
    const since = await cursor()
    await refused('WG010', /^not a cursor/, (by) => changesSince(since, 'x', by))
  })

  test('if it is of another database, or its epoch is lost', async () => {
    const since = await cursor()
    const foreign = since.replace(/^\S+/, web)
    await refused('WG010', /another database/, (by) => changesSince(foreign, null, by))
    await refused('WG010', /another database/, (by) => changesSince(since, foreign, by))
    await refused(
      'WG010',
      /lost commits/,
      (by) => changesSince(since, null, by),
      "insert into workgate.epochs select max(n) + 1, gen_random_uuid(), max(journal), '2020-01-01', '0/1' from workgate.epochs",
    )
  })

  test('if it is of the future', async () => {
    const since = await cursor()
    await sql.begin('isolation level repeatable read', async (sql) => {
      await sql`select`
      await other.unsafe(title(1))
      const later = await cursor(other)
      await assert.rejects(sql.savepoint((sql) => changesSince(since, later, sql)), { code: 'WG010', message: /began before the cursor/ }) // prettier-ignore
    })
  })

  test('if changes since then were dropped', async () => {
    const since = await cursor()
    await sql.unsafe(title(1))
    const [xmin] = since.split(' ')[2]!.split(':')
    await refused('WG010', /too old/, (by) => changesSince(since, null, by), `insert into workgate.journal_horizon values ('${xmin}')`) // prettier-ignore
  })

  for (const statement of ['truncate workgate.files', 'select workgate.touch()'])
    test(`after ${statement}`, async () => {
      const since = await cursor()
      await sql.unsafe(statement)
      await assert.rejects(changesSince(since), { code: 'WG010', message: /table was emptied/ })
      assert.deepEqual(await changesSince(await cursor()), [])
    })

  test('while the epoch of the server is not recorded', async () => {
    await refused('WG009', /restarted/, cursor, 'delete from workgate.epochs')
  })
})

/** What a warehouse keeps of each object. */
const objects = `
  create schema warehouse;
  create view warehouse.objects as
  select o.* from workgate.projects p
  cross join lateral (
    select p.id as project_id, 'project' as kind, p.id, to_jsonb(p) as object
    union all
    select project_id, 'user', u.id, to_jsonb(u) || to_jsonb(m) from workgate.project_members m join workgate.users u on u.id = user_id where project_id = p.id
    union all
    select project_id, 'team', t.id, to_jsonb(t) from workgate.project_teams join workgate.teams t on t.id = team_id where project_id = p.id
    union all
    select project_id, 'board', id, to_jsonb(b) from workgate.boards b where project_id = p.id
    union all
    select project_id, 'stage', id, to_jsonb(s) from workgate.stages s where project_id = p.id
    union all
    select project_id, 'task', id, to_jsonb(t) || jsonb_build_object(
      'key', p.key,
      'tags', array(select name from workgate.task_tags tt join workgate.tags g on g.project_id = p.id and g.id = tag_id where tt.project_id = p.id and task_id = t.id order by name),
      'watchers', array(select name from workgate.task_watchers w join workgate.users u on u.id = user_id where project_id = p.id and task_id = t.id order by name))
    from workgate.tasks t where project_id = p.id
    union all
    select project_id, 'comment', id, to_jsonb(c) || jsonb_build_object(
      'files', array(select f.id || name from workgate.files f where project_id = p.id and comment_id = c.id order by 1))
    from workgate.comments c where project_id = p.id
    union all
    select project_id, 'file', id, to_jsonb(f) from workgate.files f where project_id = p.id
    union all
    select project_id, 'time_entry', id, to_jsonb(e) from workgate.time_entries e where project_id = p.id
    union all
    select project_id, 'document', id, to_jsonb(d) from workgate.documents d where project_id = p.id
  ) o;
  create table warehouse.copy as select * from warehouse.objects limit 0;
  create index on warehouse.copy (project_id, kind, id);
  create table warehouse.state (cursor text);
  insert into warehouse.state values (null)`

/** Loads as the guide says, and returns how many rows of the copy differ from the tables then. */
const load = (sql: Sql) =>
  sql.begin('isolation level repeatable read', async (sql) => {
    // An older snapshot sees an emptied table as empty: no table is emptied now.
    await sql`lock table warehouse.objects in access share mode`
    const [state] = await sql`select cursor, workgate.changes_cursor() as until from warehouse.state`
    const isKnown = await sql
      .savepoint((sql) => sql`create temp table changed on commit drop as select * from workgate.changes_since(${state!['cursor']})`)
      .then(() => true, ({ code }) => assert.equal(code, 'WG010')) // prettier-ignore
    if (isKnown) {
      await sql`delete from warehouse.copy w using changed c where (c.kind, c.event) = ('project', 'deleted') and w.project_id = c.project_id`
      await sql`delete from warehouse.copy w using changed c where (w.project_id, w.kind, w.id) = (c.project_id, c.kind, c.id)`
      await sql`insert into warehouse.copy select o.* from warehouse.objects o where (project_id, kind, id) in (select project_id, kind, id from changed)`
    } else {
      await sql`delete from warehouse.copy`
      await sql`insert into warehouse.copy select * from warehouse.objects`
    }
    await sql`update warehouse.state set cursor = ${state!['until']}`
    const [row] = await sql`
      select
        (select count(*)::int from warehouse.copy) as copied,
        (select count(*)::int from (
          (table warehouse.copy except table warehouse.objects) union all (table warehouse.objects except table warehouse.copy)
        ) d) as differences`
    return { isKnown, copied: row!['copied'] as number, differences: row!['differences'] as number }
  })

test('a copy that is loaded by SQL is exact, whatever is written meanwhile', async () => {
  const { sql, url } = await suiteDatabase()
  await sql.unsafe(objects)
  await sql`insert into workgate.users (id, name) select id, 'User' from unnest(${users}::uuid[]) id`
  await sql`insert into workgate.teams (id, name) select id, 'Team' from unnest(${teams}::uuid[]) id`
  const key = await issueKey(sql, 'writer')
  await sql`select workgate.begin_epoch()`
  const instance = openInstance(url)
  const choice = chooser(7)
  const writers = choice.times(4, () => createWriter(url, [instance], key, 20, choice))
  const counts = { updates: 0, starts: 0, copied: 0 }
  for (let round = rounds(6, 60); round > 0; round--) {
    let isWriting = true
    const writing = Promise.all(writers.map((writer) => writer.write(12))).finally(() => (isWriting = false))
    do {
      const { isKnown, copied, differences } = await load(sql)
      assert.equal(differences, 0, `after ${counts.updates} updates`)
      counts[isKnown ? 'updates' : 'starts']++
      counts.copied = Math.max(counts.copied, copied)
    } while (isWriting)
    await writing
  }
  await Promise.all(writers.map((writer) => writer.close()))
  await instance.close()
  assert.ok(counts.updates > counts.starts && counts.starts > 0 && counts.copied > 50, JSON.stringify(counts))
})
