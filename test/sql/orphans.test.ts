// Rows that refer to rows that do not exist, as after deletions with triggers disabled: they are found and removed for
// every foreign key, and what remains can be saved and restored.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '../../src/commands/backup/backup.ts'
import { restore } from '../../src/commands/backup/restore.ts'
import { readConfig } from '../../src/config/config.ts'
import { app, id, insertData, web } from '../support/data.ts'
import { commandContext } from '../support/doctor.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { insertTasks } from '../support/tasks.ts'
import { setTriggers, withoutTriggers } from '../support/triggers.ts'
import { issueKey } from '../support/workgate.ts'

const { sql, url } = await suiteDatabase(async (sql) => {
  await insertData(sql)
  await insertTasks(sql)
  await issueKey(sql, 'first')
  await sql`insert into workgate.api_key_uses select id, now() from workgate.api_keys`
  await sql`
    insert into workgate.comments (project_id, task_id, author_id, body) values (${web}, ${id('task', 1)}, ${id('user', 2)}, 'x')`
  await sql`insert into workgate.files (project_id, comment_id, creator_id, name, mime_type, size_bytes, url)
    select project_id, id, ${id('user', 2)}, 'a.png', 'image/png', 1, 'https://files.example/a.png' from workgate.comments`
  await sql`insert into workgate.fields (project_id, name, type) values (${web}, 'goal', 'text'), (null, 'size', 'number')`
  await sql`insert into workgate.import_mappings values (${web}, 'sheet', '{}')`
  await sql`
    with i as (insert into workgate.imports (file, formats, project_ids, counts) values ('x.csv', '{}', '{}', '[]') returning id)
    insert into workgate.import_changes select id, ${web}, 'task', ${id('task', 1)}, 'created' from i`
  await sql`
    insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at)
    values (${web}, ${id('task', 1)}, ${id('user', 2)}, '2026-01-01', now())`
  await sql`
    insert into workgate.time_entries (project_id, user_id, spent_on, started_at)
    values (${web}, ${id('user', 2)}, '2026-01-01', now())`
  await sql`
    insert into workgate.documents (project_id, path, title, task_id, author_id, markdown)
    values (${web}, 'of/a/task.md', 'x', ${id('task', 1)}, ${id('user', 2)}, 'x')`
  await sql`insert into workgate.sources (project_id, tool, address, namespace) values (${web}, 'gitea', 'https://git.example/a/b', 'x')`
  await sql`insert into workgate.source_progress (project_id) values (${web})`
  await sql`insert into workgate.source_items values (${web}, 'task', '1', null, null, 'x')`
})

const orphans = async () =>
  (await sql`select foreign_key, on_table::text, removal, n::int from workgate.orphans()`).map((row) => ({ ...row }))

const foreignKeys = await sql`
  select
    conname as name, conrelid::regclass::text as "from", confrelid::regclass::text as "to", confdeltype = 'c' as cascades,
    (select string_agg(format('r.%I = t.%I', r.attname, t.attname), ' and ')
     from unnest(conkey, confkey) as k (t, r)
     join pg_attribute t on t.attrelid = conrelid and t.attnum = k.t
     join pg_attribute r on r.attrelid = confrelid and r.attnum = k.r) as matches
  from pg_constraint
  where contype = 'f' and connamespace = 'workgate'::regnamespace
  order by 1`

describe(
  'orphans of each foreign key are found and removed, and nothing else is, after deletions from',
  { concurrency: false },
  () => {
    for (const table of new Set(foreignKeys.map(({ to }) => to as string))) {
      const keys = foreignKeys.filter(({ to }) => to === table)
      test(table, async () => {
        const attempt = sql.begin(async (transaction) => {
          await setTriggers(transaction, 'disable')
          for (const { from, matches } of keys)
            await transaction.unsafe(`
            delete from ${table} r
            where r.ctid = (select r.ctid from ${table} r join ${from} t on ${matches} limit 1)`)
          await setTriggers(transaction, 'enable')
          await transaction`select workgate.enable_triggers()`
          const found = await transaction`select foreign_key as name, removal from workgate.orphans()`
          for (const { name, cascades } of keys) {
            const removal = found.find((row) => row['name'] === name)?.['removal'] as string | undefined
            assert.match(removal ?? 'not found', cascades ? /^delete$/ : /^(delete|clear \w+(, \w+)?)$/, name)
          }
          await transaction`select workgate.remove_orphans()`
          assert.equal((await transaction`select from workgate.orphans()`).length, 0)
          const deferrable = await transaction`
          select from pg_constraint where connamespace = 'workgate'::regnamespace and contype = 'f' and condeferrable`
          assert.equal(deferrable.length, 0)
          throw new RolledBack()
        })
        await assert.rejects(attempt, RolledBack)
      })
    }
  },
)

class RolledBack extends Error {}

test('references that may be missing are cleared, and the rows keep everything else', async () => {
  const task = id('task', 1)
  await withoutTriggers(sql, `
    delete from workgate.stages where id = '${id('stage', 1)}';
    delete from workgate.project_members where project_id = '${web}' and user_id = '${id('user', 1)}';
    delete from workgate.boards where id = '${id('board', 3)}'`) // prettier-ignore
  assert.deepEqual(await orphans(), [
    { foreign_key: 'stages_board', on_table: 'workgate.stages', removal: 'delete', n: 1 },
    { foreign_key: 'task_watchers_member', on_table: 'workgate.task_watchers', removal: 'delete', n: 2 },
    { foreign_key: 'tasks_assignee_is_member', on_table: 'workgate.tasks', removal: 'clear assignee_id', n: 1 },
    { foreign_key: 'tasks_board', on_table: 'workgate.tasks', removal: 'clear board_id, stage_id', n: 1 },
    { foreign_key: 'tasks_stage_of_board', on_table: 'workgate.tasks', removal: 'clear stage_id', n: 2 },
  ])
  await sql`select workgate.remove_orphans()`
  const [row] = await sql`select board_id, stage_id, assignee_id, creator_id from workgate.tasks where id = ${task}`
  assert.deepEqual(
    { ...row },
    { board_id: id('board', 1), stage_id: null, assignee_id: null, creator_id: id('user', 2) },
  )
})

test('after deletions in all tables, a backup of what remains can be restored, with correct tallies', async (t) => {
  await withoutTriggers(sql, `
    delete from workgate.users where id = '${id('user', 2)}';
    delete from workgate.teams where id = '${id('team', 1)}';
    delete from workgate.api_keys;
    delete from workgate.projects where id = '${app}';
    delete from workgate.tags where ctid = (select min(ctid) from workgate.tags);
    delete from workgate.tasks where id = '${id('task', 1)}'`) // prettier-ignore
  assert.ok((await orphans()).length > 10)
  await sql`select workgate.remove_orphans()`
  assert.deepEqual(await orphans(), [])
  await sql`select workgate.recount(id) from workgate.projects`
  await sql`select workgate.recount(${app})`
  const folder = await mkdtemp(join(tmpdir(), 'workgate-orphans-'))
  t.after(() => rm(folder, { recursive: true }))
  const target = await suiteDatabase()
  const args = [join(folder, 'workgate.backup')]
  for (const [command, address] of [
    [backup, url],
    [restore, target.url],
  ] as const)
    // prettier-ignore
    await command({ ...commandContext(readConfig({ DATABASE_URL: address }, () => '')), args })
  for (const database of [sql, target.sql])
    assert.equal((await database`select workgate.recount(id, false) from workgate.projects`).length, 0)
})
