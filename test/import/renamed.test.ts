// A project of a tool that was renamed: the same tasks, boards and comments.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { createImporter } from './importing.ts'

const { workgate, get, sql } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const head = 'Summary,Issue key,Issue id,Status,Project key,Project name,Created,Parent,Comment,Attachment'

interface Issue {
  number: number
  title: string
  parent?: number
}

const issues: Issue[] = [
  { number: 1, title: 'Plan' },
  { number: 2, title: 'Build', parent: 1 },
  { number: 3, title: 'Test' },
  { number: 4, title: 'Ship' },
]

/** As Jira exports them. Every issue has a comment and an attachment. */
function jira(key: string, name: string, list: readonly Issue[], day = 5): string {
  const lines = list.map(({ number, title, parent }) =>
    [
      title, `${key}-${number}`, 900 + number, 'To Do', key, name, `2026-03-0${day} 1${number}:00`,
      parent ? `${key}-${parent}` : '', `2026-03-06 10:00;mara;On ${number}`,
      `2026-03-06 10:00;mara;a.png;https://jira.example.org/rest/api/3/attachment/content/${number}`,
    ].join(','),
  ) // prettier-ignore
  return [head, ...lines].join('\n')
}

const tasksIn = async (project: string) =>
  sql`select t.id, t.external_id, t.title, t.parent_id, t.board_id, t.stage_id from workgate.tasks t join workgate.projects p on p.id = t.project_id where p.key = ${project} order by t.number`
const projects = async () =>
  (await get('/projects?limit=100')).body.data.map(({ key }: { key: string }) => key) as string[]

test('The key of a project of Jira was changed', async () => {
  assert.equal((await importText('old.csv', jira('OLD', 'Shop', issues))).error, undefined)
  const before = await tasksIn('OLD')
  const known = await projects()
  const later = [...issues.slice(0, 3), { number: 4, title: 'Ship it' }, { number: 5, title: 'New', parent: 4 }]
  const renamed = await importText('new.csv', jira('NEW', 'Web shop', later))
  assert.equal(renamed.error, undefined)
  assert.match(renamed.output, /^ {2}tasks are known by an earlier name of their project or repository: 4$/m)
  assert.deepEqual(await projects(), known)
  assert.deepEqual(renamed.counts['tasks'], { created: 1, updated: 4 })
  assert.deepEqual(renamed.counts['comments'], { created: 1, unchanged: 4 })
  assert.deepEqual(renamed.counts['files'], { created: 1, unchanged: 4 })
  assert.deepEqual(renamed.counts['boards'], { unchanged: 1 })
  assert.deepEqual(renamed.counts['stages'], { unchanged: 1 })
  const after = await tasksIn('OLD')
  assert.deepEqual(
    after.slice(0, 4).map((task) => ({ ...task })),
    before.map((task, n) => ({ ...task, external_id: `NEW-${n + 1}`, title: later[n]!.title })),
  )
  assert.equal(after[4]!['parent_id'], after[3]!['id'])

  const again = await importText('new.csv', jira('NEW', 'Web shop', later))
  assert.deepEqual(again.counts['tasks'], { unchanged: 5 })
  const full = await importText('new.csv', jira('NEW', 'Web shop', later.slice(0, 4)), '--full', '--yes')
  assert.deepEqual(full.counts['tasks'], { unchanged: 4, deleted: 1 })
})

test('A project of Jira was renamed that feeds a chosen project', async () => {
  await importText('old.csv', jira('AA', 'Shop', issues), '--project', 'ONE')
  const before = await tasksIn('ONE')
  const { counts, error } = await importText('new.csv', jira('BB', 'Shop', issues), '--project', 'ONE')
  assert.equal(error, undefined)
  assert.deepEqual(counts['tasks'], { updated: 4 })
  const ids = (rows: readonly Record<string, unknown>[]) => rows.map((row) => row['id'])
  assert.deepEqual(ids(await tasksIn('ONE')), ids(before))
  // The same tasks into another project are others.
  const other = await importText('new.csv', jira('CC', 'Shop', issues), '--project', 'TWO')
  assert.deepEqual(other.counts['tasks'], { created: 4 })
})

test('Another project with the same numbers is not taken for a renamed one', async () => {
  await importText('a.csv', jira('DD', 'First', issues), '--project', 'BOTH')
  const second = jira('EE', 'Second', issues, 6)
  assert.match((await importText('b.csv', second, '--project', 'BOTH')).error!, /4 tasks of a new one.*--add-source/)
  // Nor if most of the times are the same.
  const five = [...issues, { number: 5, title: 'Last' }]
  await importText('a.csv', jira('DD', 'First', five), '--project', 'BOTH')
  const most = [...jira('GG', 'Third', issues).split('\n'), jira('GG', 'Third', five.slice(4), 6).split('\n')[1]!]
  assert.match((await importText('b.csv', most.join('\n'), '--project', 'BOTH')).error!, /5 tasks of a new one/)
  // Nor is a copy, if both are in the file.
  const copy = [jira('DD', 'First', issues), ...jira('FF', 'Copy', issues).split('\n').slice(1)].join('\n')
  const { counts, error } = await importText('c.csv', copy, '--project', 'BOTH', '--add-source')
  assert.deepEqual([error, counts['tasks']], [undefined, { created: 4, unchanged: 4 }])
})

test('A repository of GitHub was renamed', async () => {
  const github = (repository: string) =>
    JSON.stringify(
      [1, 2, 3].map((number) => ({
        number, title: `Issue ${number}`, body: '', state: 'OPEN', url: `https://github.com/${repository}/issues/${number}`,
        author: { login: 'mara' }, assignees: [], labels: [], createdAt: `2026-03-0${number}T10:00:00Z`, updatedAt: '2026-03-09T10:00:00Z', comments: [],
      })),
    ) // prettier-ignore
  await importText('old.json', github('acme/shop'))
  const known = await projects()
  const { counts, error } = await importText('new.json', github('acme/store'))
  assert.deepEqual([error, counts['tasks']], [undefined, { updated: 3 }])
  assert.deepEqual(await projects(), known)
})
