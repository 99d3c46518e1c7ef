// Rows from logical replication (session_replication_role = replica) are handled like those of any other writer.
// replication.test.ts tests a real subscription.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { directory, keyScopeOf } from '../../src/api/freshness/freshness.ts'
import { app, id, insertData, web } from '../support/data.ts'
import { key, moved, movedKey, project, shownChanges, shownTables } from '../support/shown-tables.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { raisedBy } from '../support/versions.ts'
import { type Sql } from '../support/workgate.ts'

const { sql } = await suiteDatabase(insertData)

const replicate = (...statements: string[]) =>
  sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    // Triggers compact at random, which would leave nothing to count. With this seed they do not.
    await sql`select setseed(0)`
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await sql.unsafe(statement)).map((row) => ({ ...row }))
    return rows
  })

const wrong = async (project: string) =>
  (await sql`select kind, key, part, counted_n, n from workgate.recount(${project}, false)`).map((row) => ({ ...row }))
const rowsOf = async (table: string, project: string) =>
  Number((await sql.unsafe(`select count(*) as n from workgate.${table} where project_id = '${project}'`))[0]!['n'])
const history = async (task: string) =>
  (
    await sql`
      select version::int, channel, changes from workgate.task_history
      where project_id = ${web} and task_id = ${task} order by version`
  ).map((row) => ({ ...row }))

describe('freshness', { concurrency: false }, () => {
  for (const { claim, change, scopes } of shownChanges)
    test(`${claim} raises the versions of its scopes`, async () =>
      assert.deepEqual(await raisedBy(sql, () => replicate(change)), scopes))
  test('updating a row twice raises a version once', async () => {
    const update = `update workgate.boards set name = name where id = '${id('board', 1)}'`
    assert.deepEqual(await raisedBy(sql, () => replicate(update, update)), [web])
  })
  for (const { table } of shownTables)
    test(`truncating ${table} raises the version of the directory`, async () => {
      const raised = sql.begin(async (sql) => {
        await sql`set local session_replication_role = replica`
        const raised = await raisedBy(sql as unknown as Sql, () => sql.unsafe(`truncate workgate.${table} cascade`))
        throw new Error(raised.join())
      })
      await assert.rejects(raised, { message: directory })
    })

  test('moving a row to another project, or changing the id of a project or key, raises both versions', async () => {
    await replicate(`insert into workgate.tags (project_id, id, name) values ('${web}', '${web}', 'x')`)
    const move = `update workgate.tags set project_id = '${app}' where id = '${web}'`
    assert.deepEqual(await raisedBy(sql, () => replicate(move)), [web, app])
    await sql`insert into workgate.projects (id, key, name) values (${project}, 'MOVES', 'x')`
    const rename = `update workgate.projects set id = '${moved}' where id = '${project}'`
    assert.deepEqual(await raisedBy(sql, () => replicate(rename)), [project, moved])
    await sql`insert into workgate.api_keys (id, name, key_hash, scope_mode, operations) values (${key}, 'x', sha256('x'), 'all_projects', '{}')`
    const renameKey = `update workgate.api_keys set id = '${movedKey}' where id = '${key}'`
    assert.deepEqual(await raisedBy(sql, () => replicate(renameKey)), [key, movedKey].map(keyScopeOf))
  })
})

const t = (n: number) => `project_id = '${web}' and id = '${id('task', n)}'`
const e = (n: number) => `project_id = '${web}' and id = '${id('timeEntry', n)}'`
const spend = (task: number | null) =>
  `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at) values ('${web}', ${task === null ? 'null' : `'${id('task', task)}'`}, '${id('user', 1)}', '2026-01-01', '2026-01-01T10:00Z', '2026-01-01T11:00Z')`

// prettier-ignore
const changes: [claim: string, ...statements: string[]][] = [
  ['inserting a task',                 `insert into workgate.tasks (project_id, id, title, number, estimate_seconds) values ('${web}', '${id('task', 60)}', 'x', 60, 60)`],
  ['completing a task',                `update workgate.tasks set state = 'completed', completed_at = '2026-05-01', version = 7 where ${t(60)}`],
  ['spending time on a task',          spend(60)],
  ['changing a completion time',       `update workgate.tasks set completed_at = '2026-06-01' where ${t(60)}`],
  ['removing an estimate',             `update workgate.tasks set estimate_seconds = null where ${t(60)}`],
  ['estimating a task again',          `update workgate.tasks set estimate_seconds = 90 where ${t(60)}`],
  ['reopening a task',                 `update workgate.tasks set state = 'open', completed_at = null where ${t(60)}`],
  ['estimating another task',          `update workgate.tasks set estimate_seconds = 30 where ${t(1)}`],
  ['cancelling a task',                `update workgate.tasks set state = 'cancelled' where ${t(1)}`],
  ['moving an entry to another task',  `update workgate.time_entries set task_id = '${id('task', 60)}' where ${e(1)}`],
  ['spending time on no task',         spend(null)],
  ['moving entries to no task',        `update workgate.time_entries set task_id = null where task_id = '${id('task', 60)}'`],
  ['moving an entry from no task',     `update workgate.time_entries set task_id = '${id('task', 60)}' where ${e(1)}`],
  ['extending an entry',               `update workgate.time_entries set ended_at = ended_at + interval '1 day' where ${e(1)}`],
  ['deleting an entry',                `delete from workgate.time_entries where ${e(2)}`],
  ['deleting entries of no task',      `delete from workgate.time_entries where project_id = '${web}' and task_id is null`],
  ['stopping a timer',                 `update workgate.time_entries set ended_at = now() where ended_at is null`],
  ['inserting a comment and a document', `insert into workgate.comments (project_id, task_id, body) values ('${web}', '${id('task', 1)}', 'x')`, `insert into workgate.documents (project_id, path, title, markdown) values ('${web}', 'new', 'x', 'x')`],
  ['deleting comments and documents',  `delete from workgate.comments where project_id = '${web}'`, `delete from workgate.documents where project_id = '${web}'`],
  ['replacing a member',               `insert into workgate.project_members (project_id, user_id) values ('${web}', '${id('user', 5)}')`, `delete from workgate.project_members where project_id = '${web}' and user_id = '${id('user', 2)}'`],
  ['inserting entries before their task', spend(61), `insert into workgate.tasks (project_id, id, title, estimate_seconds, state) values ('${web}', '${id('task', 61)}', 'x', 60, 'completed')`],
  ['inserting many rows',              `insert into workgate.tasks (project_id, title, due_date) select '${web}', 'many', date '2026-01-01' + n % 50 from generate_series(1, 600) n`],
  ['changing many rows',               `update workgate.tasks set state = 'completed' where title = 'many'`],
  ['deleting many rows',               `delete from workgate.tasks where title = 'many'`],
  ['deleting a task and its entries',  `delete from workgate.tasks where ${t(60)}`, `delete from workgate.time_entries where project_id = '${web}' and task_id = '${id('task', 60)}'`],
]

describe('tallies', { concurrency: false }, () => {
  for (const [claim, ...statements] of changes)
    test(`${claim} is counted`, async () => {
      await sql`select workgate.compact_tallies(${web})`
      await replicate(...statements)
      assert.ok((await rowsOf('tally_deltas', web)) + (await rowsOf('effort_marks', web)) > 0)
      assert.deepEqual(await wrong(web), [])
      await sql`select workgate.compact_tallies(${web})`
      assert.deepEqual(await wrong(web), [])
    })

  for (const table of ['comments', 'documents', 'time_entries', 'task_history', 'project_members', 'tasks'])
    test(`truncating ${table} clears its tallies`, async () => {
      const undone = sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`
        await tx.unsafe(
          `insert into workgate.comments (project_id, task_id, body) values ('${web}', '${id('task', 2)}', 'x')`,
        )
        await tx.unsafe(
          `insert into workgate.documents (project_id, path, title, markdown) values ('${web}', 'new', 'x', 'x')`,
        )
        await tx.unsafe(`truncate workgate.${table} cascade`)
        const [row] = await tx`select count(*)::int as n from workgate.recount(${web}, false)`
        throw new Error(`${row!['n']} wrong tallies`)
      })
      await assert.rejects(undone, { message: '0 wrong tallies' })
    })

  const late = id('project', 70)
  const task = `insert into workgate.tasks (project_id, id, title, estimate_seconds) values ('${late}', '${id('task', 70)}', 'x', 5)`
  const entry = spend(70).replaceAll(web, late)
  const row = `insert into workgate.projects (id, key, name) values ('${late}', 'LATE', 'x')`
  const gone = ['projects where id', 'tasks where project_id', 'time_entries where project_id'].map(
    (which) => `delete from workgate.${which} = '${late}'`,
  )
  const kept = ['tallies', 'tally_deltas', 'task_efforts', 'effort_marks', 'task_counters', 'task_history']

  for (const [claim, removal] of [
    ['before them', gone],
    ['after them', gone.toReversed()],
  ] as const)
    test(`a project inserted after its rows and deleted ${claim} has correct tallies and leaves none`, async () => {
      for (const statement of [entry, task, row]) {
        await replicate(statement)
        await sql`select workgate.compact_tallies(${late})`
        assert.deepEqual(await wrong(late), [])
      }
      assert.ok((await rowsOf('tallies', late)) > 0)
      await replicate(gone[0]!, row)
      assert.deepEqual(await wrong(late), [], 'its rows stay when the project is deleted and inserted again')
      await replicate(...removal)
      await sql`select workgate.compact_tallies(${late})`
      for (const table of kept) assert.equal(await rowsOf(table, late), 0, table)
    })
})

describe('history', { concurrency: false }, () => {
  const task = id('task', 2)
  const entry = (version: number, changes: string) =>
    `insert into workgate.task_history (project_id, task_id, version, channel, actor, changes) values ('${web}', '${task}', ${version}, 'theirs', '{}', '${changes}')`
  const reopen = '{"state": {"from": "completed", "to": "open"}}'

  test('is recorded if the source sends none', async () => {
    await replicate(`update workgate.tasks set title = 'Other', version = 5 where ${t(2)}`)
    const last = (await history(task)).at(-1)
    assert.deepEqual(last, { version: 5, channel: 'sql', changes: { title: { from: 'Two', to: 'Other' } } })
  })

  const complete = `update workgate.tasks set state = 'completed', completed_at = now(), version = version + 1 where ${t(2)}`
  const open = `update workgate.tasks set state = 'open', completed_at = null, version = version + 1 where ${t(2)}`
  for (const [claim, statements, version] of [
    ['that arrives later replaces the recorded entry', [complete, open, entry(7, reopen)], 7],
    ['that arrives first is kept', [entry(9, reopen), complete, open], 9],
    ['that arrives twice is stored once', [complete, open, entry(11, reopen), entry(11, reopen)], 11],
  ] as const)
    test(`an entry of the source ${claim}, and counts once`, async () => {
      await replicate(...statements)
      const found = (await history(task)).filter((row) => row['version'] === version)
      assert.deepEqual(found, [{ version, channel: 'theirs', changes: JSON.parse(reopen) }])
      assert.deepEqual(await wrong(web), [])
    })

  test('and version come from the source if tags or watchers change', async () => {
    const before = await history(task)
    await replicate(
      `insert into workgate.tags (project_id, id, name) values ('${web}', '${task}', 'x')`,
      `insert into workgate.task_tags values ('${web}', '${task}', '${task}')`,
      `insert into workgate.task_watchers values ('${web}', '${task}', '${id('user', 1)}')`,
      `update workgate.tags set name = 'y' where id = '${task}'`,
      `delete from workgate.task_tags where tag_id = '${task}'`,
      `delete from workgate.tags where id = '${task}'`,
      `delete from workgate.task_watchers where task_id = '${task}'`,
    )
    assert.deepEqual(await history(task), before)
  })

  test('is deleted with its task', async () => {
    await replicate(`delete from workgate.tasks where ${t(2)}`)
    assert.deepEqual(await history(task), [])
    assert.deepEqual(await wrong(web), [])
  })
})

describe('values that the source does not send', { concurrency: false }, () => {
  const numbered = id('project', 80)
  const numbers = async () =>
    (await sql`select number::int from workgate.tasks where project_id = ${numbered} order by number`).map(
      (row) => row['number'] as number,
    )
  const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
  const plain = `insert into workgate.tasks (project_id, title) select '${numbered}', 'x' from generate_series(1, 150)`
  const given = (n: number) =>
    `insert into workgate.tasks (project_id, title, number) values ('${numbered}', 'x', ${n})`

  test('missing task numbers are filled in, given ones are kept, and the next number is free', async () => {
    await sql`insert into workgate.projects (id, key, name) values (${numbered}, 'NUMBERS', 'x')`
    await replicate(given(1), given(2), plain, given(153), plain)
    assert.deepEqual(await numbers(), upTo(303))
    await sql.unsafe(plain)
    assert.deepEqual(await numbers(), upTo(453))
    await replicate(given(454))
    await sql.begin(async (sql) => {
      await sql.unsafe(plain.replace(numbered, app))
      await sql.unsafe(plain)
    })
    assert.deepEqual(await numbers(), upTo(604))
  })

  test('numbers that the source sends later, in another order, do not change the version of a task', async () => {
    const titled = `insert into workgate.tasks (project_id, title) select '${app}', 'late ' || n from generate_series(1, 5) n`
    const [row] = await sql`select max(number)::int as n from workgate.tasks where project_id = ${app}`
    const first = row!['n'] + 1
    const number = (n: number, as: number) =>
      `update workgate.tasks set number = ${as} where project_id = '${app}' and title = 'late ${n}'`
    const found = await replicate(
      titled,
      ...[5, 4, 3, 2, 1].map((n, at) => number(n, first + at)),
      `insert into workgate.tasks (project_id, title, number) values ('${app}', 'late 6', ${first + 5})`,
      `select title, number::int, version::int from workgate.tasks where project_id = '${app}' and title like 'late %' order by 2`,
    )
    assert.deepEqual(
      found,
      [5, 4, 3, 2, 1, 6].map((n, at) => ({ title: `late ${n}`, number: first + at, version: 1 })),
    )
  })

  const past = `'2020-01-01T00:00:00Z'`
  // prettier-ignore
  const counted: [table: string, change: string, where: string, counter: string | null][] = [
    ['users',           `name = 'Changed'`,      `id = '${id('user', 1)}'`,                    null],
    ['teams',           `name = 'Changed'`,      `id = '${id('team', 1)}'`,                    null],
    ['projects',        `name = 'Changed'`,      `id = '${web}'`,                              'version'],
    ['project_members', `role = 'viewer'`,       `project_id = '${web}' and user_id = '${id('user', 1)}'`, null],
    ['boards',          `name = 'Changed'`,      `id = '${id('board', 1)}'`,                   null],
    ['stages',          `name = 'Changed'`,      `id = '${id('stage', 1)}'`,                   null],
    ['tasks',           `title = 'Changed'`,     t(3),                                         'version'],
    ['comments',        `body = 'Changed'`,      `id = '${id('comment', 90)}'`,                null],
    ['time_entries',    `description = 'Said'`,  e(3),                                         null],
    ['documents',       `markdown = 'Changed'`,  `id = '${id('document', 90)}'`,               'revision'],
  ]
  before(async () => {
    await sql`insert into workgate.comments (project_id, id, task_id, body) values (${web}, ${id('comment', 90)}, ${id('task', 3)}, 'x')`
    await sql`insert into workgate.documents (project_id, id, path, title, markdown) values (${web}, ${id('document', 90)}, 'y', 'x', 'x')`
  })
  for (const [table, change, where, counter] of counted) {
    const read = `select updated_at = ${past} as same, ${counter ?? 0}::int as counted from workgate.${table} where ${where}`
    test(`a change of ${table} sets updated_at${counter ? ` and increases ${counter}` : ''}, unless the source does`, async () => {
      const [was] = await replicate(`update workgate.${table} set updated_at = ${past} where ${where}`, read)
      const n = was!['counted'] as number
      assert.equal(was!['same'], true, 'the value of the source is kept')
      assert.deepEqual(await replicate(`update workgate.${table} set updated_at = updated_at where ${where}`, read), [
        was,
      ])
      const [changed] = await replicate(`update workgate.${table} set ${change} where ${where}`, read)
      assert.deepEqual(changed, { same: false, counted: counter ? n + 1 : 0 })
      if (!counter) return
      const preset = `update workgate.${table} set ${change.replace('Changed', 'Said')}, ${counter} = 77 where ${where}`
      assert.equal((await replicate(preset, read))[0]!['counted'], 77)
    })
  }

  test('the completion time of a task and the board of its stage are filled in', async () => {
    const insert = `insert into workgate.tasks (project_id, id, title, state, stage_id, updated_at)
      values ('${web}', '${id('task', 91)}', 'x', 'completed', '${id('stage', 1)}', ${past})`
    const read = `select state, completed_at = ${past} as completed, cancelled_at is not null as cancelled, board_id as board from workgate.tasks where ${t(91)}`
    const set = (change: string) => replicate(`update workgate.tasks set ${change} where ${t(91)}`, read)
    const at = { completed: null, cancelled: false, board: id('board', 1) }
    assert.deepEqual(await replicate(insert, read), [{ ...at, state: 'completed', completed: true }])
    assert.deepEqual(await set(`state = 'open'`), [{ ...at, state: 'open' }])
    assert.deepEqual(await set(`state = 'cancelled'`), [{ ...at, state: 'cancelled', cancelled: true }])
    const elsewhere = { ...at, state: 'open', board: id('board', 3) }
    assert.deepEqual(await set(`state = 'open', stage_id = '${id('stage', 4)}', number = null`), [elsewhere])
  })

  test('the last use of a key is deleted with the key', async () => {
    await sql`select workgate.issue_key('goes', 'all_projects')`
    await sql`insert into workgate.api_key_uses select id, now() from workgate.api_keys where name = 'goes'`
    await replicate(`delete from workgate.api_keys where name = 'goes'`)
    assert.equal((await sql`select from workgate.api_key_uses`).length, 0)
  })
})
