import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidValue } from '../../src/import/invalid.ts'
import { readSample } from './read-sample.ts'

const sample = readSample('asana-website.csv')
const tasks = sample.objects.flatMap((one) => (one.kind === 'task' ? [one] : []))

test('A task of Asana is read with all its fields', () => {
  assert.equal(sample.format, 'asana')
  assert.deepEqual(tasks[0], {
    kind: 'task',
    source: 'asana:Website',
    project: { id: 'Website', name: 'Website' },
    externalId: '1200000000000001',
    externalUrl: 'https://app.asana.com/0/0/1200000000000001',
    title: 'Menu hides the search, "again"',
    description: 'On small screens:\n- open the menu',
    descriptionFormat: 'text',
    state: 'open',
    priority: 'high',
    stage: { board: 'Website', name: 'In progress', category: 'active' },
    parent: null,
    assignees: [{ name: 'Jonas Weber', email: 'jonas@example.org' }],
    startDate: '2026-03-04',
    dueDate: '2026-03-20',
    completedAt: null,
    cancelledAt: null,
    createdAt: '2026-03-03T00:00:00',
    updatedAt: '2026-03-04T00:00:00',
    tags: [{ name: 'Mobile' }, { name: 'Größe' }],
    fields: { 'Task Progress': '50%', 'Story points': '3', Platforms: 'iOS, Web', Launch: '2026-04-01' },
  })
})

test('Sections and times of completion tell the state', () => {
  assert.deepEqual(
    tasks.slice(1, 5).map((one) => [one.stage?.name, one.state, one.priority, one.completedAt ?? one.cancelledAt]),
    [
      ['Planning', 'completed', 'medium', '2026-03-10T00:00:00'],
      ['Done', 'completed', 'none', null],
      ["Won't do", 'cancelled', undefined, '2026-03-11T00:00:00'],
      [undefined, 'open', 'medium', null],
    ],
  )
  assert.deepEqual(tasks[1]?.assignees, [{ name: null, email: 'ada@example.org' }])
})

test('Subtasks, which have no project and only the name of their parent, find it', () => {
  assert.deepEqual(
    tasks.slice(5).map((one) => [one.externalId.slice(-1), one.parent?.slice(-1), one.project?.name]),
    [
      ['6', '1', 'Website'],
      ['7', '6', 'Website'],
      ['8', undefined, 'Website'],
      ['9', undefined, 'Website'],
      ['8', '9', 'Website'],
    ],
  )
})

test('A task in several projects is in the one that the file is named after', () => {
  assert.deepEqual(
    sample.objects.flatMap((one) => (one.kind === 'note' ? [one.text] : [])),
    [
      'tasks were in several projects: they are in one of them here',
      'tasks were not completed, but in a section such as Done: they are completed here',
      'priorities of unknown meaning were left out',
    ],
  )
})

test('Each project is a source of its own, so that --full keeps the tasks of others', () => {
  const { objects } = readSample('asana-website.csv', (text) => text.replaceAll('Website', 'Shop'))
  const sources = objects.flatMap((one) => (one.kind === 'task' ? [one.source] : []))
  assert.deepEqual([...new Set(sources)], ['asana:Roadmap', 'asana:Shop'])
})

test('A subtask that is also in another project stays in that of its parent', () => {
  const { objects } = readSample('asana-website.csv', (text) =>
    text.replace(',"Menu hides the search, ""again""",,,,\n', 'Shop,"Menu hides the search, ""again""",,,,\n'),
  )
  const subtask = objects.find((one) => one.kind === 'task' && one.externalId.endsWith('6'))
  assert.ok(subtask?.kind === 'task')
  assert.deepEqual([subtask.source, subtask.parent], ['asana:Website', '1200000000000001'])
})

test('Of two projects, the one with the longer name in that of the file is chosen', () => {
  const { objects } = readSample('asana-website.csv', (text) => text.replace('"Roadmap, Website"', '"Web, Website"'))
  assert.ok(objects[0]?.kind === 'task')
  assert.equal(objects[0].source, 'asana:Website')
})

test('Columns that this service cannot store are reported', () => {
  assert.deepEqual(sample.unusedColumns, ['Blocked By (Dependencies)', 'Blocking (Dependencies)'])
})

test('Invalid values name their column', () => {
  const invalid = (column: string) => (error: unknown) => error instanceof InvalidValue && error.column === column
  const edited = (from: string, to: string) => () => readSample('asana-website.csv', (text) => text.replace(from, to))
  assert.throws(edited('1200000000000001', '1.2E+15'), invalid('Task ID'))
  assert.throws(edited('2026-03-20', '03/04/2026'), invalid('Due Date'))
})
