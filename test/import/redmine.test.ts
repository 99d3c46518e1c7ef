import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidValue } from '../../src/import/invalid.ts'
import { readSample } from './read-sample.ts'

const sample = readSample('redmine.csv')
const german = readSample('redmine-de.csv')
const tasksOf = ({ objects }: typeof sample) => objects.flatMap((one) => (one.kind === 'task' ? [one] : []))
const origin = { source: 'redmine:Website', project: { id: 'Website', name: 'Website' } }

test('An issue of Redmine is read with all its fields, and its last comment', () => {
  assert.equal(sample.format, 'redmine')
  assert.deepEqual(sample.objects.slice(0, 4), [
    {
      ...origin,
      kind: 'task',
      type: 'Bug',
      externalId: '112',
      number: 112,
      title: 'Menu hides the search, "again"',
      description: 'On small screens:\n* open the menu',
      state: 'open',
      priority: 'urgent',
      stage: { board: 'Website', name: 'In Progress', category: 'active' },
      parent: '103',
      assignees: [{ name: 'Jonas Weber' }],
      creator: { name: 'Mara Köhler' },
      startDate: '2026-03-04',
      dueDate: '2026-03-20',
      estimateSeconds: 5_400,
      completedAt: null,
      cancelledAt: null,
      createdAt: '2026-03-03T09:05:00',
      updatedAt: '2026-03-04T16:30:00',
      tags: [{ name: 'mobile' }, { name: 'größe' }, { name: 'Frontend' }],
      watchers: [{ name: 'Ada Park' }, { name: 'Mara Köhler' }],
      fields: { 'Target version': '2.0', percentDone: '40', Customer: 'Acme, Inc.' },
    },
    {
      ...origin,
      kind: 'comment',
      externalId: '112 Works here,\nbut not on phones.',
      task: '112',
      body: 'Works here,\nbut not on phones.',
      createdAt: '2026-03-04T16:30:00',
    },
    { kind: 'note', text: 'issues had comments, of which the file has only the last, without its author' },
    { kind: 'note', text: 'issues were private: every member of the project can read them' },
  ])
})

test('The time of closing tells the state where the name of the status does not', () => {
  assert.deepEqual(
    tasksOf(sample).map((one) => [one.stage?.name, one.stage?.category, one.state, one.completedAt ?? one.cancelledAt]),
    [
      ['In Progress', 'active', 'open', null],
      ['Closed', 'done', 'completed', '2026-03-10T17:00:00'],
      ['Rejected', 'done', 'cancelled', '2026-03-10T17:05:00'],
      ['Resolved', 'active', 'open', null],
      ['Delegated', 'done', 'completed', '2026-03-10T17:05:00'],
      ['New', 'backlog', 'open', null],
    ],
  )
  assert.equal(tasksOf(sample)[2]?.priority, undefined)
  assert.equal(tasksOf(sample)[5]?.creator, null)
})

test('German exports have other names, dates and decimal commas', () => {
  assert.equal(german.format, 'redmine')
  const [first, second] = tasksOf(german)
  assert.deepEqual(first, {
    ...origin,
    kind: 'task',
    type: 'Fehler',
    externalId: '7',
    number: 7,
    title: 'Fähre prüfen',
    description: null,
    state: 'open',
    priority: 'urgent',
    stage: { board: 'Website', name: 'In Bearbeitung', category: 'active' },
    parent: '6',
    assignees: [{ name: 'Jonas Weber' }],
    creator: { name: 'Mara Köhler' },
    startDate: '2026-03-04',
    dueDate: '2026-03-20',
    estimateSeconds: 8_100,
    fields: { percentDone: '40', targetVersion: '2.10', Kunde: 'Müller' },
    completedAt: null,
    cancelledAt: null,
    createdAt: '2026-03-03T09:05:00',
    updatedAt: '2026-03-04T16:30:00',
    tags: [],
  })
  assert.deepEqual([second?.state, second?.completedAt, second?.tags], ['completed', '2026-03-04T16:29:00', []])
  assert.deepEqual(german.unusedColumns, ['Aufgewendete Zeit'])
})

test('Each project is a source of its own, so that --full keeps the issues of others', () => {
  const sourceOf = (from: string, to: string) =>
    tasksOf(readSample('redmine.csv', (text) => text.replace(from, to)))[0]?.source
  assert.equal(sourceOf('112,Website', '112,Shop'), 'redmine:Shop')
  assert.equal(sourceOf('#,Project', '#,Unknown'), 'redmine:redmine')
})

test('Columns that this service cannot store are reported', () => {
  assert.deepEqual(sample.unusedColumns, [
    'Parent task subject',
    'Total estimated time',
    'Spent time',
    'Total spent time',
    'Last updated by',
    'Related issues',
    'Files',
  ])
})

test('Invalid values name their column', () => {
  const invalid = (column: string) => (error: unknown) => error instanceof InvalidValue && error.column === column
  const edited = (from: string, to: string) => () => readSample('redmine.csv', (text) => text.replace(from, to))
  assert.throws(edited('1.50', 'one'), invalid('Estimated time'))
  assert.throws(edited('03/20/2026', '03/04/2026'), invalid('Due date'))
  assert.throws(edited('112,', 'Bug 112,'), invalid('#'))
})
