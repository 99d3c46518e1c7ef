import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaningOf } from '../../src/import/formats/gitlab-labels.ts'
import { InvalidValue } from '../../src/import/invalid.ts'
import { readSample } from './read-sample.ts'

const sample = readSample('gitlab-csv.csv')
const tasksOf = ({ objects }: typeof sample) => objects.flatMap((one) => (one.kind === 'task' ? [one] : []))
const origin = { source: 'gitlab@gitlab.example.org:acme/web/site', project: { id: 'acme/web/site', name: 'site' } }

test('Issues of GitLab are read with all their fields', () => {
  assert.equal(sample.format, 'gitlab-csv')
  assert.deepEqual(sample.objects.slice(0, 3), [
    {
      ...origin,
      kind: 'task',
      externalId: 'acme/web/site#12',
      externalUrl: 'https://gitlab.example.org/acme/web/site/-/issues/12',
      number: 12,
      title: 'Menu hides the search, "again"',
      description: 'On small screens:\n\n- open the menu\n- größer',
      descriptionFormat: 'markdown',
      state: 'open',
      stage: { board: 'acme/web/site', name: 'in review', category: 'active' },
      assignees: [
        { login: 'jonas', name: 'Jonas Weber' },
        { login: 'ada', name: 'Ada Park' },
      ],
      creator: { login: 'mara', name: 'Mara Köhler' },
      dueDate: '2026-03-20',
      estimateSeconds: 28_800,
      completedAt: null,
      cancelledAt: null,
      createdAt: '2026-03-03T09:05:12Z',
      updatedAt: '2026-03-04T16:30:00Z',
      tags: [{ name: 'bug' }, { name: 'workflow::in review' }],
      fields: { milestone: 'Spring', weight: '3' },
    },
    { kind: 'note', text: 'issues were confidential: every member of the project can read them' },
    {
      ...origin,
      kind: 'task',
      externalId: 'acme/web/site#11',
      externalUrl: 'https://gitlab.example.org/acme/web/site/-/issues/11',
      number: 11,
      title: 'Write the imprint',
      description: null,
      descriptionFormat: null,
      state: 'completed',
      stage: { board: 'acme/web/site', name: 'Closed', category: 'done' },
      assignees: [{ login: 'ada', name: 'Park, Ada' }],
      creator: { login: 'mara', name: 'Mara Köhler' },
      dueDate: null,
      estimateSeconds: null,
      completedAt: '2026-03-10T17:00:00Z',
      cancelledAt: null,
      createdAt: '2026-03-03T09:05:12Z',
      updatedAt: '2026-03-04T16:30:00Z',
      tags: [],
      fields: { milestone: null, weight: null },
    },
  ])
})

test('An address of an older GitLab, and an author whose account was deleted', () => {
  const task = tasksOf(sample)[2]
  assert.equal(task?.externalId, 'acme/web/site#3')
  assert.equal(task?.creator, null)
})

test('GitLab 18 adds parents, epics and start dates', () => {
  const newer = readSample('gitlab-csv-18.csv')
  assert.equal(newer.format, 'gitlab-csv')
  assert.deepEqual(
    tasksOf(newer).map((one) => [one.externalId, one.parent, one.startDate, one.fields]),
    [
      ['acme/ops#7', 'acme/ops#5', '2026-03-04', { milestone: null, epic: null, weight: '2' }],
      ['acme/ops#5', null, null, { milestone: '18.0', epic: 'Security', weight: null }],
      ['acme/ops#4', null, null, { milestone: null, epic: null, weight: null }],
    ],
  )
  assert.deepEqual(newer.unusedColumns, ['ID', 'Locked', 'Parent ID', 'Time Spent'])
})

test('Columns that this service cannot store are reported', () => {
  assert.deepEqual(sample.unusedColumns, ['Locked', 'Time Spent'])
})

test('Invalid values name their column', () => {
  const invalid = (column: string) => (error: unknown) => error instanceof InvalidValue && error.column === column
  const edited = (from: string, to: string) => () => readSample('gitlab-csv.csv', (text) => text.replace(from, to))
  assert.throws(edited('2026-03-04 16:30:00', '2026-03-04 25:30:00'), invalid('Updated At (UTC)'))
  assert.throws(edited('/-/issues/12', '/-/boards'), invalid('URL'))
  assert.throws(edited('Open', 'Locked'), invalid('State'))
})

// prettier-ignore
const labels: [labels: string[], isClosed: boolean, state: string, stage: string, category: string][] = [
  [[],                                  false, 'open',      'Open',   'backlog'],
  [['bug', 'workflow::doing'],          false, 'open',      'doing',  'active'],
  [['Status:: Ready for development'],  false, 'open',      'Ready for development', 'backlog'],
  [['priority::high'],                  false, 'open',      'Open',   'backlog'],
  [['wontfix'],                         false, 'open',      'Open',   'backlog'],
  [['wontfix'],                         true,  'cancelled', 'Closed', 'done'],
  [["won't do"],                        true,  'cancelled', 'Closed', 'done'],
  [['workflow::canceled'],              true,  'cancelled', 'Closed', 'done'],
  [['workflow::doing'],                 true,  'completed', 'Closed', 'done'],
]

test('Labels say the stage of an open issue, and whether a closed one was done', () => {
  for (const [names, isClosed, state, name, category] of labels)
    assert.deepEqual(meaningOf(isClosed, names), { state, stage: { name, category } }, names.join())
})
