// Tags and watchers belong to their task, and files to their comment: changing them changes the task or the comment.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { id, insertData, web } from '../support/data.ts'
import { rounds } from '../support/environment.ts'
import { chooser } from '../support/random.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'
import { connect } from '../support/workgate.ts'

const database = await suiteDatabase(insertData)
const { sql } = database

const tasks = [id('task', 1), id('task', 2), id('task', 3)] as const
const users = [id('user', 1), id('user', 2), id('user', 3)] as const
const tags = { a: id('board', 101), b: id('board', 102), c: id('board', 103) }
type TagName = keyof typeof tags

const tag = (task: number, ...names: TagName[]) =>
  `insert into workgate.task_tags values ${names.map((name) => `('${web}', '${tasks[task]}', '${tags[name]}')`).join()}`
const untag = (task: number, name: TagName) =>
  `delete from workgate.task_tags where task_id = '${tasks[task]}' and tag_id = '${tags[name]}'`
const watch = (task: number, user: number) =>
  `insert into workgate.task_watchers values ('${web}', '${tasks[task]}', '${users[user]}')`
const setTag = (name: TagName, set: string) => `update workgate.tags set ${set} where id = '${tags[name]}'`
const retitle = (task: number, title: string) =>
  `update workgate.tasks set title = '${title}' where id = '${tasks[task]}'`
const linked = (task: number) => `select '${web}'::uuid, '${tasks[task]}'::uuid, id from workgate.tags`

const tagged = (from: string, to: string) => ({ tags: { from: [...from], to: [...to] } })
const watched = (from: number[], to: number[]) => ({
  watcherIds: { from: from.map((n) => users[n]), to: to.map((n) => users[n]) },
})

/** Task 0 has the tags a and b and is watched by user 0; task 1 has the tag b; task 2 has neither. */
async function reset() {
  await sql.begin(async (sql) => {
    await sql`delete from workgate.tags`
    await sql`delete from workgate.task_watchers`
    await sql`insert into workgate.project_members ${sql(users.map((user_id) => ({ project_id: web, user_id })))} on conflict do nothing`
    await sql`insert into workgate.tags ${sql(Object.entries(tags).map(([name, tag]) => ({ project_id: web, id: tag, name })))}`
    for (const link of [tag(0, 'a', 'b'), tag(1, 'b'), watch(0, 0)]) await sql.unsafe(link)
  })
}

const versions = async () =>
  (
    await sql`select version::int from workgate.tasks where project_id = ${web} and id = any (${[...tasks]}) order by id`
  ).map((row) => row['version'] as number)

/** Returns the entries that a change adds to the history of each task, and checks that each raises the version by one. */
async function entriesOf(change: () => Promise<unknown>): Promise<object[][]> {
  const before = await versions()
  const [{ now }] = (await sql`select workgate.present() as now`) as unknown as [{ now: Date }]
  await change()
  const found = await Promise.all(
    tasks.map(
      (task, n) =>
        sql`select version::int, at, changes from workgate.task_history where project_id = ${web} and task_id = ${task} and version > ${before[n]!} order by version`,
    ),
  )
  const rows =
    await sql`select version::int, updated_at from workgate.tasks where project_id = ${web} and id = any (${[...tasks]}) order by id`
  for (const [n, entries] of found.entries()) {
    assert.deepEqual(
      valuesOf(entries, 'version'),
      entries.map((_, i) => before[n]! + 1 + i),
    )
    assert.equal(rows[n]!['version'], before[n]! + entries.length)
    const last = entries.at(-1)
    if (last) assert.deepEqual([rows[n]!['updated_at'], last['at'] >= now], [last['at'], true])
  }
  return found.map((entries) => entries.map((entry) => entry['changes'] as object))
}

const inTransaction = (statements: string[]) => () =>
  sql.begin(async (sql) => {
    for (const statement of statements) await sql.unsafe(statement)
  })

// prettier-ignore
const changes: [claim: string, statements: string[], ...entries: object[][]][] = [
  ['adding a tag',                      [tag(2, 'c')],                                           [], [], [tagged('', 'c')]],
  ['adding tags, sorted by name',       [tag(1, 'c', 'a')],                                      [], [tagged('b', 'abc')], []],
  ['removing a tag',                    [untag(0, 'b')],                                         [tagged('ab', 'a')], [], []],
  ['adding a watcher',                  [watch(0, 1)],                                           [watched([0], [0, 1])], [], []],
  ['removing watchers',                 [`delete from workgate.task_watchers`],                  [watched([0], [])], [], []],
  ['replacing a tag',                   [`update workgate.task_tags set tag_id = '${tags.c}' where tag_id = '${tags.a}'`], [tagged('ab', 'bc')], [], []],
  ['moving a tag to another task',      [`update workgate.task_tags set task_id = '${tasks[2]}' where tag_id = '${tags.a}'`], [tagged('ab', 'b')], [], [tagged('', 'a')]],
  ['moving a watcher to another task',  [`update workgate.task_watchers set task_id = '${tasks[2]}'`], [watched([0], [])], [], [watched([], [0])]],
  ['renaming a tag',                    [setTag('b', `name = 'z'`)],                             [tagged('ab', 'az')], [tagged('b', 'z')], []],
  ['renaming several tags at once',     [`update workgate.tags set name = upper(name)`],          [tagged('ab', 'AB')], [tagged('b', 'B')], []],
  ['a new color of a tag',              [setTag('b', `color = '#123456'`)],                      [tagged('ab', 'ab')], [tagged('b', 'b')], []],
  ['deleting a tag',                    [`delete from workgate.tags where name = 'b'`],          [tagged('ab', 'a')], [tagged('b', '')], []],
  ['deleting several tags at once',     [`delete from workgate.tags where name < 'c'`],          [tagged('ab', '')], [tagged('b', '')], []],
  ['deleting a member who watches',     [watch(1, 2), `delete from workgate.project_members where user_id = '${users[2]}'`], [], [watched([], [])], []],
  ['renaming a tag after adding it',    [tag(2, 'c'), setTag('c', `name = 'z'`)],                [], [], [tagged('', 'z')]],
  ['adding a tag after renaming it',    [setTag('c', `name = 'z'`), tag(2, 'c')],                [], [], [tagged('', 'z')]],
  ['several statements',                [tag(0, 'c'), watch(0, 1), untag(0, 'a'), setTag('c', `name = 'z'`), watch(0, 2)], [{ ...tagged('ab', 'bz'), ...watched([0], [0, 1, 2]) }], [], []],
  ['statements in savepoints',          [tag(2, 'a'), 'savepoint one', tag(2, 'b'), 'release one', 'savepoint two', tag(2, 'c'), 'rollback to two'], [], [], [tagged('', 'ab')]],
  ['a change that is undone',           [untag(0, 'a'), tag(0, 'a')],                            [tagged('ab', 'ab')], [], []],
  ['updating the task before its tags', [retitle(2, 'New'), tag(2, 'c')],                        [], [], [{ title: { from: 'Three', to: 'New' }, ...tagged('', 'c') }]],
  ['updating the task after its tags',  [tag(2, 'c'), retitle(2, 'Three')],                      [], [], [tagged('', 'c'), { title: { from: 'New', to: 'Three' } }]],
  ['updating the task without a change', [`update workgate.tasks set title = title`, tag(2, 'c')], [], [], [tagged('', 'c')]],
  ['replacing all tags in one statement', [`with gone as (delete from workgate.task_tags where task_id = '${tasks[0]}' returning *)
                                            insert into workgate.task_tags ${linked(0)} where name > 'a' and 2 = (select count(*) from gone)`], [tagged('ab', 'bc')], [], []],
  ['merging tags',                      [`merge into workgate.task_tags t using (${linked(0)}) as g (project_id, task_id, tag_id)
                                            on (t.project_id, t.task_id, t.tag_id) = (g.project_id, g.task_id, g.tag_id)
                                            when matched then delete when not matched then insert values (g.project_id, g.task_id, g.tag_id)`], [tagged('ab', 'c')], [], []],
  ['a tag that is already there',       [`${tag(0, 'a')} on conflict do nothing`],               [], [], []],
  ['updates without a change',          [`update workgate.task_tags set tag_id = tag_id`, `update workgate.task_watchers set user_id = user_id`, `update workgate.tags set name = name`], [], [], []],
  ['renaming and deleting an unused tag', [setTag('c', `name = 'z'`), `delete from workgate.tags where name = 'z'`], [], [], []],
  ['renaming a user',                   [`update workgate.users set name = name || '!'`],         [], [], []],
  ['truncating tags and watchers',      ['truncate workgate.task_tags, workgate.task_watchers'], [], [], []],
]

describe('a task', { concurrency: false }, () => {
  for (const [claim, statements, ...expected] of changes) {
    const count = expected.flat().length
    test(`gets ${count === 0 ? 'no entry' : `a version and an entry for ${count === 1 ? 'it' : 'each'}`}: ${claim}`, async () => {
      await reset()
      assert.deepEqual(await entriesOf(inTransaction(statements)), expected)
    })
  }

  test('created with tags and watchers has version 1 and one entry, and keeps the times it is given', async () => {
    await reset()
    const task = id('task', 90)
    const link = `update workgate.tasks set title = title where id = '${task}'; insert into workgate.task_tags values ('${web}', '${task}', '${tags.a}')`
    await inTransaction([
      `insert into workgate.tasks (project_id, id, title, created_at, updated_at) values ('${web}', '${task}', 'x', '2020-01-01', '2020-01-02')`,
      'savepoint here',
      link,
      setTag('a', `name = 'z'`),
      `insert into workgate.task_watchers values ('${web}', '${task}', '${users[0]}')`,
    ])()
    const [created] = await sql`
      select version::int, updated_at::date::text, (select count(*)::int from workgate.task_history where task_id = ${task}) as entries
      from workgate.tasks where id = ${task}`
    assert.deepEqual({ ...created }, { version: 1, updated_at: '2020-01-02', entries: 1 })
    await sql`delete from workgate.task_tags where task_id = ${task}`
    const [changed] = await sql`
      select t.version::int, h.changes from workgate.tasks t join workgate.task_history h on h.task_id = t.id and h.version = t.version
      where t.id = ${task}`
    assert.deepEqual({ ...changed }, { version: 2, changes: tagged('z', '').tags && { tags: { from: ['z'], to: [] } } })
    await sql`delete from workgate.tasks where id = ${task}`
  })

  test('is deleted with its tags and watchers, by itself or with its project', async () => {
    const project = id('project', 77)
    await inTransaction([
      `insert into workgate.projects (id, key, name) values ('${project}', 'GONE', 'x')`,
      `insert into workgate.project_members (project_id, user_id) values ('${project}', '${users[0]}')`,
      `insert into workgate.tags (project_id, id, name) values ('${project}', '${tags.a}', 'a')`,
      `insert into workgate.tasks (project_id, title) select '${project}', 'x' from generate_series(1, 3)`,
      `insert into workgate.task_tags select project_id, id, '${tags.a}' from workgate.tasks where project_id = '${project}'`,
      `insert into workgate.task_watchers select project_id, id, '${users[0]}' from workgate.tasks where project_id = '${project}'`,
    ])()
    await sql`delete from workgate.tasks where project_id = ${project} and number = 1`
    await sql`delete from workgate.projects where id = ${project}`
    const rest = await sql`
      select project_id from workgate.task_history where project_id = ${project}
      union all select project_id from workgate.tallies where project_id = ${project}
      union all select project_id from workgate.tally_deltas where project_id = ${project}`
    assert.deepEqual([...rest], [])
  })

  test('has correct tallies after all of this', async () => {
    assert.deepEqual([...(await sql`select * from workgate.recount(${web}, false)`)], [])
  })

  test('is changed for a writer with privileges only on tags, under its name', async () => {
    await reset()
    const written = sql.begin(async (sql) => {
      await sql`create role tagger`
      await sql`grant usage on schema workgate to tagger`
      await sql`grant select, insert, update, delete on workgate.tags, workgate.task_tags to tagger`
      await sql`set local role tagger`
      await sql.unsafe(tag(2, 'c'))
      await sql.unsafe(setTag('b', `name = 'z'`))
      await sql`delete from workgate.tags`
      await sql`set local role workgate`
      const entries = await sql`
        select h.actor ->> 'role' as role, h.changes from workgate.task_history h join workgate.tasks t on t.id = h.task_id and t.version = h.version
        where t.id = any (${[...tasks]}) order by t.id`
      throw new Error(JSON.stringify(entries.map(({ role, changes }) => [role, changes])))
    })
    const message = JSON.stringify(
      [tagged('ab', ''), tagged('b', ''), tagged('', '')].map(({ tags }) => [
        'tagger',
        { tags: { to: tags.to, from: tags.from } },
      ]),
    )
    await assert.rejects(written, { message })
  })
})

describe('the tags of many tasks', { concurrency: false }, () => {
  test('are renamed in one pass: each table is written by one statement', async () => {
    const project = id('project', 78)
    await inTransaction([
      `insert into workgate.projects (id, key, name) values ('${project}', 'MANY', 'x')`,
      `insert into workgate.tags (project_id, id, name) values ('${project}', '${tags.a}', 'a')`,
      `insert into workgate.tasks (project_id, title) select '${project}', 'x' from generate_series(1, 500)`,
      `insert into workgate.task_tags select project_id, id, '${tags.a}' from workgate.tasks where project_id = '${project}'`,
      `create table public.statements (on_table text)`,
      `create function public.note() returns trigger language plpgsql as $$ begin insert into public.statements values (tg_table_name); return null; end $$`,
      `create trigger z_note after update on workgate.tasks for each statement execute function public.note()`,
      `create trigger z_note after insert on workgate.task_history for each statement execute function public.note()`,
    ])()
    await sql`update workgate.tags set name = 'b' where project_id = ${project}`
    await sql`delete from workgate.tags where project_id = ${project}`
    const rows = await sql`select on_table, count(*)::int as n from public.statements group by 1 order by 1`
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { on_table: 'task_history', n: 2 },
        { on_table: 'tasks', n: 2 },
      ],
    )
    const [row] = await sql`
      select min(t.version)::int as version, count(distinct h.changes)::int as kinds, count(*)::int as entries
      from workgate.tasks t join workgate.task_history h on h.project_id = t.project_id and h.task_id = t.id where t.project_id = ${project}`
    assert.deepEqual({ ...row }, { version: 3, kinds: 3, entries: 1500 })
    await sql`drop function public.note() cascade`
    await sql`drop table public.statements`
  })
})

describe('a comment', { concurrency: false }, () => {
  const comment = id('comment', 1)
  const other = id('comment', 2)
  const file = (n: number, of = comment) =>
    `insert into workgate.files (project_id, id, comment_id, name, mime_type, size_bytes, sha256, url) values ('${web}', '${id('file', n)}', '${of}', 'x', 'a/b', 1, repeat('0', 64), 'https://x')`
  const past = new Date('2020-01-01')

  /** Returns which comments have a new updated_at, without any other change. */
  async function touchedBy(statements: string[]) {
    await sql.begin(async (sql) => {
      await sql`alter table workgate.comments disable trigger user`
      await sql`update workgate.comments set updated_at = ${past}`
      await sql`alter table workgate.comments enable trigger comments_maintain`
      await sql`select workgate.enable_triggers()`
    })
    await inTransaction(statements)()
    const rows = await sql`select id from workgate.comments where updated_at > ${past} order by id`
    return rows.map((row) => row['id'] as string)
  }

  test('restored with the transaction id of another cluster still gets a new updated_at', async () => {
    await sql`
      insert into workgate.comments (project_id, task_id, body, updated_at, xid)
      select ${web}, ${tasks[0]}, 'restored', ${past}, (pg_current_xact_id()::text::bigint + n)::text::xid8
      from generate_series(1, 300) n`
    const [comment] = await sql.begin(async (sql) => {
      const own = await sql`select id from workgate.comments where xid = pg_current_xact_id()`
      await sql.unsafe(file(90, own[0]!['id'] as string))
      return own
    })
    const [row] = await sql`select updated_at > ${past} as touched from workgate.comments where id = ${comment!['id']}`
    assert.ok(row!['touched'])
    await sql`delete from workgate.comments where body = 'restored'`
  })

  // prettier-ignore
  for (const [claim, statements, ...touched] of [
    ['gets a new updated_at with a file',           [file(70)], comment],
    ['gets it even if the same transaction saved the comment unchanged', [`update workgate.comments set body = body where id = '${comment}'`, file(71)], comment],
    ['gets it when a file changes',                 [`update workgate.files set name = 'y' where id = '${id('file', 70)}'`], comment],
    ['gets it when a file moves, as does the other', [`update workgate.files set comment_id = '${other}' where id = '${id('file', 70)}'`], comment, other],
    ['gets it when a file is deleted',              [`delete from workgate.files where id = '${id('file', 71)}'`], comment],
    ['keeps it if no file changes',                 [`update workgate.files set name = name`, `delete from workgate.files where false`]],
    ['keeps the one that it was inserted with',     [
      `insert into workgate.comments (project_id, id, task_id, body, updated_at) values ('${web}', '${id('comment', 75)}', '${tasks[0]}', 'x', '2019-01-01')`,
      'savepoint here', file(75, id('comment', 75))]],
    ['is deleted with its files',                   [`delete from workgate.comments where id = '${id('comment', 75)}'`]],
  ] as const)
    test(claim, async () => assert.deepEqual(await touchedBy([...statements]), touched))
})

// prettier-ignore
const races: [claim: string, first: string[], second: string[], ...entries: object[][]][] = [
  ['two tags for a task',                    [tag(2, 'a')], [tag(2, 'b')],                                     [], [], [tagged('', 'a'), tagged('a', 'ab')]],
  ['a tag and a watcher for a task',         [tag(2, 'a')], [watch(2, 0)],                                     [], [], [tagged('', 'a'), watched([], [0])]],
  ['a tag and another change of the task',   [tag(2, 'a')], [retitle(2, 'Raced')],                             [], [], [tagged('', 'a'), { title: { from: 'Three', to: 'Raced' } }]],
  ['a change of a task and a tag for it',    [retitle(2, 'Three')], [tag(2, 'a')],                             [], [], [{ title: { from: 'Raced', to: 'Three' } }, tagged('', 'a')]],
  ['a tag that is then renamed',             [tag(2, 'c')], [setTag('c', `name = 'z'`)],                       [], [], [tagged('', 'c'), tagged('c', 'z')]],
  ['a renamed tag that is then added',       [setTag('c', `name = 'z'`)], [tag(2, 'c')],                       [], [], [tagged('', 'z')]],
  ['a removed tag that is then renamed',     [untag(1, 'b')], [setTag('b', `name = 'z'`)],                     [tagged('ab', 'az')], [tagged('b', '')], []],
  ['a renamed tag that is then removed',     [setTag('b', `name = 'z'`)], [untag(1, 'b')],                     [tagged('ab', 'az')], [tagged('b', 'z'), tagged('z', '')], []],
  ['a tag that is then deleted',             [tag(2, 'c')], [`delete from workgate.tags where name = 'c'`],    [], [], [tagged('', 'c'), tagged('c', '')]],
  ['two tags that are deleted',              [`delete from workgate.tags where name = 'a'`], [`delete from workgate.tags where name = 'b'`], [tagged('ab', 'b'), tagged('b', '')], [tagged('b', '')], []],
]

describe('concurrent transactions', { concurrency: false }, () => {
  /** Runs both transactions, and commits the first when the second waits for it. */
  const race = async (first: string[], second: string[]) => {
    const [one, two] = [connect(database.url, { max: 1 }), connect(database.url, { max: 1 })]
    const [{ pid }] = (await two`select pg_backend_pid() as pid`) as unknown as [{ pid: number }]
    for (const statement of ['begin', ...first]) await one.unsafe(statement)
    const blocked = two.begin(async (sql) => {
      for (const statement of second) await sql.unsafe(statement)
    })
    let hasEnded = false
    const ended = blocked.catch(() => {}).finally(() => (hasEnded = true))
    const isBlocked = async () =>
      (await sql`select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`).length > 0
    while (!hasEnded && !(await isBlocked()));
    const waited = !hasEnded
    await one`commit`
    await ended
    await Promise.all([one.end(), two.end()])
    await blocked
    assert.ok(waited, 'the second transaction waits for the first')
  }

  for (const [claim, first, second, ...expected] of races)
    test(`${claim}: the history shows the changes in the order of their commits`, async () => {
      await reset()
      assert.deepEqual(await entriesOf(() => race(first, second)), expected)
    })

  test('a new task whose tag is then renamed gets a second version', async () => {
    await reset()
    const task = id('task', 91)
    await race(
      [
        `insert into workgate.tasks (project_id, id, title) values ('${web}', '${task}', 'x')`,
        `insert into workgate.task_tags values ('${web}', '${task}', '${tags.c}')`,
      ],
      [setTag('c', `name = 'z'`)],
    )
    const entries = await sql`select changes from workgate.task_history where task_id = ${task} order by version`
    assert.deepEqual(valuesOf(entries, 'changes'), [{ state: { from: null, to: 'open' } }, tagged('c', 'z')])
    await sql`delete from workgate.tasks where id = ${task}`
  })

  test('a tag changes only at an isolation level that shows all tasks that have it', async () => {
    await reset()
    const rename = (level: string) =>
      sql.begin(`isolation level ${level}`, (sql) => sql.unsafe(setTag('a', `name = 'z'`)))
    for (const level of ['repeatable read', 'serializable'])
      await assert.rejects(rename(level), { code: 'WG008', message: /read committed/ })
  })

  test('a tag that is being deleted cannot be added', async () => {
    await reset()
    await assert.rejects(race([`delete from workgate.tags where name = 'c'`], [tag(2, 'c')]), { code: '23503' })
  })

  test('on many tasks in any order neither deadlock nor lose a change', { timeout: 120_000 }, async () => {
    const project = id('project', 79)
    const many = Array.from({ length: 12 }, (_, n) => id('task', 200 + n))
    await inTransaction([
      `insert into workgate.projects (id, key, name) values ('${project}', 'RACES', 'x')`,
      `insert into workgate.tasks (project_id, id, title) select '${project}', id, 'x' from unnest('{${many.join()}}'::uuid[]) id`,
    ])()
    const clients = await Promise.all(
      [0, 1, 2, 3].map(async (n) => {
        const [own, user] = [id('board', 200 + n), id('user', 200 + n)]
        await sql`insert into workgate.users ${sql({ id: user, name: 'x', email: `${n}@races.example.org` })}`
        await sql`insert into workgate.project_members ${sql({ project_id: project, user_id: user })}`
        await sql`insert into workgate.tags ${sql({ project_id: project, id: own, name: `tag ${n}` })}`
        return { n, own, user, sql: connect(database.url, { max: 1 }) }
      }),
    )
    // Each client uses a tag and a user of its own, so that only the tasks are contested.
    await Promise.all(
      clients.map(async ({ n, own, user, sql }) => {
        const choice = chooser(n)
        for (let step = 0; step < rounds(25, 250); step++) {
          const tasks = [...new Set([choice.pick(many), ...choice.some(many, 12)])]
          const operations = [
            sql`insert into workgate.task_tags select ${project}, id, ${own} from unnest(${tasks}::uuid[]) id on conflict do nothing`,
            sql`delete from workgate.task_tags where tag_id = ${own} and task_id = any (${tasks})`,
            sql`insert into workgate.task_watchers select ${project}, id, ${user} from unnest(${tasks}::uuid[]) id on conflict do nothing`,
            sql`delete from workgate.task_watchers where user_id = ${user} and task_id = any (${tasks})`,
            sql`update workgate.tags set name = ${`tag ${n} ${step}`} where id = ${own}`,
            sql`update workgate.tasks set state = case state when 'open' then 'completed' else 'open' end where id = ${tasks[0]!}`,
          ]
          await choice.pick(operations)
        }
        await sql.end()
      }),
    )
    for (const task of many) {
      const history =
        await sql`select version::int, changes from workgate.task_history where task_id = ${task} order by version`
      const [now] = await sql`
        select
          array(select g.name from workgate.task_tags tt join workgate.tags g on g.id = tt.tag_id where tt.task_id = t.id order by lower(g.name) collate "C") as tags,
          array(select w.user_id::text from workgate.task_watchers w where w.task_id = t.id order by 1) as "watcherIds",
          t.version::int
        from workgate.tasks t where t.id = ${task}`
      const lists: Record<string, string[]> = { tags: [], watcherIds: [] }
      for (const { changes } of history)
        for (const [field, list] of Object.entries(lists)) {
          if (!(field in changes)) continue
          assert.deepEqual(changes[field].from, list, 'each change begins where the one before ended')
          lists[field] = changes[field].to
        }
      assert.deepEqual({ ...lists, version: history.length }, { ...now })
    }
    assert.deepEqual([...(await sql`select * from workgate.recount(${project}, false)`)], [])
  })
})
