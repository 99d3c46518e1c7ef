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
    await importText('issues.json', github, '--project', 'FULL', '--add-source')
    const shorter = csv(rows[0]!, rows[2]!)
    const kept = await importText('tasks.csv', shorter, '--project', 'FULL')
    assert.deepEqual(kept.counts['tasks'], { unchanged: 1 })
    const asked = await importText('tasks.csv', shorter, '--project', 'FULL', '--full')
    assert.match(
      asked.error!,
      /^nothing was written:\n {2}--full would delete 2 of 3 tasks of FULL \(One · Three\): if this is right, add --delete-up-to 2$/,
    )
    assert.equal((await tasksOf('FULL')).length, 7)
    const { counts, error } = await importText(
      'tasks.csv',
      shorter,
      '--project',
      'FULL',
      '--full',
      '--delete-up-to',
      '70%',
    )
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
    const kept = Array.from({ length: 13 }, (_, n) => `Kept ${n},k-${n}`)
    await importText('tasks.csv', csv(...rows, ...kept), '--project', 'ASK')
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
    const shorter = csv(rows[0]!, rows[1]!, ...kept)
    const escaping = await importText(
      'tasks.csv',
      csv(rows[0]!, 'One,a-1', '"\u001b[2J\nNone",a-9'),
      '--project',
      'ESC',
    )
    assert.equal(escaping.error, undefined)
    const { error: shown } = await importText('tasks.csv', csv(rows[0]!, 'One,a-1'), '--project', 'ESC', '--full')
    assert.match(shown!, /of ESC \(\\u001b\[2J\\u000aNone\): if this/)
    const refused = await asking.importText('tasks.csv', shorter, '--project', 'ASK', '--full')
    assert.equal(refused.error, 'nothing was written, because it was not confirmed')
    assert.equal(refused.output, '')
    assert.equal((await tasksOf('ASK')).length, 16)
    const { error, counts } = await asking.importText('tasks.csv', shorter, '--project', 'ASK', '--full')
    assert.equal(error, undefined)
    assert.deepEqual(counts['tasks'], { unchanged: 14, deleted: 3 })
    assert.deepEqual(questions, [
      '--full would delete 2 of 16 tasks of ASK (Two · Three). Do it? [y/N] ',
      '--full would delete 2 of 16 tasks of ASK (Two! · Three). Do it? [y/N] ',
      '--full would delete 3 of 17 tasks of ASK (Two!! · Three · Four). Do it? [y/N] ',
    ])
  })
})

// prettier-ignore
const limits: [claim: string, rows: number, kept: number, args: string[], error: string | undefined][] = [
  ['20 % need --yes',                   10,  8, [],                                  '--yes'],
  ['20 % with --yes',                   10,  8, ['--yes'],                           undefined],
  ['more than 20 % need a limit',       10,  7, ['--yes'],                           '--delete-up-to 3'],
  ['more than 50 need a limit',        300, 249, ['--yes'],                          '--delete-up-to 51'],
  ['50 of 300 with --yes',             300, 250, ['--yes'],                          undefined],
  ['a limit in percent',                10,  4, ['--delete-up-to', '60%'],  undefined],
  ['a limit in percent that is passed', 10,  3, ['--delete-up-to', '60%'],  '--delete-up-to 7'],
  ['a limit in tasks',                  10,  3, ['--delete-up-to', '7'],             undefined],
]

describe('--full that deletes', () => {
  const rowsOf = (count: number) => csv('title', ...Array.from({ length: count }, (_, n) => `Task ${n}`))
  for (const [n, [claim, rows, kept, args, option]] of limits.entries())
    test(claim, async () => {
      const project = ['--project', `LIM${n}`]
      await importText('tasks.csv', rowsOf(rows), ...project)
      const dry = await importText('tasks.csv', rowsOf(kept), ...project, '--full', '--dry-run')
      assert.match(dry.output, /^To be confirmed:\n {2}--full would delete \d+ of \d+ tasks of LIM\d \(Task .*\): --/m)
      const { error, counts } = await importText('tasks.csv', rowsOf(kept), ...project, '--full', ...args)
      if (option !== undefined) return assert.ok(error!.endsWith(`: if this is right, add ${option}`), error)
      assert.equal(error, undefined)
      assert.equal(counts['tasks']!['deleted'], rows - kept)
    })

  test('needs a number or a percentage as its limit', async () => {
    const { error } = await importText('tasks.csv', rowsOf(1), '--project', 'LIM', '--full', '--delete-up-to', 'most')
    assert.match(error!, /^--delete-up-to must be a number of tasks or a percentage, such as 60%, not "most"$/)
  })
})

test('A second source of a project is announced before anything is written', async () => {
  const project = ['--project', 'TWO']
  await post('/projects', { name: 'Two', key: 'TWO' })
  await post('/projects/TWO/tasks', { title: 'By hand' })
  const first = await importText('tasks.csv', csv('title', 'One'), ...project)
  assert.equal(first.error, undefined)
  const second = await importText('issues.json', github, ...project)
  assert.equal(second.error, csv('nothing was written:', '  TWO has tasks of another source; the file would add 3 tasks of a new one: if this is right, add --add-source')) // prettier-ignore
  assert.equal((await tasksOf('TWO')).length, 2)
  const dry = await importText('issues.json', github, ...project, '--dry-run')
  assert.match(dry.output, /^To be confirmed:\n {2}TWO has tasks of another source; .*: --add-source$/m)
  const added = await importText('issues.json', github, ...project, '--add-source')
  assert.deepEqual(added.counts['tasks'], { created: 3 })
  for (const file of [
    ['tasks.csv', csv('title', 'One', 'Two')],
    ['issues.json', github],
  ] as const)
    assert.equal((await importText(file[0], file[1], ...project)).error, undefined)
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
    const args = ['--project', key, '--full', '--delete-up-to', '100%', '--add-source']
    const { counts } = await importText('website.csv', csv(...fileOf('Website', 21)), ...args)
    assert.deepEqual(counts['tasks'], { created: 2 })
    const shorter = await importText('website.csv', csv(...fileOf('Website', 21).slice(0, 2)), ...args)
    assert.deepEqual(shorter.counts['tasks'], { unchanged: 1, deleted: 1 })
  })
}
