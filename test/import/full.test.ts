// workgate import --full: what the file no longer has is deleted.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get, post } = await contractSuite()
const { importText } = await createImporter(workgate.url)

const github = readFileSync('test/import/samples/github.json', 'utf8')
const csv = (...lines: string[]) => lines.join('\n')
const tasksOf = async (project: string) => (await get(`/projects/${project}/tasks?sort=number`)).body.data

describe('--full', () => {
  const rows = ['title,externalId', 'One,a-1', 'Two,a-2', 'Three,a-3']

  test('deletes the tasks of the source that the file no longer has, and no others', async () => {
    await importText('tasks.csv', csv(...rows), '--project', 'FULL')
    await post('/projects/FULL/tasks', { title: 'By hand' })
    await importText('issues.json', github, '--project', 'FULL')
    const shorter = csv(rows[0]!, rows[2]!)
    const kept = await importText('tasks.csv', shorter, '--project', 'FULL')
    assert.deepEqual(kept.counts['tasks'], { unchanged: 1 })
    const asked = await importText('tasks.csv', shorter, '--project', 'FULL', '--full')
    assert.match(
      asked.error!,
      /--full would delete 2 tasks that the file does not have: confirm it with --yes\n {2}One · Three$/,
    )
    assert.equal((await tasksOf('FULL')).length, 7)
    const { counts, error } = await importText('tasks.csv', shorter, '--project', 'FULL', '--full', '--yes')
    assert.equal(error, undefined)
    assert.deepEqual(counts['tasks'], { unchanged: 1, deleted: 2 })
    assert.deepEqual(valuesOf(await tasksOf('FULL'), 'title').sort(), [
      'By hand',
      'Grüße in the footer',
      'Header overlaps the menu on phones',
      'Rewrite it in another language',
      'Two',
    ])
    for (const { id } of await sql`select id from workgate.projects`)
      assert.deepEqual([...(await sql`select * from workgate.recount(${id as string})`)], [])
  })

  test('asks at a terminal, holds no lock meanwhile, and asks again if there is more to delete', async () => {
    await importText('tasks.csv', csv(...rows), '--project', 'ASK')
    const ofProject = sql`project_id = (select id from workgate.projects where key = 'ASK')`
    const [first] = await sql`select project_id, id from workgate.tasks where external_id = 'a-1' and ${ofProject}`
    // Every id of the source begins so.
    const extra = `${(first!['id'] as string).slice(0, 24)}000000000000`
    const questions: string[] = []
    const answers = [false, true, true]
    const asking = await createImporter(workgate.url, async (question) => {
      questions.push(question)
      // Would wait for a lock.
      await sql`update workgate.tasks set title = title || '!' where external_id = 'a-2' and ${ofProject}`
      if (questions.length === 2)
        await sql`insert into workgate.tasks (project_id, id, title) values (${first!['project_id']}, ${extra}, 'Four')`
      return answers.shift()!
    })
    const shorter = csv(rows[0]!, rows[1]!)
    const escaping = await importText(
      'tasks.csv',
      csv(rows[0]!, 'One,a-1', '"\u001b[2J\nNone",a-9'),
      '--project',
      'ESC',
    )
    assert.equal(escaping.error, undefined)
    const { error: shown } = await importText('tasks.csv', csv(rows[0]!, 'One,a-1'), '--project', 'ESC', '--full')
    assert.match(shown!, /confirm it with --yes\n {2}\\u001b\[2J\\u000aNone$/)
    const refused = await asking.importText('tasks.csv', shorter, '--project', 'ASK', '--full')
    assert.equal(refused.error, 'nothing was written, because the deletion was not confirmed')
    assert.equal(refused.output, '')
    assert.equal((await tasksOf('ASK')).length, 3)
    const { error, counts } = await asking.importText('tasks.csv', shorter, '--project', 'ASK', '--full')
    assert.equal(error, undefined)
    assert.deepEqual(counts['tasks'], { unchanged: 1, deleted: 3 })
    assert.deepEqual(questions, [
      'Delete 2 tasks that the file does not have (Two · Three)? [y/N] ',
      'Delete 2 tasks that the file does not have (Two! · Three)? [y/N] ',
      'Delete 3 tasks that the file does not have (Two!! · Three · Four)? [y/N] ',
    ])
  })
})

// prettier-ignore
const projects: [tool: string, fileOf: (project: string, id: number) => string[]][] = [
  ['Asana',   (project, id) => ['Task ID,Name,Section/Column,Projects', `${id},One,Doing,${project}`, `${id + 1},Two,Doing,${project}`]],
  ['Redmine', (project, id) => ['#,Project,Status,Subject', `${id},${project},New,One`, `${id + 1},${project},New,Two`]],
]

for (const [tool, fileOf] of projects) {
  test(`--full of one project of ${tool} keeps the tasks of another`, async () => {
    const key = tool.toUpperCase()
    await importText('shop.csv', csv(...fileOf('Shop', 11)), '--project', key)
    const args = ['--project', key, '--full', '--yes']
    const { counts } = await importText('website.csv', csv(...fileOf('Website', 21)), ...args)
    assert.deepEqual(counts['tasks'], { created: 2 })
    const shorter = await importText('website.csv', csv(...fileOf('Website', 21).slice(0, 2)), ...args)
    assert.deepEqual(shorter.counts['tasks'], { unchanged: 1, deleted: 1 })
  })
}
