// The journal names every object that a writer changes, and nothing else. Old entries are deleted, never one that a new
// cursor could need.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { app, id, insertData, web } from '../support/data.ts'
import { atEnd, suiteDatabase } from '../support/suite-database.ts'
import { connect, withSql } from '../support/workgate.ts'

const { sql, url } = await suiteDatabase(insertData)
const directory = '00000000-0000-0000-0000-000000000000'

/**
 * The entries that the statements add, in one transaction each that is rolled back, as "scope kind id event fields", with
 * the number and the version of a deleted task.
 */
async function entriesOf(statements: string[], before: string[] = [], replica = false): Promise<string[]> {
  const found: string[] = []
  const undo = new Error('undo')
  await sql
    .begin(async (sql) => {
      for (const statement of before) await sql.unsafe(statement)
      const [last] = await sql`select max(seq) as seq from workgate.journal`
      if (replica) await sql`set local session_replication_role = replica`
      for (const statement of statements) await sql.unsafe(statement)
      const rows = await sql`
        select scope, kind, id, event, fields, number, version from workgate.journal where seq > ${last!['seq']} order by seq`
      for (const { scope, kind, id, event, fields, number, version } of rows) {
        const receipt = [number && `#${number}`, version && `v${version}`]
        found.push(
          [names[scope], kind, names[id] ?? id, event, fields?.join('+'), ...receipt].filter(Boolean).join(' '),
        )
      }
      throw undo
    })
    .catch((error: unknown) => assert.equal(error, undo))
  return found.toSorted()
}

const names: Record<string, string> = { [directory]: 'directory', [web]: 'web', [app]: 'app' }
for (const kind of ['user', 'team', 'board', 'stage', 'task', 'comment', 'file', 'timeEntry', 'document'] as const)
  for (let n = 1; n < 70; n++) names[id(kind, n)] = String(n)

const at = (kind: Parameters<typeof id>[0], n: number) => `project_id = '${web}' and id = '${id(kind, n)}'`
const task = (n: number) => `'${web}', '${id('task', n)}'`
const newTask = `insert into workgate.tasks (project_id, id, title) values ('${web}', '${id('task', 50)}', 'New')`
const newTag = `insert into workgate.tags (project_id, id, name) values ('${web}', '${web}', 'x')`
const tagged = [
  newTag,
  `insert into workgate.task_tags select project_id, id, '${web}' from workgate.tasks where ${at('task', 1)}`,
]
const watched = `insert into workgate.task_watchers values (${task(1)}, '${id('user', 4)}')`

// prettier-ignore
const writes: [claim: string, statements: string[], entries: string[], before?: string[]][] = [
  ['a task that is created without a number', [newTask], ['web task 50 created']],
  ['a thousand tasks, whose numbers are set afterwards', [`insert into workgate.tasks (project_id, title) select '${app}', n from generate_series(1, 1000) n`, `delete from workgate.journal where scope = '${app}' and kind = 'task' and event = 'created'`], []],
  ['a new task with a tag and a watcher', [newTask, `insert into workgate.task_tags values (${task(50)}, '${web}')`, `insert into workgate.task_watchers values (${task(50)}, '${id('user', 1)}')`], ['web task 50 created'], [newTag]],
  ['a completed task', [`update workgate.tasks set state = 'completed', stage_id = '${id('stage', 3)}' where ${at('task', 1)}`], ['web task 1 completed state+stageId+completedAt']],
  ['a cancelled task', [`update workgate.tasks set state = 'cancelled' where ${at('task', 1)}`], ['web task 1 cancelled state+cancelledAt']],
  ['a reopened task', [`update workgate.tasks set state = 'open' where ${at('task', 1)}`], ['web task 1 reopened state+completedAt'], [`update workgate.tasks set state = 'completed' where ${at('task', 1)}`]],
  ['an update of several fields', [`update workgate.tasks set title = 'x', due_date = '2026-01-01', external_id = 'x' where ${at('task', 2)}`], ['web task 2 updated title+dueDate+externalId']],
  ['an update that changes nothing', ['update workgate.tasks set title = title', 'update workgate.users set name = name', 'update workgate.project_members set role = role', 'select workgate.recount(id) from workgate.projects'], []],
  ['a deleted task, with all that belongs to it', [`delete from workgate.tasks where ${at('task', 2)}`], ['web task 2 deleted #2 v1', 'web comment 3 deleted', 'web time_entry 3 deleted', 'web document 4 deleted']],
  ['a deleted task that changed before', [`update workgate.tasks set number = 9 where ${at('task', 50)}`, `delete from workgate.tasks where ${at('task', 50)}`], ['web task 50 updated number', 'web task 50 deleted #9 v2'], [newTask]],
  ['a task whose id changes', [`update workgate.tasks set id = '${id('task', 51)}', number = 9 where ${at('task', 3)}`], ['web task 3 deleted #3 v1', 'web task 51 created'], ['delete from workgate.task_history']],
  ['a comment whose id changes', [`update workgate.comments set id = '${id('comment', 51)}' where ${at('comment', 1)}`], ['web comment 1 deleted', 'web comment 51 created']],
  ['a task that gets a tag', tagged.slice(1), ['web task 1 updated tags'], [newTag]],
  ['a tag that gets another name', ["update workgate.tags set name = 'y'"], ['web task 1 updated tags'], tagged],
  ['a tag that gets a color', ["update workgate.tags set color = '#000000'"], ['web task 1 updated tags'], tagged],
  ['a deleted tag', ['delete from workgate.tags'], ['web task 1 updated tags'], tagged],
  ['a watcher', [watched], ['web task 1 updated watchers']],
  ['a watcher who leaves the project', [`delete from workgate.project_members where user_id = '${id('user', 4)}'`], ['web user 4 deleted', 'web task 1 updated watchers'], [watched]],
  ['a role', [`update workgate.project_members set role = 'admin' where user_id = '${id('user', 4)}'`], ['web user 4 updated role']],
  ['a renamed user', [`update workgate.users set name = 'x', active = false where id = '${id('user', 4)}'`], ['directory user 4 updated name+active']],
  ['a renamed team', [`update workgate.teams set name = 'x' where id = '${id('team', 1)}'`], ['directory team 1 updated name']],
  ['a team that joins and leaves', [`insert into workgate.project_teams values ('${web}', '${id('team', 3)}')`, `delete from workgate.project_teams where project_id = '${web}' and team_id = '${id('team', 3)}'`], ['web team 3 created', 'web team 3 deleted']],
  ['a comment', [`update workgate.comments set body = 'x' where ${at('comment', 1)}`], ['web comment 1 updated body']],
  ['a file of a comment', [`delete from workgate.files where comment_id = '${id('comment', 2)}'`], ['web comment 2 updated files', 'web file 1 deleted', 'web file 2 deleted', 'web file 3 deleted']],
  ['a file of a task', [`update workgate.files set name = 'x', size_bytes = 1 where ${at('file', 4)}`], ['web file 4 updated name+sizeBytes']],
  ['a time entry', [`update workgate.time_entries set ended_at = ended_at + interval '1 s' where ${at('timeEntry', 1)}`], ['web time_entry 1 updated endedAt+durationSeconds']],
  ['a time entry of which only the hours remain', [`update workgate.time_entries set timed = false, started_at = spent_on where ${at('timeEntry', 1)}`], ['web time_entry 1 updated startedAt+durationSeconds+timed']],
  ['a time entry that no longer belongs to a task', [`update workgate.time_entries set task_id = null where ${at('timeEntry', 1)}`], ['web time_entry 1 updated taskId']],
  ['the text of a document', [`update workgate.documents set markdown = '# x' where ${at('document', 4)}`], ['web document 4 updated sizeBytes+wordCount+headings+sha256+revision']],
  ['a board and a stage', [`update workgate.boards set position = 9 where ${at('board', 1)}`, `update workgate.stages set wip_limit = 9 where ${at('stage', 1)}`], ['web board 1 updated position', 'web stage 1 updated wipLimit']],
  ['a project, whose key all tasks show', [`update workgate.projects set key = 'WEX', owner_id = null where id = '${web}'`], ['web project web updated key+ownerId', 'web tasks web updated']],
  ['a deleted project, without its contents', [`delete from workgate.projects where id = '${web}'`], ['web project web deleted']],
  ['rows that are truncated', ['truncate workgate.task_tags'], ['directory everything directory updated']],
  ['changes while triggers were disabled', ['select workgate.touch()'], ['directory everything directory updated']],
]

describe('the journal names', { concurrency: false }, () => {
  for (const [claim, statements, entries, before] of writes)
    test(claim, async () => assert.deepEqual(await entriesOf(statements, before), entries.toSorted()))
})

// prettier-ignore
const replicated: typeof writes = [
  ['a task', [`insert into workgate.tasks (project_id, id, title, number) values (${task(50)}, 'x', 50)`, `update workgate.tasks set title = 'y' where ${at('task', 50)}`, `delete from workgate.tasks where ${at('task', 50)}`], ['web task 50 created', 'web task 50 updated title', 'web task 50 deleted #50 v2']],
  ['a task whose id changes', [`update workgate.tasks set id = '${id('task', 51)}' where ${at('task', 3)}`], ['web task 3 deleted #3 v1', 'web task 51 created']],
  ['the task of a tag or a watcher', [`insert into workgate.task_tags values (${task(1)}, '${app}')`, watched, `delete from workgate.task_watchers where project_id = '${web}'`], ['web task 1 updated', 'web task 1 updated', 'web task 1 updated']],
  ['a tag, for the tasks that have it', ["update workgate.tags set name = 'y'"], ['web tag web updated'], tagged],
  ['the comment of a file', [`delete from workgate.files where comment_id = '${id('comment', 2)}' and name = 'late.png'`], ['web comment 2 updated', 'web file 1 deleted']],
  ['a file of a task', [`update workgate.files set name = 'x' where ${at('file', 4)}`], ['web file 4 updated name']],
  ['everything in a project that arrives', [`insert into workgate.projects (id, key, name) values ('${directory}', 'LATE', 'x')`], ['directory project directory created', 'directory contents directory updated']],
  ['a project, whose key all tasks show', [`update workgate.projects set key = 'WEX' where id = '${web}'`], ['web project web updated key', 'web tasks web updated']],
  ['a user', [`update workgate.users set name = 'x' where id = '${id('user', 4)}'`], ['directory user 4 updated name']],
  ['rows that are truncated', ['truncate workgate.task_tags'], ['directory everything directory updated']],
]

describe('of replicated rows, the journal names', { concurrency: false }, () => {
  for (const [claim, statements, entries, before] of replicated)
    test(claim, async () => assert.deepEqual(await entriesOf(statements, before, true), entries.toSorted()))
})

test('an entry has the channel and the actor of its writer, and the transaction', async () => {
  const [entry] = await sql.begin(async (sql) => {
    await sql`select set_config('workgate.channel', 'import', true), set_config('workgate.actor', '{"name": "Ada"}', true)`
    await sql`savepoint s`
    await sql`insert into workgate.boards (project_id, name) values (${web}, 'By Ada')`
    return sql`
      select channel, actor, xid = pg_current_xact_id() as own, at between now() and clock_timestamp() as now
      from workgate.journal order by seq desc limit 1`
  })
  assert.deepEqual({ ...entry }, { channel: 'import', actor: { name: 'Ada' }, own: true, now: true })
})

describe('old entries', { concurrency: false }, () => {
  const drop = async (max = 1000) =>
    (await sql`select workgate.drop_old_entries('30 days', ${max}) as n`)[0]!['n'] as number
  /** Transactions of other databases can delay the deletion: they may be older than the entries. */
  const dropped = async (n: number) => {
    let sum = 0
    while (sum < n) sum += await drop(n - sum)
    return sum
  }
  const age = (days: number) => sql`update workgate.journal set at = now() - ${days} * interval '1 day'`
  const count = async () => Number((await sql`select count(*) as n from workgate.journal`)[0]!['n'])
  const horizon = async () => BigInt((await sql`select xid::text from workgate.journal_horizon`)[0]?.['xid'] ?? 0)
  const write = (by = sql) => by`insert into workgate.boards (project_id, name) values (${web}, 'x')`

  test('are kept for a day whatever the caller says', async () => {
    for (const kept of ['23:59:59', '0', '-1 day'])
      await assert.rejects(sql`select workgate.drop_old_entries(${kept}::interval, 10)`, { code: 'WG012' })
  })

  test('are kept until they are too old', async () => {
    await age(29)
    assert.equal(await drop(), 0)
    assert.equal(await horizon(), 0n)
  })

  test('are deleted in batches, and the horizon tells up to where', async () => {
    await age(31)
    const all = await count()
    assert.equal(await dropped(10), 10)
    const [first] = await sql`select xid::text from workgate.journal order by journal.xid limit 1`
    assert.ok((await horizon()) <= BigInt(first!['xid']))
    assert.equal(await dropped(all - 10), all - 10)
    assert.equal(await count(), 0)
    assert.ok((await horizon()) >= BigInt(first!['xid']))
  })

  test('are kept from the oldest transaction on that is still running', async () => {
    const other = connect(url, { max: 1 })
    atEnd(() => other.end({ timeout: 1 }))
    await write()
    await other`begin`
    await write(other)
    await write()
    await age(31)
    assert.equal(await dropped(1), 1)
    assert.equal(await drop(), 0)
    const [snapshot] = await sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`
    assert.ok((await horizon()) < BigInt(snapshot!['xmin']), 'a new cursor is not too old')
    await other`commit`
    await age(31)
    assert.equal(await dropped(2), 2)
  })

  test('are left to the instance that is already deleting them', async () => {
    await write()
    await age(31)
    await sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(1465336406)`
      const [row] = await withSql(url, (other) => other`select workgate.drop_old_entries('1 day', 10) as n`)
      assert.equal(row!['n'], 0)
    })
    assert.equal(await dropped(1), 1)
  })

  test('of a cluster with higher transaction ids leave no horizon after a restore', async () => {
    await sql`insert into workgate.journal_horizon values ('999999999999')`
    await drop()
    assert.equal((await sql`select from workgate.journal_horizon where xid = '999999999999'`).length, 0)
  })
})
