// Own fields in imports: their names and types, and what remains of the fields that a file does not have.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFieldNamer, fieldName } from '../../src/import/field-names.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { createImporter } from './importing.ts'

const { sql, url } = await suiteDatabase()
const { importText } = await createImporter(url)

const fieldsOf = async (project: string) =>
  (
    await sql`select fields from workgate.tasks t join workgate.projects p on p.id = t.project_id where p.key = ${project} order by number`
  ).map(({ fields }) => fields as object | null)
const declared = async (project: string) =>
  Object.fromEntries(
    (
      await sql`select f.name, f.type from workgate.fields f join workgate.projects p on p.id = f.project_id where p.key = ${project} order by 1`
    ).map(({ name, type }) => [name, type as string]),
  )

// prettier-ignore
const names: [title: string, name: string | undefined][] = [
  ['Story Points', 'storyPoints'], ['storyPoints', 'storyPoints'], ['STORY POINTS', 'storyPoints'], ['Sprint', 'sprint'], ['T-Shirt Größe', 'tShirtGrosse'],
  ['QA_ready?', 'qaReady'], ['2nd line', 'ndLine'], ['  Customer (EU) ', 'customerEu'], ['Épique', 'epique'], ['優先', undefined], ['42', undefined], ['', undefined],
  ['x'.repeat(60), 'x'.repeat(48)],
]

test('names are those of the tool, as far as they can be', () => {
  for (const [title, name] of names) assert.equal(fieldName(title), name, title)
})

test('what cannot be stored is left out or cut, with a note', () => {
  const notes: string[] = []
  const declared = new Set(['none', ...Array.from({ length: 60 }, (_, n) => `e${n}`)])
  const named = createFieldNamer((text) => void notes.push(text), declared)
  assert.deepEqual(named({ Size: ' ', size: 'M', SIZE: 'L', 優先: 'x', Tags: [' a ', ''], None: [], Unknown: '', Long: 'x'.repeat(10_001) }), {
    size: 'M', tags: ['a'], none: null, long: `${'x'.repeat(9_999)}…`,
  }) // prettier-ignore
  assert.deepEqual(notes.map((note) => note.replace(/ \(.*|:.*/, '')), [
    'own fields with the name of another one were left out',
    'own fields whose names have no Latin letters were left out',
    'texts of own fields with more than 10000 characters were cut',
  ]) // prettier-ignore
  const many = named(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`f${'x'.repeat(n % 20)}${n}`, 'y'])))
  assert.equal(Object.keys(many).length, 50)
  const empty = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`e${n}`, '']))
  assert.equal(
    named({ ...empty, last: 'x', ...Object.fromEntries(Object.keys(many).map((name) => [name, 'y'])) })['last'],
    'x',
  )
  assert.deepEqual(Object.keys(named({ a: 'x'.repeat(9_000), b: 'y'.repeat(9_000), c: 1 })), ['a'])
})

const head = 'number,title,fields.points,fields.sprint,fields.billed,fields.decided,fields.labels,fields.code'

test('a sheet declares its own fields by their values', async () => {
  const { error, output } = await importText(
    'tasks.csv',
    `${head}\n1,One,5,Sprint 3,true,2026-11-21,"[""a"",""b;c""]",007\n2,Two,"0,5",,false,,d;e,\n3,Three,,,,,,12\n`,
    '--project',
    'TYPES',
  )
  assert.equal(error, undefined)
  assert.match(
    output,
    /own fields were declared \(billed: boolean, code: text, decided: date, labels: list, points: number, sprint: text\): 6$/m,
  )
  assert.deepEqual(await fieldsOf('TYPES'), [
    { points: 5, sprint: 'Sprint 3', billed: true, decided: '2026-11-21', labels: ['a', 'b;c'], code: '007' },
    { points: 0.5, billed: false, labels: ['d', 'e'] },
    { code: '12' },
  ])
})

// prettier-ignore
const texts: [name: string, cells: [string, string], type: string][] = [
  ['sprint', ['7', '8'], 'text'], ['fixVersions', ['1.1', '1.10'], 'text'], ['targetRelease', ['2026-11-21', '2026-11-28'], 'text'],
  ['fixedInBuild', ['true', 'false'], 'text'], ['epics', ['["1"]', '2'], 'list'], ['conversion', ['7', '8'], 'number'],
  ['sprintPoints', ['7', '8'], 'number'], ['versioned', ['true', 'false'], 'boolean'],
]

test('versions, sprints and the like are texts, whatever they look like', async () => {
  const rows = [0, 1].map((n) =>
    [`Task ${n}`, ...texts.map(([, cells]) => `"${cells[n]!.replaceAll('"', '""')}"`)].join(','),
  )
  const head = ['title', ...texts.map(([name]) => `fields.${name}`)].join(',')
  const { error } = await importText('tasks.csv', [head, ...rows].join('\n'), '--project', 'TEXTS')
  assert.equal(error, undefined)
  assert.deepEqual(await declared('TEXTS'), Object.fromEntries(texts.map(([name, , type]) => [name, type])))
})

test('values become those of the declared type, and others are refused by line and name', async () => {
  await sql`insert into workgate.projects (key, name) values ('KNOWN', 'Known')`
  for (const [name, type] of Object.entries({
    points: 'number',
    sprint: 'list',
    billed: 'boolean',
    decided: 'date',
    labels: 'text',
    code: 'text',
  }))
    // prettier-ignore
    await sql`select workgate.add_field(${name}, ${type}, (select id from workgate.projects where key = 'KNOWN'))`
  const { error, counts } = await importText(
    'tasks.csv',
    `${head}\n1,One,1.23456,A; B,Yes,2026-11-21T09:30:00Z,"[""a"",""b""]",5\n2,Two,,,0,,,\n3,Three,many,A,no,2026-02-30,x,y\n`,
    '--project',
    'KNOWN',
    '--skip-invalid',
  )
  assert.match(error!, /^2 rows of tasks\.csv were skipped$/)
  assert.equal(counts['tasks']!['created'], 2)
  assert.deepEqual(await fieldsOf('KNOWN'), [
    { points: 1.2346, sprint: ['A', 'B'], billed: true, decided: '2026-11-21', labels: 'a, b', code: '5' },
    { billed: false },
  ])
})

test('a file replaces the own fields that it has, and an empty cell removes one', async () => {
  const imported = (text: string) => importText('tasks.csv', text, '--project', 'KEEP')
  await imported('number,title,fields.points,fields.sprint\n1,One,5,A\n2,Two,8,B\n')
  await sql`update workgate.tasks set fields = fields || '{"points": 13}' where title = 'Two' and fields ? 'sprint'`
  await imported('number,title,fields.sprint\n1,One,\n2,Two,C\n')
  assert.deepEqual(await fieldsOf('KEEP'), [{ points: 5 }, { points: 13, sprint: 'C' }])
  const again = await imported('number,title,fields.sprint\n1,One,\n2,Two,C\n')
  assert.deepEqual(again.counts['tasks'], { unchanged: 2 })
  const none = await imported('number,title\n1,One\n2,Two\n')
  assert.deepEqual(none.counts['tasks'], { unchanged: 2 })
})

test('--column names an own field, of a tool as well', async () => {
  const { error } = await importText(
    'tasks.csv',
    'Nr,Aufgabe,Kunde\n1,One,"Acme, Inc."\n',
    '--project', 'COLUMN', '--column', 'Aufgabe=title', '--column', 'Nr=number', '--column', 'Kunde=fields.customer',
  ) // prettier-ignore
  assert.equal(error, undefined)
  assert.deepEqual(await fieldsOf('COLUMN'), [{ customer: 'Acme, Inc.' }])
  const wrong = await importText('tasks.csv', 'a\nb\n', '--column', 'a=fields.Customer')
  assert.match(wrong.error!, /^--column: the field must be one of .*, or fields\.NAME, not "fields\.Customer"$/)
})

describe('an export', () => {
  const project = '019a0000-0000-7000-8000-000000000001'
  const line = (kind: string, n: number, rest: object) =>
    JSON.stringify({ kind, id: `019a0000-0000-7000-8001-${String(n).padStart(12, '0')}`, ...rest })
  const projectLine = JSON.stringify({ kind: 'project', id: project, key: 'EXP', name: 'Exported' })
  const ofProject = (kind: string, n: number, rest: object) => line(kind, n, { projectId: project, ...rest })

  test('has the types of the fields, and replaces all of them', async () => {
    const lines = (fields: object) =>
      [
        projectLine,
        line('field', 1, { name: 'estimate', type: 'text' }),
        ofProject('field', 2, { name: 'release', type: 'text' }),
        ofProject('task', 3, { title: 'One', fields }),
      ].join('\n')
    const first = await importText('export.jsonl', lines({ estimate: '5', release: '2026-11-21', size: 1 }))
    assert.equal(first.error, undefined)
    assert.match(first.output, /own fields were declared \(size: number\): 1$/m)
    assert.deepEqual(await declared('EXP'), { release: 'text', size: 'number' })
    assert.deepEqual([...(await sql`select name, type from workgate.fields where project_id is null`)], [{ name: 'estimate', type: 'text' }]) // prettier-ignore
    await importText('export.jsonl', lines({ release: 'x' }))
    assert.deepEqual(await fieldsOf('EXP'), [{ release: 'x' }])
    assert.deepEqual((await importText('export.jsonl', lines({ release: 'x' }))).counts['tasks'], { unchanged: 1 })
  })

  test('with --project declares them only there', async () => {
    const { error } = await importText(
      'export.jsonl',
      [projectLine, line('field', 5, { name: 'effort', type: 'number' }), ofProject('task', 6, { title: 'One', fields: { effort: 1 } })].join('\n'),
      '--project', 'COPY',
    ) // prettier-ignore
    assert.equal(error, undefined)
    assert.deepEqual(await declared('COPY'), { effort: 'number' })
  })

  test('is refused where a field has another type, and where a value has none', async () => {
    const { error } = await importText(
      'export.jsonl',
      [
        projectLine,
        line('field', 7, { name: 'release', type: 'number' }),
        ofProject('task', 8, { title: 'One', fields: { size: 'S' } }),
      ].join('\n'),
    )
    assert.match(error!, /line 2, type "number": is not that of the own field "release" here: its type is text\n/)
    assert.match(
      error!,
      /line 3, fields\.size "S": must be a value of the type number, which is declared for this own field\n/,
    )
  })
})
