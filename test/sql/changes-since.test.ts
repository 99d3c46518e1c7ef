// changes_since() names the objects that GET /changes returns, so that copies loaded by SQL are exact.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Change, ChangePage } from '../support/change-pages.ts'
import { app, id, insertData, old, web } from '../support/data.ts'
import { chooser } from '../support/random.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { connect, issueKey, type Sql } from '../support/workgate.ts'
import { run } from '../support/environment.ts'
import { openInstance } from '../freshness/instances.ts'
import { projects, teams, users } from '../changes/random-writes.ts'
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

const cursor = async (by = sql) => (await by`select workgate.changes_cursor() as cursor`)[0]!['cursor'] as string
const changesSince = async (since: string | null, until: string | null = null, by = sql) => [
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
  ['a comment and a file',              2, [`update workgate.comments set body = 'x' where id = '${id('comment', 1)}'`, `delete from workgate.comment_files where comment_id = '${id('comment', 2)}'`]],
  ['a renamed user, with watched tasks', 4, [`insert into workgate.task_watchers values ('${web}', '${id('task', 1)}', '${id('user', 4)}') on conflict do nothing`, `update workgate.users set name = 'Renamed' where id = '${id('user', 4)}'`]],
  ['a renamed team',                    1, ["update workgate.teams set name = name || '!'"]],
  ['a renamed tag',                     1, [`insert into workgate.tags (project_id, id, name) values ('${web}', '${web}', 'x')`, `insert into workgate.task_tags values ('${web}', '${id('task', 1)}', '${web}')`, "update workgate.tags set name = 'y'"]],
  ['a replicated tag',                  1, [replica, `update workgate.tags set name = 'z' where id = '${web}'`, 'reset session_replication_role']],
  ['a replicated project',              2, [replica, `insert into workgate.tasks (project_id, id, title, number) values ('${id('project', 50)}', '${id('task', 52)}', 'x', 1)`, `insert into workgate.projects (id, key, name) values ('${id('project', 50)}', 'LATE', 'x')`, 'reset session_replication_role']],
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
  const refused = (code: string, message: RegExp, read: (by: Sql) => Promise<unknown>, ...before: string[]) =>
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
    await refused('WG010', /not visible/, (by) => changesSince(foreign, null, by))
    await refused('WG010', /not visible/, (by) => changesSince(since, foreign, by))
    await refused(
      'WG010',
      /not visible/,
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
      await assert.rejects(sql.savepoint((sql) => changesSince(since, later, sql)), { code: 'WG010', message: /not visible/ }) // prettier-ignore
    })
  })

  test('if changes since then were dropped', async () => {
    const since = await cursor()
    await sql.unsafe(title(1))
    const [xmin] = since.split(' ')[2]!.split(':')
    await refused('WG010', /not known/, (by) => changesSince(since, null, by), `insert into workgate.journal_horizon values ('${xmin}')`) // prettier-ignore
  })

  for (const statement of ['truncate workgate.comment_files', 'select workgate.touch()'])
    test(`after ${statement}`, async () => {
      const since = await cursor()
      await sql.unsafe(statement)
      await assert.rejects(changesSince(since), { code: 'WG010', message: /not known/ })
      assert.deepEqual(await changesSince(await cursor()), [])
    })

  test('while the epoch of the server is not recorded', async () => {
    await refused('WG009', /restarted/, cursor, 'delete from workgate.epochs')
  })
})
