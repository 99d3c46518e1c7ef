// The tasks of a project that has a source, and what belongs to them, change only through the channel sync.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { people } from '../../src/commands/people/people.ts'
import { app, id, insertData, web } from '../support/data.ts'
import { commandRunner } from '../support/run-command.ts'
import { shownTables } from '../support/shown-tables.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import type { Sql } from '../support/workgate.ts'

const { sql, url } = await suiteDatabase(insertData)
await sql`insert into workgate.sources (project_id, tool, address, namespace) values (${web}, 'gitea', 'https://git.example/ann/web', 'x')`

const synced = ['boards', 'stages', 'tasks', 'tags', 'task_tags', 'task_watchers', 'comments', 'files', 'time_entries']
const refusal = {
  code: 'WG015',
  message: 'project WEB gets its tasks only from https://git.example/ann/web',
  hint: 'Change them there, or remove the source of the project first.',
}

const setChannel = (by: Sql, channel: string) => by`select set_config('workgate.channel', ${channel}, true)`

/** Runs the work in a transaction that is rolled back. */
async function rolledBack(work: (by: Sql) => Promise<unknown>): Promise<void> {
  const rollback = new Error('rolled back')
  const attempt = sql.begin(async (by) => {
    await work(by as unknown as Sql)
    throw rollback
  })
  await assert.rejects(attempt, (error) => {
    if (error !== rollback) throw error
    return true
  })
}

for (const channel of ['sql', 'import', 'sync'])
  describe(`Through the channel ${channel}`, { concurrency: false }, () => {
    for (const [n, { table, insert, where, column }] of shownTables.entries()) {
      const changes = {
        insert,
        update: `update workgate.${table} set ${column} = ${column} where ${where}`,
        delete: `delete from workgate.${table} where ${where}`,
      }
      for (const [name, change] of Object.entries(changes)) {
        const isRefused = synced.includes(table) && channel !== 'sync'
        test(`${name} of a row of ${table} is ${isRefused ? 'refused' : 'possible'}`, () =>
          rolledBack(async (by) => {
            await setChannel(by, 'sync')
            for (const before of shownTables.slice(0, name === 'insert' ? n : n + 1)) await by.unsafe(before.insert)
            await setChannel(by, channel)
            if (isRefused) await assert.rejects(by.unsafe(change), refusal)
            else assert.equal((await by.unsafe(change)).count, 1)
          }))
      }
    }
  })

test('A trigger of another table is refused, too', () =>
  rolledBack(async (by) => {
    await by.unsafe(`
      create table public.tickets (title text);
      create function public.copy_ticket() returns trigger language plpgsql as $$
        begin insert into workgate.tasks (project_id, title) values ('${web}', new.title); return null; end $$;
      create trigger copy after insert on public.tickets for each row execute function public.copy_ticket()`)
    await assert.rejects(by`insert into public.tickets values ('x')`, refusal)
  }))

describe('Not refused:', { concurrency: false }, () => {
  test('statements that change no row of the project', () =>
    rolledBack(async (by) => {
      await by`update workgate.tasks set title = 'x' where project_id = ${app}`
      await by`insert into workgate.tasks (project_id, title) values (${app}, 'x')`
      await by`delete from workgate.tasks where project_id = ${web} and false`
    }))

  test('the removal of a member, who stops watching', () =>
    rolledBack(async (by) => {
      const [user] = await by`insert into workgate.users (name) values ('Watcher') returning id::text as id`
      await by`insert into workgate.project_members (project_id, user_id) values (${web}, ${user!['id']})`
      await setChannel(by, 'sync')
      await by`insert into workgate.task_watchers (project_id, task_id, user_id) values (${web}, ${id('task', 1)}, ${user!['id']})`
      await setChannel(by, 'sql')
      await by`delete from workgate.project_members where user_id = ${user!['id']}`
      assert.equal((await by`select from workgate.task_watchers where user_id = ${user!['id']}`).length, 0)
    }))

  test('the deletion of the project, with all that it contains', () =>
    rolledBack(async (by) => {
      await by`delete from workgate.projects where id = ${web}`
      assert.equal((await by`select from workgate.tasks where project_id = ${web}`).length, 0)
    }))

  test('replicated rows', () =>
    rolledBack(async (by) => {
      await by`set local session_replication_role = replica`
      assert.equal((await by`update workgate.tasks set title = 'Replicated' where id = ${id('task', 1)}`).count, 1)
    }))

  test('people merge, which keeps who is meant', async () => {
    const [other] = await sql`insert into workgate.users (name) values ('A. Lovelace') returning id::text as id`
    await sql`insert into workgate.project_members (project_id, user_id) values (${web}, ${other!['id']})`
    await sql.begin(async (by) => {
      await setChannel(by as unknown as Sql, 'sync')
      await by`update workgate.tasks set assignee_id = ${other!['id']} where id = ${id('task', 1)}`
    })
    const { error } = await commandRunner(people, url)(['merge', id('user', 1), other!['id'] as string, '--yes'])
    assert.equal(error, undefined)
    const [task] = await sql`select assignee_id from workgate.tasks where id = ${id('task', 1)}`
    assert.equal(task!['assignee_id'], id('user', 1))
  })
})
