// workgate import: people who were merged with "workgate people merge" stay merged.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '../../src/commands/people/people.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandRunner } from '../support/run-command.ts'
import { createImporter } from './importing.ts'

const { workgate, sql } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const run = commandRunner(people, workgate.url)
const merge = async (...args: string[]) => assert.equal((await run(['merge', ...args, '--yes'])).error, undefined)

const users = async () => [...(await sql`select name, email from workgate.users order by name`)]
const tasks = async () => [
  ...(await sql`
    select t.title, t.version, t.updated_at, u.name as assignee, c.name as creator,
      array(select w.user_id from workgate.task_watchers w where w.task_id = t.id order by 1) as watchers
    from workgate.tasks t
    left join workgate.users u on u.id = t.assignee_id
    left join workgate.users c on c.id = t.creator_id
    order by t.title`),
]

test('the next import of the same file changes nothing and creates nobody', async () => {
  const github = JSON.stringify([
    {
      number: 1,
      title: 'One',
      state: 'OPEN',
      url: 'https://github.com/acme/web/issues/1',
      author: { login: 'aschaefer', name: 'A. Schaefer' },
      assignees: [{ login: 'aschaefer', name: 'A. Schaefer' }, { login: 'anna' }],
      comments: [{ id: 'c1', author: { login: 'aschaefer' }, body: 'Hello', createdAt: '2026-01-01T00:00:00Z' }],
    },
  ])
  const csv = 'title,assignee,watchers\nTwo,Anna Schäfer <anna@example.org>,anna@example.org'
  const load = async () => [
    await importText('github.json', github, '--project', 'MRG', '--add-source'),
    await importText('tasks.csv', csv, '--project', 'MRG', '--add-source'),
  ]
  for (const { error } of await load()) assert.equal(error, undefined)
  assert.equal((await users()).length, 3)
  await merge('anna@example.org', 'A. Schaefer', 'anna')
  const merged = [{ name: 'Anna Schäfer', email: 'anna@example.org' }]
  assert.deepEqual(await users(), merged)
  const before = await tasks()
  for (const { error, counts } of await load()) {
    assert.equal(error, undefined)
    for (const [kind, outcomes] of Object.entries(counts)) assert.deepEqual(Object.keys(outcomes), ['unchanged'], kind)
  }
  assert.deepEqual(await users(), merged)
  assert.deepEqual(await tasks(), before)
})

test('a person whom another tool knows by an address that is gone is not created again', async () => {
  const jira = (login: string, name: string) =>
    `Summary,Issue key,Status,Assignee,Assignee Id\nFrom Jira,JJ-1,To Do,${name},${login}`
  const csv = (person: string) => `externalId,title,assignee\nS-1,From a sheet,${person}`
  const load = async () => [
    await importText('jira.csv', jira('712020:x', 'Grace Hopper'), '--project', 'TWO', '--add-source'),
    await importText('sheet.csv', csv('Grace Hopper'), '--project', 'TWO', '--add-source'),
    await importText('other.csv', csv('grace@old.example'), '--project', 'THR', '--add-source'),
  ]
  await sql`insert into workgate.users (name, email) values ('Grace B. Hopper', 'grace@example.org'), ('G. H.', 'grace@old.example')`
  for (const { error } of await load()) assert.equal(error, undefined)
  await merge('grace@example.org', 'grace@old.example', 'Grace Hopper')
  const known = await users()
  for (const { error, counts } of await load()) {
    assert.equal(error, undefined)
    assert.deepEqual(counts['users'], { unchanged: 1 })
  }
  assert.deepEqual(await users(), known)
})
