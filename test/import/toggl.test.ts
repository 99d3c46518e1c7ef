// Detailed reports of Toggl Track.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './read-sample.ts'

const { format, objects, unusedColumns } = readSample('toggl.csv')
const tasks = objects.filter((one) => one.kind === 'task')
const entries = objects.filter((one) => one.kind === 'time_entry')

const website = {
  source: 'toggl:Müller & Söhne / Website',
  project: { id: 'Müller & Söhne / Website', name: 'Website', description: 'Client: Müller & Söhne' },
}

test('an entry comes with the task that it names', () => {
  assert.equal(format, 'toggl')
  assert.deepEqual(objects.slice(0, 3), [
    { ...website, kind: 'task', externalId: 'Müller & Söhne / Website: Design', title: 'Design', ofEntries: true },
    {
      ...website,
      kind: 'time_entry',
      externalId: 'ada@example.org 2026-03-02 1',
      task: 'Müller & Söhne / Website: Design',
      named: { title: 'Design', text: 'Design Logo, first draft' },
      user: { email: 'ada@example.org', name: 'Ada Lind' },
      description: 'Logo, first draft',
      spentOn: '2026-03-02',
      startedAt: '2026-03-02T09:00:00',
      endedAt: '2026-03-02T10:30:00',
      billable: true,
    },
    { kind: 'note', text: 'tags of time entries were left out' },
  ])
})

test('without the name of a task, it has none, and the description may name one', () => {
  assert.deepEqual(
    tasks.map((task) => [task.project?.name, task.externalId, task.title]),
    [
      ['Website', 'Müller & Söhne / Website: Design', 'Design'],
      ['Website', 'Müller & Söhne / Website: Design', 'Design'],
    ],
  )
  const named = (title: string) => ({ title, text: title })
  assert.deepEqual(
    entries.slice(2).map((entry) => [entry.project?.name, entry.task, entry.named]),
    [
      ['Internal', null, named('Plan the week\nwith Ben')],
      ['Internal', null, named('')],
      ['No project', null, named('Phone call')],
      ['Internal', null, named('Plan, the week')],
      ['Internal', null, named('Plan, the week')],
      ['Internal', null, named('Review')],
    ],
  )
})

test('an entry without a start time has a day and a duration', () => {
  const { spentOn, startedAt, endedAt, timed } = entries[7]!
  assert.deepEqual(
    [spentOn, startedAt, endedAt, timed],
    ['2026-03-05', '2026-03-05T00:00:00Z', '2026-03-05T02:15:00Z', false],
  )
  assert.deepEqual(
    entries.slice(0, 7).map((entry) => 'timed' in entry),
    Array.from({ length: 7 }, () => false),
  )
  assert.deepEqual(objects.at(-1), {
    kind: 'note',
    text: 'time entries without a start time have only a day and a duration',
  })
})

test('a report without start times', () => {
  const { format: found, objects: some } = readSample('toggl.csv', () =>
    ['User,Email,Project,Description,Start date,Duration', 'Ada Lind,,Web,Call,2026-05-22,1:30:00'].join('\n'),
  )
  assert.equal(found, 'toggl')
  assert.deepEqual(
    some.flatMap((one) => (one.kind === 'time_entry' ? [one.startedAt, one.endedAt, one.timed] : [])),
    ['2026-05-22T00:00:00Z', '2026-05-22T01:30:00Z', false],
  )
})

test('an entry that ends on the next day, and one whose end only the duration tells', () => {
  const times = ({ spentOn, startedAt, endedAt, billable }: (typeof entries)[0]) => [
    spentOn,
    startedAt,
    endedAt,
    billable,
  ]
  assert.deepEqual(times(entries[1]!), ['2026-03-02', '2026-03-02T23:30:00', '2026-03-03T00:15:00', true])
  assert.deepEqual(times(entries[4]!), ['2026-03-03', '2026-03-03T09:00:00', '2026-03-03T09:05:30', false])
})

test('an entry is identified by its order in the day of a person and project', () => {
  assert.deepEqual(
    entries.map((entry) => entry.externalId),
    [
      'ada@example.org 2026-03-02 1',
      'ben@example.org 2026-03-02 1',
      'ada@example.org 2026-03-03 1',
      'ada@example.org 2026-03-03 2',
      'ada@example.org 2026-03-03 1',
      'ada@example.org 2026-03-04 1',
      'ada@example.org 2026-03-04 2',
      'ada@example.org 2026-03-05 1',
    ],
  )
})

test('a corrected start, duration or description keeps the id', () => {
  const idsOf = (edit?: (text: string) => string) =>
    readSample('toggl.csv', edit).objects.flatMap((one) => (one.kind === 'time_entry' ? [one.externalId] : []))
  for (const [from, to] of [['09:00:00', '09:10:00'], ['10:30:00', '11:30:00'], ['first draft', 'second']] as const) // prettier-ignore
    assert.deepEqual(idsOf((text) => text.replace(from, to)), idsOf()) // prettier-ignore
})

test('a long name of a task, and a long description', () => {
  const { objects: edited } = readSample('toggl.csv', (text) =>
    text.replace(',,Phone call', `,${'ä'.repeat(600)},${'ö'.repeat(600)}`),
  )
  const task = edited.filter((one) => one.kind === 'task')[2]!
  assert.deepEqual([task.title, task.externalId], ['ä'.repeat(500), `No project: ${'ä'.repeat(188)}`])
  const entry = edited.filter((one) => one.kind === 'time_entry')[4]!
  assert.deepEqual([entry.task, entry.description], [task.externalId, 'ö'.repeat(600)])
})

test('unknown columns', () => {
  assert.deepEqual(unusedColumns, ['Amount (EUR)'])
})

test('an export with chosen columns', () => {
  const { format: found, objects: some } = readSample('toggl.csv', () =>
    [
      'Description,Duration,User,Start date,Start time,Stop date,Stop time',
      'Call,1:00:00,Ada Lind,2026-05-22,10:30:00,2026-05-22,11:30:00',
    ].join('\n'),
  )
  assert.equal(found, 'toggl')
  assert.deepEqual(some, [
    {
      source: 'toggl:',
      kind: 'time_entry',
      externalId: 'Ada Lind 2026-05-22 1',
      task: null,
      named: { title: 'Call', text: 'Call' },
      user: { name: 'Ada Lind' },
      description: 'Call',
      spentOn: '2026-05-22',
      startedAt: '2026-05-22T10:30:00',
      endedAt: '2026-05-22T11:30:00',
    },
  ])
})

test('invalid values', () => {
  const replace = (from: string, to: string) => () => readSample('toggl.csv', (text) => text.replace(from, to))
  assert.throws(replace('09:00:00', '9 h'), { name: 'InvalidValue', column: 'Start time', value: '9 h' })
  assert.throws(replace(',02:15:00,', ',,'), { name: 'InvalidValue', column: 'Start time', message: /the duration/ })
  assert.throws(replace('Yes', 'Perhaps'), { name: 'InvalidValue', column: 'Billable', value: 'Perhaps' })
})
