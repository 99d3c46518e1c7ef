// Tags follow the tool: their colors, their spelling, and labels that were renamed.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { imports } from '../../src/commands/imports/imports.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { commandRunner } from '../support/run-command.ts'
import { createImporter } from './importing.ts'

const { workgate, sql, post } = await contractSuite()
const { importText } = await createImporter(workgate.url)
const runImports = commandRunner(imports, workgate.url)

type Label = [name: string, color?: string]

/** Issues of GitHub, one for each list of labels. */
const loadIssues = (project: string, labels: Label[][], ...args: string[]) => {
  const issues = labels.map((ones, n) => ({
    number: n + 1,
    title: `Issue ${n + 1}`,
    state: 'OPEN',
    url: `https://github.com/acme/website/issues/${n + 1}`,
    createdAt: `2026-10-0${n + 1}T10:00:00Z`,
    labels: ones.map(([name, color]) => ({ name, color })),
  }))
  return importText('issues.json', JSON.stringify(issues), '--project', project, ...args)
}
const loadSheet = (project: string, ...rows: string[]) =>
  importText('tasks.csv', ['externalId,title,tags', ...rows].join('\n'), '--project', project, '--add-source')

const idOf = sql`select id from workgate.projects where key =`
const tagsOf = async (project: string) =>
  (await sql`select name, color from workgate.tags where project_id = (${idOf} ${project}) order by lower(name)`).map(
    ({ name, color }) => (color === null ? name : `${name} ${color}`) as string,
  )
const tasksOf = async (project: string) =>
  (
    await sql`
      select t.version::integer, array(
        select g.name
        from workgate.task_tags tt
        join workgate.tags g on g.project_id = tt.project_id and g.id = tt.tag_id
        where tt.project_id = t.project_id and tt.task_id = t.id
        order by lower(g.name)) as tags
      from workgate.tasks t
      where t.project_id = (${idOf} ${project})
      order by t.number`
  ).map(({ version, tags }) => [version, ...(tags as string[])] as (string | number)[])
const lastImport = async () => (await sql`select max(id)::text as id from workgate.imports`)[0]!['id'] as string

describe('Colors and spellings', () => {
  test('are those of the file, with a new version of each task, and an undo takes them back', async () => {
    await loadIssues('COLOR', [
      [
        ['Bug', 'D73A4A'],
        ['ui', 'ffffff'],
      ],
      [['Bug', 'D73A4A']],
      [['ui', 'ffffff']],
    ])
    assert.deepEqual(await tagsOf('COLOR'), ['Bug #d73a4a', 'ui #ffffff'])
    const changed: Label[][] = [
      [
        ['bug', 'd73a4a'],
        ['ui', '000000'],
      ],
      [['bug', 'd73a4a']],
      [],
    ]
    const { counts, error } = await loadIssues('COLOR', changed)
    assert.equal(error, undefined)
    assert.deepEqual([counts['tags'], counts['tasks']], [{ updated: 2 }, { updated: 3 }])
    assert.deepEqual(await tagsOf('COLOR'), ['bug #d73a4a', 'ui #000000'])
    assert.deepEqual(await tasksOf('COLOR'), [[2, 'bug', 'ui'], [2, 'bug'], [2]])
    const again = await loadIssues('COLOR', changed)
    assert.deepEqual([again.counts['tags'], again.counts['tasks']], [undefined, { unchanged: 3 }])

    const [{ id }] = (await sql`select max(import_id)::text as id from workgate.import_changes where kind = 'task'`) as unknown as [{ id: string }] // prettier-ignore
    assert.equal((await runImports(['undo', id, '--yes'])).error, undefined)
    assert.deepEqual(await tagsOf('COLOR'), ['Bug #d73a4a', 'ui #ffffff'])
    assert.deepEqual(await tasksOf('COLOR'), [
      [3, 'Bug', 'ui'],
      [3, 'Bug'],
      [3, 'ui'],
    ])
  })

  test('remain if the file does not say them', async () => {
    await loadIssues('NAMES', [
      [
        ['Bug', 'd73a4a'],
        ['ui', 'ffffff'],
      ],
    ])
    await loadSheet('NAMES', 'A,One,Bug;UI', 'B,Two,ui', 'C,Three,Ui')
    // One of the spellings in the file is that of the tag, which remains.
    assert.deepEqual(await tagsOf('NAMES'), ['Bug #d73a4a', 'ui #ffffff'])
    const { counts } = await loadSheet('NAMES', 'A,One,BUG;UI', 'B,Two,UI')
    assert.deepEqual(counts['tags'], { updated: 2 })
    assert.deepEqual(await tagsOf('NAMES'), ['BUG #d73a4a', 'UI #ffffff'])
  })

  test('of an export are taken over, also of tags that no task has', async () => {
    const id = (n: number) => `d3000000-0000-4000-8000-00000000000${n}`
    const lines = (color: string | null, name: string) =>
      [
        { kind: 'project', id: id(0), key: 'LINES', name: 'Lines' },
        { kind: 'tag', id: id(1), projectId: id(0), name, color },
      ].map((line) => JSON.stringify(line)).join('\n') // prettier-ignore
    await importText('a.jsonl', lines('#000000', 'Bug'))
    const { counts } = await importText('b.jsonl', lines(null, 'bug'))
    assert.deepEqual(counts['tags'], { updated: 1 })
    assert.deepEqual(await tagsOf('LINES'), ['bug'])
  })

  test('that somebody has changed after the import remain when it is undone', async () => {
    await loadIssues('HAND', [[['bug', 'd73a4a']], [['bug', 'd73a4a']]])
    await loadIssues('HAND', [[], [['bug', 'd73a4a']]])
    const id = await lastImport()
    await sql`update workgate.tags set name = 'Bug', color = '#000000' where project_id = (${idOf} 'HAND')`
    assert.equal((await runImports(['undo', id, '--yes'])).error, undefined)
    assert.deepEqual(await tagsOf('HAND'), ['Bug #000000'])
    assert.deepEqual(await tasksOf('HAND'), [
      [3, 'Bug'],
      [2, 'Bug'],
    ])
  })

  test('A tag that was renamed here keeps its name, and follows the color', async () => {
    await loadIssues('OWN', [[['bug', 'd73a4a']]])
    await sql`update workgate.tags set name = 'Defect' where project_id = (${idOf} 'OWN')`
    await loadIssues('OWN', [[['bug', '000000']]])
    assert.deepEqual(await tagsOf('OWN'), ['Defect #000000'])
  })
})

describe('A label that was renamed', () => {
  const renamed: Label[][] = [[['phone', '000000']], [['ui']]]

  before(async () => {
    await loadIssues('NEW', [[['mobile', 'ffffff']], [['ui'], ['unused']]])
    // A tag without tasks of the source, and one of a person, which only a task of the source has.
    await loadIssues('NEW', [[['mobile', 'ffffff']], [['ui']], [['empty']]])
    await sql`delete from workgate.task_tags where tag_id in (select id from workgate.tags where name = 'empty')`
    await sql`insert into workgate.tags (project_id, name) values ((${idOf} 'NEW'), 'by hand')`
    await sql`
      insert into workgate.task_tags (project_id, task_id, tag_id)
      select t.project_id, t.id, g.id
      from workgate.tasks t
      join workgate.tags g on g.project_id = t.project_id and g.name = 'by hand'
      where t.project_id = (${idOf} 'NEW') and t.number = 1`
    await loadSheet('NEW', 'A,One,sheet')
  })

  test('leaves no empty tag, and an undo brings it back', async () => {
    // The label "unused" lost its last task in the second import.
    const known = ['by hand', 'empty', 'mobile #ffffff', 'sheet', 'ui']
    assert.deepEqual(await tagsOf('NEW'), known)
    const { counts, error } = await loadIssues('NEW', renamed)
    assert.equal(error, undefined)
    assert.deepEqual(counts['tags'], { created: 1, deleted: 1 })
    assert.deepEqual(await tagsOf('NEW'), ['by hand', 'empty', 'phone #000000', 'sheet', 'ui'])
    const id = await lastImport()
    const { out, error: undoError } = await runImports(['undo', id, '--yes'])
    assert.equal(undoError, undefined)
    assert.match(out, /^tags +1 +0 +1$/m)
    assert.deepEqual(await tagsOf('NEW'), known)
    assert.equal((await runImports(['undo', await lastImport(), '--yes'])).error, undefined)
    assert.deepEqual(await tagsOf('NEW'), ['by hand', 'empty', 'phone #000000', 'sheet', 'ui'])
  })

  test('remains if another task has it', async () => {
    await post('/projects/NEW/tasks', { title: 'By hand', tags: ['ui'] })
    await loadIssues('NEW', [[['phone']], []])
    assert.ok((await tagsOf('NEW')).includes('ui'))
  })

  test('remains if the file is not one of its source', async () => {
    await loadIssues('OTHER', [[['bug']]])
    const [task] = await sql`select id, project_id from workgate.tasks where project_id = (${idOf} 'OTHER')`
    const lines = [
      { kind: 'project', id: task!['project_id'] as string, key: 'OTHER', name: 'Other' },
      { kind: 'task', id: task!['id'] as string, projectId: task!['project_id'] as string, title: 'One', version: 1, tags: [] },
    ].map((line) => JSON.stringify(line)) // prettier-ignore
    const { counts } = await importText('lines.jsonl', lines.join('\n'))
    assert.deepEqual([counts['tasks'], counts['tags']], [{ updated: 1 }, undefined])
    assert.deepEqual(await tagsOf('OTHER'), ['bug'])
  })

  test('is deleted with the last task that had it, with --full', async () => {
    const { counts } = await loadIssues('NEW', [[]], '--full', '--delete-up-to', '9')
    assert.deepEqual([counts['tasks'], counts['tags']], [{ updated: 1, deleted: 2 }, { deleted: 1 }])
    assert.deepEqual(await tagsOf('NEW'), ['by hand', 'empty', 'sheet', 'ui'])
  })
})
