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

test('an entry comes with its task', () => {
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

test('the name of a task is the task, or the description', () => {
  assert.deepEqual(
    tasks.map((task) => [task.source, task.title]),
    [
      ['clockify:Acme / Website', 'Design'],
      ['clockify:Acme / Website', 'Schöne Grüße'],
      ['clockify:Acme / Website', 'Time without a description'],
      ['clockify:No project', 'Call'],
      ['clockify:Website', 'Call'],
    ],
  )
})

test('times with AM and PM or without, and an end that only the duration tells', () => {
  assert.deepEqual(
    entries.slice(1).map((entry) => [entry.startedAt, entry.endedAt, entry.billable]),
    [
      ['2026-02-26T00:05:00', '2026-02-26T00:20:00', false],
      ['2026-03-01T12:30:00', '2026-03-01T13:00:00', false],
      ['2026-03-01T14:00:00', null, undefined],
      ['2026-03-02T14:00:00', '2026-03-02T14:10:00', true],
    ],
  )
})

test('a user without an email address', () => {
  assert.deepEqual(entries[3]!.user, { email: null, name: 'Ben Öz' })
  assert.equal(entries[3]!.externalId, 'Ben Öz 2026-03-01 1')
})

test('what is lost is noted', () => {
  assert.deepEqual(
    objects.filter((one) => one.kind === 'note').map((one) => one.text),
    ['tags of time entries were left out', 'time entries without an end became running timers'],
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
