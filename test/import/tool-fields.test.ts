// Own fields from the files of tools, as they arrive: their types, and what --column and --ignore say about their columns.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { suiteDatabase } from '../support/suite-database.ts'
import { createImporter } from './importing.ts'

const { sql, url } = await suiteDatabase()
const { importText } = await createImporter(url)

const fieldsOf = async (project: string) =>
  (
    await sql`select fields from workgate.tasks t join workgate.projects p on p.id = t.project_id where p.key = ${project} order by number`
  ).map(({ fields }) => fields as object | null)
const typesOf = async (project: string) =>
  Object.fromEntries(
    (
      await sql`select f.name, f.type from workgate.fields f join workgate.projects p on p.id = f.project_id where p.key = ${project}`
    ).map(({ name, type }) => [name as string, type as string]),
  )

// prettier-ignore
const samples: [file: string, number: number, fields: object, types: object][] = [
  ['jira.csv', 12, {
    affectsVersions: ['1.10'], fixVersions: ['2.0', '2.1'], environment: 'Safari 19', customer: 'Acme, Inc.', platforms: ['Web', 'iOS'],
    releaseDate: '2026-11-21', sprint: ['WEB Sprint 3', 'WEB Sprint 4'], storyPoints: 3,
  }, {
    affectsVersions: 'list', fixVersions: 'list', environment: 'text', customer: 'text', platforms: 'list', releaseDate: 'date', sprint: 'list',
    storyPoints: 'number',
  }],
  ['linear.csv', 12, { estimate: 3, cycle: 'Spring cleaning', initiatives: 'Growth', milestone: '1.0', slaStatus: 'LowRisk' },
    { estimate: 'number', cycle: 'text', initiatives: 'text', milestone: 'text', slaStatus: 'text' }],
  ['github.json', 14, { milestone: '1.1' }, { milestone: 'text' }],
  ['gitlab.json', 12, { milestone: '1.0', weight: 3, iteration: '2026-03-02 to 2026-03-15', epic: 'Forms', healthStatus: 'on_track' },
    { milestone: 'text', weight: 'number', iteration: 'text', epic: 'text', healthStatus: 'text' }],
  ['gitlab-csv.csv', 12, { milestone: 'Spring', weight: 3 }, { milestone: 'text', weight: 'number' }],
  ['asana-website.csv', 1, { taskProgress: '50%', storyPoints: 3, platforms: 'iOS, Web', launch: '2026-04-01' },
    { taskProgress: 'text', storyPoints: 'number', platforms: 'text', launch: 'date' }],
  ['redmine.csv', 112, { targetVersion: '2.0', percentDone: 40, customer: 'Acme, Inc.' }, { targetVersion: 'text', percentDone: 'number', customer: 'text' }],
  ['redmine-de.csv', 7, { targetVersion: '2.10', percentDone: 40, kunde: 'Müller' }, { targetVersion: 'text', percentDone: 'number', kunde: 'text' }],
  ['trello.json', 2, { effort: 3, customer: 'Acme', launch: '2026-04-01', approved: true, risk: 'Low' },
    { effort: 'number', customer: 'text', launch: 'date', approved: 'boolean', risk: 'text' }],
]

describe('own fields arrive with their types:', () => {
  for (const [n, [file, number, fields, types]] of samples.entries())
    test(file, async () => {
      const project = `TOOL${n}`
      const { error } = await importText(file, readFileSync(`test/import/samples/${file}`), '--project', project)
      assert.equal(error, undefined)
      const found = await sql`
        select t.fields
        from workgate.tasks t join workgate.projects p on p.id = t.project_id
        where p.key = ${project} and t.number = ${number}`
      assert.deepEqual(found[0]?.['fields'], fields)
      assert.deepEqual(await typesOf(project), types)
    })
})

// prettier-ignore
const tables: [tool: string, head: string, row: string, fields: object][] = [
  ['Azure DevOps', 'ID,Work Item Type,Title,State,Iteration Path,Area Path,Story Points,Custom', String.raw`1,Task,One,New,Site\Sprint 1,Site,5,x`,
    { iteration: String.raw`Site\Sprint 1`, area: 'Site', storyPoints: 5 }],
  ['ClickUp', 'Task ID,Task Name,Task Content,Status,Sprint Points,Customer (short text),Budget (currency),Blocks (list relationship)', 'a,One,,open,null,Acme,1500,x',
    { customer: 'Acme', budget: 1500 }],
  ['YouTrack', 'Issue Id,Summary,State,Reporter,Fix versions,Story points,Mood', 'YT-1,One,Open,Ada,1.10,3,x', { fixVersions: '1.10', storyPoints: 3 }],
  ['a sheet', 'Title,Status,Sprint,Story points,Mood', 'One,Open,7,3,x', { sprint: '7', storyPoints: 3 }],
]

describe('named columns of tables are own fields, and others are listed:', () => {
  for (const [n, [tool, head, row, fields]] of tables.entries())
    test(tool, async () => {
      const { error, output } = await importText('export.csv', `${head}\n${row}\n`, '--project', `TABLE${n}`)
      assert.equal(error, undefined)
      assert.deepEqual(await fieldsOf(`TABLE${n}`), [fields])
      const last = head.split(',').at(-1)!
      assert.ok(output.includes(`Columns that were not imported (see --column and --ignore):\n  ${last}\n`), output)
    })
})

const empty = Array.from({ length: 80 }, (_, n) => `Custom field (Empty ${n})`)
const jira = (...rows: string[]) =>
  [
    ['Summary,Issue key,Status', ...empty, 'Custom field (Story Points),Sprint,Sprint,Custom field (Rank)'].join(','),
    ...rows,
  ]
    .map((row, n) => (n === 0 ? row : row.replace(/,TO DO,/, `,To Do${','.repeat(empty.length)},`)))
    .join('\n')

test('a file can have more columns than a task has fields, if most are empty', async () => {
  const load = (...rows: string[]) => importText('jira.csv', jira(...rows), '--project', 'WIDE')
  const first = await load('One,W-1,TO DO,5.0,A,B,0|i:', 'Two,W-2,TO DO,0.5,A,,0|j:')
  assert.equal(first.error, undefined)
  assert.match(first.output, /Columns that were not imported .*:\n {2}Custom field \(Rank\)\n/)
  assert.deepEqual(await fieldsOf('WIDE'), [
    { storyPoints: 5, sprint: ['A', 'B'] },
    { storyPoints: 0.5, sprint: ['A'] },
  ])
  assert.deepEqual((await load('One,W-1,TO DO,5.0,A,B,0|k:', 'Two,W-2,TO DO,0.5,A,,0|l:')).counts['tasks'], {
    unchanged: 2,
  })
  await load('One,W-1,TO DO,,A,,0|i:')
  assert.deepEqual(await fieldsOf('WIDE'), [{ sprint: ['A'] }, { storyPoints: 0.5, sprint: ['A'] }])
})

test('--column says what a column is instead', async () => {
  const options = [
    '--column',
    'Sprint=fields.iterations',
    '--column',
    'Custom field (Story Points)=estimateSeconds:3600',
  ]
  const { error } = await importText('jira.csv', jira('One,W-1,TO DO,5.0,A,B,'), '--project', 'MAPPED', ...options)
  assert.equal(error, undefined)
  assert.deepEqual(await fieldsOf('MAPPED'), [{ iterations: ['A', 'B'] }])
  assert.deepEqual(
    [...(await sql`select estimate_seconds from workgate.tasks where fields ? 'iterations'`)],
    [{ estimate_seconds: 18_000 }],
  )
  const azure = 'ID,Work Item Type,Title,State,Iteration Path,Area Path\n1,Task,One,New,Sprint 1,Site'
  await importText('azure.csv', azure, '--project', 'MAPPED2', '--column', 'Iteration Path=fields.sprint')
  assert.deepEqual(await fieldsOf('MAPPED2'), [{ sprint: 'Sprint 1', area: 'Site' }])
})

// prettier-ignore
const ignored: [tool: string, text: string, column: string, fields: object | null][] = [
  ['Jira', jira('One,W-1,TO DO,5.0,A,B,'), 'sprint', { storyPoints: 5 }],
  ['Linear', 'ID,Team,Title,Status,Canceled,Estimate,Labels\nENG-1,Eng,One,Todo,,3,', 'Estimate', null],
  ['Azure DevOps', 'ID,Work Item Type,Title,State,Story Points\n1,Task,One,New,5', 'Story Points', null],
  ['ClickUp', 'Task ID,Task Name,Task Content,Status,Size (number)\na,One,,open,5', 'Size (number)', null],
]

describe('--ignore leaves a column out of a file of', () => {
  for (const [n, [tool, text, column, fields]] of ignored.entries())
    test(tool, async () => {
      const { error, output } = await importText('export.csv', text, '--project', `IGN${n}`, '--ignore', column)
      assert.equal(error, undefined)
      assert.deepEqual(await fieldsOf(`IGN${n}`), [fields])
      assert.ok(!output.includes(`  ${column}`), output)
    })
})

test('--ignore also leaves out a column that is no own field', async () => {
  const text = 'ID,Team,Title,Status,Canceled,Priority,Due Date\nENG-1,Eng,One,Todo,,High,soon'
  const { error } = await importText('linear.csv', text, '--project', 'IGNORED', '--ignore', 'Due Date')
  assert.equal(error, undefined)
  const [task] =
    await sql`select t.priority, t.due_date from workgate.tasks t join workgate.projects p on p.id = t.project_id where p.key = 'IGNORED'`
  assert.deepEqual({ ...task }, { priority: 'high', due_date: null })
})
