// The sheet of an export, imported into the project that it comes from: its rows are the tasks, wherever those came from.

import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { exportFile } from '../../src/commands/export.ts'
import { readConfig } from '../../src/config/config.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandContext } from '../support/doctor.ts'
import { valuesOf } from '../support/values.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, get, post } = await contractSuite()
const { importText } = await createImporter(workgate.url)
const folder = await mkdtemp(join(tmpdir(), 'workgate-again-'))
after(() => rm(folder, { recursive: true }))

const github = readFileSync('test/import/samples/github.json', 'utf8')

const tasksOf = async (project: string) => (await get(`/projects/${project}/tasks?sort=number&limit=100`)).body.data
const idOfProject = async (key: string) =>
  (await sql`select id from workgate.projects where key = ${key}`)[0]!['id'] as string

async function exported(project: string): Promise<string> {
  const path = join(folder, `${project}.csv`)
  await exportFile({
    ...commandContext(readConfig({ DATABASE_URL: workgate.url }, () => '')),
    args: ['--project', project, path],
  })
  return readFile(path, 'utf8')
}

/** Tasks that were created here, and those of a tool and of a sheet. Returns the number of tasks. */
async function createProject(key: string): Promise<number> {
  await importText('own.csv', 'externalId,title,stage\ns-1,Of a sheet,Doing\n2,Also,Done\n', '--project', key)
  await importText('issues.json', github, '--project', key, '--add-source')
  const projectId = await idOfProject(key)
  const [grace, ada] = await sql`
    insert into workgate.users (name) values (${`Grace of ${key}`.replaceAll(' ', '-')}), (${`Ada of ${key}`}) returning id`
  await sql`
    insert into workgate.project_members (project_id, user_id)
    values (${projectId}, ${grace!['id'] as string}), (${projectId}, ${ada!['id'] as string})`
  const [board] = await sql`
    insert into workgate.boards (project_id, name, position) values (${projectId}, 'Second', 100) returning id`
  const [, doing] = await sql`
    insert into workgate.stages (project_id, board_id, name, category, position)
    values (${projectId}, ${board!['id'] as string}, 'Only here', 'active', 1), (${projectId}, ${board!['id'] as string}, 'Doing', 'active', 2)
    returning id`
  const {
    body: { data: parent },
  } = await post(`/projects/${key}/tasks`, {
    title: 'Created here',
    description: 'a, "b"\n;c',
    stageId: doing!['id'],
    assigneeIds: [grace!['id'], ada!['id']],
    tags: ['design', 'purchase'],
  })
  await post(`/projects/${key}/tasks`, { title: 'Its child', parentId: parent.id, externalId: 'by-hand' })
  await sql`
    insert into workgate.task_watchers (project_id, task_id, user_id)
    values (${projectId}, ${parent.id as string}, ${grace!['id'] as string}), (${projectId}, ${parent.id as string}, ${ada!['id'] as string})`
  await sql`
    update workgate.tasks set parent_id = ${parent.id as string}
    where project_id = ${projectId} and external_id = 's-1'`
  return (await tasksOf(key)).length
}

const csv = (...lines: string[]) => lines.join('\n')
/** Replaces a text that is there. */
function edited(sheet: string, text: string, by: string): string {
  assert.ok(sheet.includes(text), text)
  return sheet.replace(text, by)
}

test('Nothing changes if nothing was edited, and an edited row changes its task', async () => {
  const n = await createProject('SAME')
  const before = await tasksOf('SAME')
  const sheet = await exported('SAME')
  const again = await importText('tasks.csv', sheet)
  assert.equal(again.error, undefined)
  assert.deepEqual(again.counts['tasks'], { unchanged: n })
  for (const kind of ['users', 'boards', 'stages'])
    assert.equal(again.counts[kind]?.['created'], undefined, `${kind}\n${again.output}`)
  assert.deepEqual(await tasksOf('SAME'), before)
  const { error, counts } = await importText('tasks.csv', edited(sheet, 'Created here', 'Edited here'), '--project', 'SAME') // prettier-ignore
  assert.equal(error, undefined)
  assert.deepEqual(counts['tasks'], { unchanged: n - 1, updated: 1 })
  const same = (tasks: Record<string, unknown>[]) =>
    tasks.map((task) => ({ ...task, title: '', version: 0, updatedAt: '' }))
  assert.deepEqual(same(await tasksOf('SAME')), same(before))
  assert.ok(valuesOf(await tasksOf('SAME'), 'title').includes('Edited here'))
})

describe('A row is a task of the project', () => {
  test('only with its project, its number and its externalId', async () => {
    await post('/projects', { key: 'FIT', name: 'Fit' })
    for (const title of ['One', 'Two']) await post('/projects/FIT/tasks', { title })
    await sql`
      update workgate.tasks set external_id = 'two'
      where project_id = ${await idOfProject('FIT')} and number = 2`
    const heading = 'project,number,externalId,title'
    const result = await importText('a.csv', csv(heading, 'FIT,1,FIT-1,One', 'FIT,2,two,Two'))
    assert.deepEqual(result.counts['tasks'], { unchanged: 2 })
    // Only the number, only the externalId, and the key of another project.
    const rows = ['FIT,1,1,By number', 'FIT,9,FIT-2,By externalId', 'WEB,2,FIT-1,Of another project']
    const others = await importText('a.csv', csv(heading, ...rows), '--project', 'FIT')
    assert.equal(others.error, undefined)
    assert.deepEqual(others.counts['tasks'], { created: 3 })
    assert.deepEqual(valuesOf((await tasksOf('FIT')).slice(0, 2), 'title'), ['One', 'Two'])
    const taken = await importText('a.csv', csv(heading, 'FIT,1,two,Two'))
    assert.match(taken.error!, /externalId "two": belongs to task FIT-2, which did not come from this source/)
  })

  test('and so are the parents that it names, whether the file has them or not', async () => {
    await post('/projects', { key: 'TREE', name: 'Tree' })
    for (const title of ['One', 'Two', 'Three', 'Four']) await post('/projects/TREE/tasks', { title })
    const [one, two] = await tasksOf('TREE')
    const heading = 'project,number,externalId,title,parent'
    const parents = async () => valuesOf(await tasksOf('TREE'), 'parentId')
    const inFile = csv(
      heading,
      'TREE,3,TREE-3,Three,#1',
      'TREE,1,TREE-1,One,',
      'TREE,4,TREE-4,Four,TREE-1',
      ',,,New,#1',
    )
    assert.deepEqual((await importText('a.csv', inFile, '--project', 'TREE')).counts['tasks'], { created: 1, updated: 2, unchanged: 1 }) // prettier-ignore
    assert.deepEqual(await parents(), [null, null, one.id, one.id, one.id])
    const outside = csv(heading, 'TREE,3,TREE-3,Three,#2', 'TREE,4,TREE-4,Four,TREE-2')
    const { output, counts } = await importText('a.csv', outside)
    assert.doesNotMatch(output, /parents/)
    assert.deepEqual(counts['tasks'], { updated: 2 })
    assert.deepEqual(await parents(), [null, null, two.id, two.id, one.id])
  })
})

test('--full deletes no tasks of other sources', async () => {
  const n = await createProject('FULL')
  const [header, ...rows] = (await exported('FULL')).trim().split('\r\n')
  const sheet = csv(header!, ...rows.filter((row) => row.includes(',s-1,')))
  const first = await importText('tasks.csv', sheet, '--full')
  assert.match(first.error!, /--full would delete 1 of 2 tasks of FULL \(Also\)/)
  const others = csv(header!, ...rows.filter((row) => !/^FULL,\d+,(s-1|2),/.test(row)))
  const { error, counts } = await importText('tasks.csv', others, '--full')
  assert.equal(error, undefined)
  assert.equal(counts['tasks']!['deleted'], undefined)
  assert.equal((await tasksOf('FULL')).length, n)
})

test('A new row is of another source than the tasks of a tool', async () => {
  await importText('issues.json', github, '--project', 'TOOL')
  const sheet = await exported('TOOL')
  const [header] = sheet.split('\r\n')
  const blank = header!.split(',').map((name) => (name === 'title' ? 'New' : name === 'project' ? 'TOOL' : '')).join(',') // prettier-ignore
  assert.equal((await importText('tasks.csv', sheet)).error, undefined)
  assert.match((await importText('tasks.csv', `${sheet}${blank}\r\n`)).error!, /--add-source/)
})

test('Two rows cannot be one task', async () => {
  await importText('a.csv', 'externalId,title\nold,One\n', '--project', 'TWICE')
  await sql`
      update workgate.tasks set external_id = 'new'
      where project_id = ${await idOfProject('TWICE')} and number = 1`
  const { error } = await importText('a.csv', 'project,number,externalId,title\nTWICE,1,new,One\nTWICE,7,old,Two\n')
  assert.match(error!, /line 2, number "1": is that of task TWICE-1, which another row updates/)
})
