import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidValue } from '../../src/import/invalid.ts'
import { readSample } from './read-sample.ts'

const sample = readSample('linear.csv')
const tasks = sample.objects.flatMap((one) => (one.kind === 'task' ? [one] : []))

test('An issue of Linear is read with all its fields', () => {
  assert.equal(sample.format, 'linear')
  assert.deepEqual(tasks[0], {
    kind: 'task',
    source: 'linear:ENG',
    project: { id: 'ENG', name: 'Engineering', key: 'ENG' },
    externalId: 'ENG-12',
    number: 12,
    title: '=SUM breaks in "Totals"',
    description: '- first line\n- größer',
    descriptionFormat: 'markdown',
    state: 'open',
    priority: 'urgent',
    stage: { board: 'Engineering', name: 'In Review', category: 'active' },
    parent: 'ENG-3',
    assignees: [{ email: 'jonas@example.org' }],
    creator: { email: 'mara@example.org' },
    dueDate: '2026-03-20',
    completedAt: null,
    cancelledAt: null,
    createdAt: '2026-03-03T09:05:12.345Z',
    updatedAt: '2026-03-04T16:30:00.000Z',
    tags: [{ name: 'Bug' }, { name: 'Front end' }, { name: 'Billing' }],
    fields: { estimate: '3', cycle: 'Spring cleaning', initiatives: 'Growth', milestone: '1.0', slaStatus: 'LowRisk' },
  })
})

test('Times tell the type of a status, whatever its name', () => {
  assert.deepEqual(
    tasks.map((one) => [one.stage?.name, one.stage?.category, one.state, one.completedAt ?? one.cancelledAt]),
    [
      ['In Review', 'active', 'open', null],
      ['Live on site', 'done', 'completed', '2026-03-10T17:00:00.000Z'],
      ['Duplicate', 'done', 'cancelled', '2026-03-10T17:05:00.000Z'],
      ['Closed beta', 'active', 'open', null],
      ['Ideas', 'backlog', 'open', null],
      ['Todo', 'backlog', 'open', null],
    ],
  )
})

test('Teams are projects, and older exports have other times', () => {
  assert.equal(tasks[4]?.createdAt, '2026-03-03T09:05:12+00:00')
  assert.deepEqual(tasks[4]?.creator, null)
  assert.deepEqual(tasks[5]?.project, { id: 'DESK', name: 'Help desk', key: 'DESK' })
  assert.deepEqual(tasks[5]?.creator, { login: 'Mara Köhler', name: 'Mara Köhler' })
})

test('A cycle without a name has its number, and texts that look like formulas are as in Linear', () => {
  assert.deepEqual(tasks[1]?.fields, { estimate: '5', cycle: 'Cycle 6', initiatives: null, milestone: '=Later', slaStatus: null }) // prettier-ignore
  assert.equal(tasks[2]?.fields?.['cycle'], null)
})

test('Columns that this service cannot store are reported', () => {
  assert.deepEqual(sample.unusedColumns, [
    'Project ID',
    'Cycle Start',
    'Cycle End',
    'Triaged',
    'Archived',
    'Project Milestone ID',
    'UUID',
    'Time in status (minutes)',
    'Related to',
    'Blocked by',
    'Duplicate of',
  ])
})

test('Invalid values name their column', () => {
  const invalid = (column: string) => (error: unknown) => error instanceof InvalidValue && error.column === column
  const edited = (from: string, to: string) => () => readSample('linear.csv', (text) => text.replace(from, to))
  assert.throws(edited('"Urgent"', '"Very urgent"'), invalid('Priority'))
  assert.throws(edited('"2026-03-20"', '"2026-02-30"'), invalid('Due Date'))
  assert.throws(edited('"ENG-12"', '"12"'), invalid('ID'))
})
