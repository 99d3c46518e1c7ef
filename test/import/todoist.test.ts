// Projects of Todoist.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvFormats } from '../../src/import/formats.ts'
import { readSample } from './read-sample.ts'

const { format, objects, unusedColumns } = readSample('todoist.csv')
const origin = { source: 'todoist:todoist', project: { id: 'todoist', name: 'todoist' } }
const ada = { login: '4711', name: 'Ada' }
const ben = { login: '4712', name: 'Ben Öz' }
const tasks = objects.filter((one) => one.kind === 'task')
const comments = objects.filter((one) => one.kind === 'comment')

test('a task', () => {
  assert.equal(format, 'todoist')
  assert.deepEqual(tasks[0], {
    ...origin,
    kind: 'task',
    externalId: 'Send the offer signed',
    title: 'Send the offer, signed',
    description: 'First line\nSecond line',
    descriptionFormat: 'markdown',
    priority: 'urgent',
    parent: null,
    assignees: [ben],
    creator: ada,
    startDate: null,
    dueDate: '2026-10-05',
    estimateSeconds: 5_400,
    tags: [{ name: 'office' }, { name: 'büro' }],
  })
})

test('sub-tasks, whose ids contain the titles of their parents', () => {
  assert.deepEqual(
    tasks.slice(1, 4).map((task) => [task.externalId, task.parent, task.priority]),
    [
      ['Send the offer signed > Print it', 'Send the offer signed', 'none'],
      ['Send the offer signed > Print it > Buy paper', 'Send the offer signed > Print it', 'medium'],
      ['Send the offer signed > Print it (2)', 'Send the offer signed', 'none'],
    ],
  )
})

test('dates, deadlines, and words instead of a date', () => {
  assert.deepEqual(
    tasks.slice(2).map((task) => [task.title, task.startDate, task.dueDate, task.estimateSeconds, task.description]),
    [
      ['Buy paper', '2026-10-01', '2026-10-04', null, null],
      ['Print it', null, null, null, null],
      ['Water the plants', null, null, null, 'Only the ferns\n\nDate: every Monday at 9am'],
      ['Fair', null, '2026-11-10', 57_600, 'Date: 2026-11-12'],
      ['Old one', null, null, null, null],
    ],
  )
})

test('sections are stages', () => {
  const stages = objects.filter((one) => one.kind === 'stage')
  assert.deepEqual(stages[0], {
    ...origin,
    kind: 'stage',
    board: 'todoist',
    name: 'Weekly',
    category: 'backlog',
    position: 1,
  })
  assert.deepEqual(
    tasks.map((task) => [task.stage?.name, task.state]),
    [
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      ['Weekly', undefined],
      ['Weekly', undefined],
      ['Erledigt', 'completed'],
    ],
  )
})

test('notes are comments', () => {
  const task = 'Send the offer signed > Print it (2)'
  assert.deepEqual(comments[0], {
    ...origin,
    kind: 'comment',
    externalId: `2026-09-30T07:02:05.000000Z 4712 ${task}`,
    task,
    author: ben,
    body: 'Two copies, please',
    bodyFormat: 'markdown',
    createdAt: '2026-09-30T07:02:05.000000Z',
    files: [],
  })
  assert.deepEqual(comments[1], {
    ...origin,
    kind: 'comment',
    externalId: `2026-09-30T08:00:00.000000Z 4711 ${task}`,
    task,
    author: ada,
    body: 'Draft',
    bodyFormat: 'markdown',
    createdAt: '2026-09-30T08:00:00.000000Z',
    files: [
      {
        externalId: 'https://files.example.org/abc/offer.pdf',
        name: 'offer, v2.pdf',
        mimeType: 'application/pdf',
        sizeBytes: 4_727,
        url: 'https://files.example.org/abc/offer.pdf',
      },
    ],
  })
  assert.deepEqual(comments[2], {
    ...origin,
    kind: 'comment',
    externalId: 'Water the plants',
    task: 'Water the plants',
    author: null,
    body: 'No date',
    bodyFormat: 'markdown',
    files: [],
  })
})

test('what is lost is noted', () => {
  const words = 'dates that are not a day, such as "every Monday", were put in the description'
  assert.deepEqual(
    objects.filter((one) => one.kind === 'note').map((one) => one.text),
    ['comments on the project were left out', words, words, 'days of duration were counted as 8 hours'],
  )
  assert.deepEqual(unusedColumns, ['IS_COLLAPSED', 'DATE_LANG', 'TIMEZONE', 'DEADLINE_LANG'])
})

test('a file of a backup has the id of the project in its name', () => {
  const todoist = csvFormats.find((one) => one.name === 'todoist')!
  const row = { choice: () => 'section', required: () => 'Inbox' }
  const [stage] = todoist.open({ name: 'Haus [6Crg8jQ886Wh4P5g]' })(row as never)
  assert.deepEqual(stage, {
    source: 'todoist:6Crg8jQ886Wh4P5g',
    project: { id: '6Crg8jQ886Wh4P5g', name: 'Haus' },
    kind: 'stage',
    board: 'Haus',
    name: 'Inbox',
    category: 'backlog',
    position: 1,
  })
})

// prettier-ignore
const copies: [name: string, source: string][] = [
  ['Website',                        'todoist:Website'],
  ['Website (1)',                    'todoist:Website'],
  ['Website(12)',                    'todoist:Website'],
  ['Website copy',                   'todoist:Website'],
  ['Website copy 2',                 'todoist:Website'],
  ['Website - Copy (3)',             'todoist:Website'],
  ['Website - Kopie',                'todoist:Website'],
  ['Website [6Crg8jQ886Wh4P5g] (1)', 'todoist:6Crg8jQ886Wh4P5g'],
  ['Sprint-1',                       'todoist:Sprint-1'],
  ['(1)',                            'todoist:(1)'],
]

test('a copy of a file is of the same project', () => {
  const todoist = csvFormats.find((one) => one.name === 'todoist')!
  const row = { choice: () => 'section', required: () => 'Inbox' }
  const sourceOf = (name: string) =>
    todoist
      .open({ name })(row as never)
      .map((one) => 'source' in one && one.source)
  for (const [name, source] of copies) assert.deepEqual(sourceOf(name), [source], name)
})

test('invalid values', () => {
  const replace = (from: string, to: string) => () => readSample('todoist.csv', (text) => text.replace(from, to))
  assert.throws(replace(',,1,1,Ada', ',,5,1,Ada'), { name: 'InvalidValue', column: 'PRIORITY', value: '5' })
  assert.throws(replace('{""file_name""', '{file_name'), { name: 'InvalidValue', column: 'CONTENT' })
  assert.throws(replace('Oct 5 2026', '05/10/2026'), { name: 'InvalidValue', column: 'DATE', value: '05/10/2026' })
})
