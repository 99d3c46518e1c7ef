// Detailed reports of Clockify.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './read-sample.ts'

const { format, objects, unusedColumns } = readSample('clockify.csv')
const tasks = objects.filter((one) => one.kind === 'task')
const entries = objects.filter((one) => one.kind === 'time_entry')

const website = {
  source: 'clockify:Acme / Website',
  project: { id: 'Acme / Website', name: 'Website', description: 'Client: Acme' },
}

test('an entry comes with the task that it names', () => {
  assert.equal(format, 'clockify')
  assert.deepEqual(objects.slice(0, 3), [
    { ...website, kind: 'task', externalId: 'Acme / Website: Design', title: 'Design', ofEntries: true },
    {
      ...website,
      kind: 'time_entry',
      externalId: 'ada@example.org 2026-02-25 1',
      task: 'Acme / Website: Design',
      named: { title: 'Design', text: 'Design Logo "A", 2nd draft' },
      user: { email: 'ada@example.org', name: 'Ada Lind' },
      description: 'Logo "A", 2nd draft',
      spentOn: '2026-02-25',
      startedAt: '2026-02-25T14:00:00',
      endedAt: '2026-02-25T15:30:00',
      billable: true,
    },
    { kind: 'note', text: 'tags of time entries were left out' },
  ])
})

test('without the name of a task, it has none, and the description may name one', () => {
  assert.deepEqual(
    tasks.map((task) => task.title),
    ['Design'],
  )
  assert.deepEqual(
    entries.slice(1).map((entry) => [entry.source, entry.task, entry.named?.title]),
    [
      ['clockify:Acme / Website', null, 'Schöne Grüße'],
      ['clockify:Acme / Website', null, ''],
      ['clockify:No project', null, 'Call'],
      ['clockify:Website', null, 'Call'],
      ['clockify:Acme / Website', null, 'Review'],
    ],
  )
})

test('times with AM and PM or without, and an end that only the duration tells', () => {
  assert.deepEqual(
    entries.slice(1, 5).map((entry) => [entry.startedAt, entry.endedAt, entry.billable]),
    [
      ['2026-02-26T00:05:00', '2026-02-26T00:20:00', false],
      ['2026-03-01T12:30:00', '2026-03-01T13:00:00', false],
      ['2026-03-01T14:00:00', null, undefined],
      ['2026-03-02T14:00:00', '2026-03-02T14:10:00', true],
    ],
  )
})

test('an entry without a start time has a day and a duration', () => {
  const { spentOn, startedAt, endedAt, timed } = entries[5]!
  assert.deepEqual(
    [spentOn, startedAt, endedAt, timed],
    ['2026-03-03', '2026-03-03T00:00:00Z', '2026-03-03T01:15:00Z', false],
  )
})

test('a user without an email address', () => {
  assert.deepEqual(entries[3]!.user, { email: null, name: 'Ben Öz' })
  assert.equal(entries[3]!.externalId, 'Ben Öz 2026-03-01 1')
})

test('what is lost is noted', () => {
  assert.deepEqual(
    objects.filter((one) => one.kind === 'note').map((one) => one.text),
    [
      'tags of time entries were left out',
      'time entries without an end became running timers',
      'time entries without a start time have only a day and a duration',
    ],
  )
})

test('unknown columns', () => {
  const group = ['Group', 'Type', 'Invoiced', 'Invoice ID']
  assert.deepEqual(unusedColumns, [...group, 'Billable Rate (EUR)', 'Billable Amount (EUR)', 'Date of creation'])
})

test('invalid values', () => {
  const replace = (from: string, to: string) => () => readSample('clockify.csv', (text) => text.replace(from, to))
  const ambiguous = { name: 'InvalidValue', column: 'Start Date', message: /use --dates dmy or --dates mdy/ }
  const undecided = (text: string) => text.replaceAll('02/25/2026', '02/03/2026').replaceAll('02/26/2026', '02/04/2026')
  assert.throws(() => readSample('clockify.csv', undecided), ambiguous)
  assert.throws(replace('"01:30:00"', '"1 h 30"'), { name: 'InvalidValue', column: 'Duration (h)', value: '1 h 30' })
  assert.throws(replace('"Ada Lind","Staff","ada@example.org"', '"","Staff",""'), { column: 'User' })
})
