// workgate import: who is the same person, in files of several tools and in one file, and what a person is called.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const csv = (...lines: string[]) => lines.join('\n')
const tasksOf = async (project: string) =>
  (await get(`/projects/${project}/tasks?sort=number&include=tags,watchers`)).body.data
const peopleOf = async (project: string) =>
  (await get(`/projects/${project}/users`)).body.data.map(({ name, email }: Record<string, string>) => [name, email])

describe('people', () => {
  test('are the users with their e-mail address, and otherwise new ones', async () => {
    await sql`insert into workgate.users (name, email) values ('Ada Lovelace', 'Ada@example.org')`
    const lines = ['title,assignee,watchers,creator', 'One,ada@example.org,grace@example.org;Linus,linus']
    const { counts } = await importText('tasks.csv', csv(...lines), '--project', 'PPL')
    assert.deepEqual(counts['users'], { created: 2, unchanged: 1 })
    const [task] = await tasksOf('PPL')
    const users = (await get('/projects/PPL/users')).body.data
    assert.deepEqual(
      users.map(({ name, email }: Record<string, string>) => [name, email]),
      [
        ['Ada Lovelace', 'Ada@example.org'],
        ['grace', 'grace@example.org'],
        ['Linus', null],
      ],
    )
    assert.deepEqual([task.assigneeId, valuesOf(task.watchers, 'name')], [users[0].id, ['grace', 'Linus']])
    const again = await importText('tasks.csv', csv(...lines), '--project', 'PPL')
    assert.deepEqual(again.counts['users'], { unchanged: 3 })
  })

  test('are members of the project in which they only attached a file', async () => {
    const cell = '01/Jan/26 9:00 AM;olga;a.png;https://example.org/a.png'
    await importText('jira.csv', csv('Summary,Issue key,Status,Attachment', `One,ATT-1,Open,${cell}`))
    assert.deepEqual(await peopleOf('ATT'), [['olga', null]])
  })

  const github = (number: number, user: object) =>
    JSON.stringify([
      { number, title: 'One', state: 'open', url: `https://github.com/acme/names/issues/${number}`, user },
    ])
  const nameOf = async (login: string) =>
    (await sql`select name from workgate.users where name ilike ${`%${login}%`}`).map(({ name }) => name as string)

  test('keep their names when a file knows only their logins', async () => {
    await importText('gh.json', github(1, { login: 'anna-schaefer', name: 'Anna Schäfer' }))
    assert.deepEqual(await nameOf('anna'), ['Anna Schäfer'])
    const { counts } = await importText('rest.json', github(1, { login: 'anna-schaefer' }))
    assert.deepEqual([counts['users'], await nameOf('anna')], [{ unchanged: 1 }, ['Anna Schäfer']])
    await importText('gh.json', github(1, { login: 'anna-schaefer', name: 'Anna Schäfer-Li' }))
    assert.deepEqual(await nameOf('anna'), ['Anna Schäfer-Li'])
  })

  test('are those with the same full name in another file, if one of the two has no address', async () => {
    await importText('gh.json', github(2, { login: 'joerg', name: 'Jörg Weiß' }), '--project', 'SAME')
    const redmine = csv('#,Project,Status,Subject,Assignee,Author', '1,Web,New,One,jörg weiß,Joerg')
    const { counts } = await importText('redmine.csv', redmine, '--project', 'SAME', '--add-source')
    assert.deepEqual(counts['users'], { created: 1, unchanged: 1 })
    const jira = csv('Summary,Issue key,Status,Assignee,Assignee Email', 'One,NAM-1,Open,Jörg Weiß,joerg@example.org')
    await importText(
      'asana.csv',
      csv('Task ID,Name,Section/Column,Assignee,Assignee Email', '7,One,,Jörg Weiß,joerg@example.org'),
    )
    await importText('jira.csv', jira, '--project', 'SAME', '--add-source')
    assert.deepEqual(await peopleOf('SAME'), [
      ['Joerg', null],
      ['Jörg Weiß', 'joerg@example.org'],
    ])
  })

  test('with the same name and two addresses are two', async () => {
    const lines = [
      'Task ID,Name,Section/Column,Assignee,Assignee Email',
      '8,One,,Kim Lee,kim@example.org',
      '9,Two,,Kim Lee,lee@example.org',
    ]
    const { counts } = await importText('asana.csv', csv(...lines), '--project', 'TWINS')
    assert.deepEqual(counts['users'], { created: 2 })
    // Nobody knows which of them this is.
    const { counts: third } = await importText(
      'tasks.csv',
      csv('title,assignee', 'One,Kim Lee'),
      '--project',
      'TWINS',
      '--add-source',
    )
    assert.deepEqual(third['users'], { created: 1 })
  })

  test('can come with their address and without it in one file', async () => {
    const lines = [
      'Task ID,Name,Section/Column,Assignee,Assignee Email',
      '10,One,,Ida Ray,ida@example.org',
      '11,Two,,Ida Ray,',
    ]
    const { counts } = await importText('asana.csv', csv(...lines), '--project', 'ONEFILE')
    assert.deepEqual(counts['users'], { created: 1, unchanged: 1 })
    const again = await importText('asana.csv', csv(...lines), '--project', 'ONEFILE')
    assert.deepEqual(Object.keys(again.counts['users']!), ['unchanged'])
  })
})
