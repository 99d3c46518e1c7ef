// Boards of Trello.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './read-sample.ts'

const { format, objects } = readSample('trello.json')
const origin = {
  source: 'trello:65e000000000000000000001',
  project: { id: '65e000000000000000000001', name: 'Website', description: 'Relaunch of the website' },
}
const ada = { login: 'adalind', name: 'Ada Lind' }
const ben = { login: 'benoez', name: 'Ben Öz' }
const tasks = objects.filter((one) => one.kind === 'task')
const comments = objects.filter((one) => one.kind === 'comment')

test('lists are stages, in their order on the board', () => {
  assert.equal(format, 'trello')
  const stages = objects.filter((one) => one.kind === 'stage')
  assert.deepEqual(stages[0], {
    ...origin,
    kind: 'stage',
    board: 'Website',
    boardId: '65e000000000000000000001',
    id: '65e000000000000000000101',
    name: 'To do',
    category: 'backlog',
    position: 1,
  })
  assert.deepEqual(
    stages.map(({ name, category, position }) => [name, category, position]),
    [
      ['To do', 'backlog', 1],
      ['Doing', 'active', 2],
      ['Done', 'done', 3],
    ],
  )
})

test('a card', () => {
  assert.deepEqual(
    tasks.find((task) => task.number === 2),
    {
      ...origin,
      kind: 'task',
      externalId: '65e1a1000000000000000001',
      externalUrl: 'https://trello.example.org/c/Aaaa1111',
      number: 2,
      title: 'Neues Logo für die Startseite',
      description: [
        'As an SVG.\n\n**Not** a PNG.',
        '**Drafts**\n\n- [x] First\n- [ ] Second',
        '**Launch**\n\n- [ ] Upload it',
      ].join('\n\n'),
      descriptionFormat: 'markdown',
      state: 'open',
      stage: {
        board: 'Website',
        boardId: '65e000000000000000000001',
        id: '65e000000000000000000102',
        name: 'Doing',
        category: 'active',
      },
      assignees: [ben, ada],
      creator: ben,
      startDate: '2026-03-02',
      dueDate: '2026-03-13',
      completedAt: null,
      cancelledAt: null,
      createdAt: '2024-03-01T09:33:52.000Z',
      updatedAt: '2026-03-05T10:00:00.000Z',
      tags: [{ name: 'Design', color: '#61bd4f' }, { name: 'red', color: '#eb5a46' }, { name: 'Später' }],
      fields: { Effort: '3', Customer: 'Acme', Launch: '2026-04-01', Approved: true, Risk: 'Low' },
    },
  )
})

// prettier-ignore
const days: [zone: string | undefined, start: string, due: string][] = [
  [undefined,          '2026-03-02', '2026-03-13'],
  ['UTC',              '2026-03-02', '2026-03-13'],
  ['Asia/Tokyo',       '2026-03-02', '2026-03-14'],
  ['Pacific/Honolulu', '2026-03-01', '2026-03-13'],
]

test('start and due are the days of their times in the time zone of the import', () => {
  for (const [timezone, start, due] of days) {
    const { objects } = readSample('trello.json', undefined, timezone)
    const card = objects.find((one) => one.kind === 'task' && one.number === 2)
    assert.ok(card?.kind === 'task')
    assert.deepEqual([card.startDate, card.dueDate], [start, due], timezone)
  }
  assert.throws(() => readSample('trello.json', undefined, '<+03>-03'), {
    name: 'InvalidFile',
    message: 'with times that need a --timezone with a name such as Europe/Berlin, not "<+03>-03"',
  })
})

test('custom fields are own fields, whose dates are days', () => {
  const { objects } = readSample('trello.json', undefined, 'Asia/Tokyo')
  const launches = objects.flatMap((one) => (one.kind === 'task' ? [one.fields?.['Launch']] : []))
  assert.deepEqual(launches, [null, '2026-04-02', null, null])
  assert.deepEqual(tasks[0]?.fields, { Effort: null, Customer: null, Launch: null, Approved: null, Risk: null })
})

test('cards that are done, and archived ones', () => {
  assert.deepEqual(
    tasks.map((task) => [task.title, task.state, task.stage?.category, task.completedAt ?? task.cancelledAt]),
    [
      ['Choose a domain', 'completed', 'done', '2026-02-20T10:00:00.000Z'],
      ['Neues Logo für die Startseite', 'open', 'active', null],
      ['Pay the hosting', 'completed', 'backlog', null],
      ['Guest book', 'cancelled', 'done', undefined],
    ],
  )
})

test('an upload is a file of the task, and a link is a comment', () => {
  const url =
    'https://trello.example.org/1/cards/65e1a1000000000000000001/attachments/65e000000000000000000501/download/logo.svg'
  const file = {
    ...origin,
    kind: 'file',
    externalId: '65e000000000000000000501',
    task: '65e1a1000000000000000001',
    creator: ada,
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    sizeBytes: 4_321,
    url,
    createdAt: '2026-03-03T12:00:00.000Z',
  }
  const filesIn = (list: typeof objects) => list.filter((one) => one.kind === 'file')
  assert.deepEqual(filesIn(objects), [file])
  const unknown = readSample('trello.json', (text) =>
    text.replace('"bytes": 4321', '"bytes": null').replace('"mimeType": "image/svg+xml"', '"mimeType": ""'),
  )
  assert.deepEqual(filesIn(unknown.objects), [{ ...file, sizeBytes: null }])
  assert.deepEqual(comments[0], {
    ...origin,
    kind: 'comment',
    externalId: '65e000000000000000000502',
    task: '65e1a1000000000000000001',
    author: ben,
    body: '[Brand guide](https://brand.example.org/guide)',
    bodyFormat: 'markdown',
    createdAt: '2026-03-03T13:00:00.000Z',
  })
})

test('a comment of someone who has left the board', () => {
  assert.deepEqual(comments[1], {
    ...origin,
    kind: 'comment',
    externalId: '65e000000000000000000605',
    task: '65e1a1000000000000000001',
    author: { login: 'cleo', name: 'Cleo Ra' },
    body: 'Looks good,\n@benoez',
    bodyFormat: 'markdown',
    createdAt: '2026-03-05T10:00:00.000Z',
    updatedAt: '2026-03-05T10:01:00.000Z',
  })
  assert.equal(comments.length, 2)
})

test('what is lost is noted', () => {
  assert.deepEqual(
    objects.filter((one) => one.kind === 'note').map((one) => one.text),
    [
      'archived cards that were not done were cancelled',
      'card templates were left out',
      'comments on deleted cards were left out',
    ],
  )
})

test('invalid values', () => {
  const replace = (from: string, to: string) => () => readSample('trello.json', (text) => text.replace(from, to))
  assert.throws(replace('"name": "Doing"', '"name": 7'), { name: 'InvalidValue', column: 'lists.2.name', value: '7' })
  assert.throws(replace('2026-03-13T17:00:00.000Z', 'soon'), { column: 'cards.0.due', value: 'soon' })
  assert.throws(replace('"id": "65e1a1000000000000000003"', '"id": "x"'), {
    name: 'InvalidValue',
    column: 'cards.2.id',
  })
})
