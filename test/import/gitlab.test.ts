// GitLab's JSON: issues, and notes that find their issues.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSample } from './read-sample.ts'

const { format, objects } = readSample('gitlab.json')
const tasks = objects.filter((one) => one.kind === 'task')
const comments = objects.filter((one) => one.kind === 'comment')
const ada = { login: 'ada', name: 'Ada Lind' }
const ben = { login: 'ben', name: 'Ben Öz' }

test('an open issue', () => {
  assert.equal(format, 'gitlab')
  assert.deepEqual(tasks[0], {
    kind: 'task',
    source: 'gitlab@git.example.org:acme/website',
    project: { id: 'acme/website', name: 'website' },
    externalId: 'acme/website#12',
    externalUrl: 'https://git.example.org/acme/website/-/issues/12',
    number: 12,
    title: 'Prüfung der Formulare fehlt',
    description: 'Steps:\n\n1. open the form\n2. send it empty',
    descriptionFormat: 'markdown',
    state: 'open',
    stage: { board: 'acme/website', name: 'doing', category: 'active' },
    assignees: [ben, ada],
    creator: ada,
    dueDate: '2026-03-20',
    estimateSeconds: 5_400,
    fields: {
      milestone: '1.0',
      weight: 3,
      iteration: '2026-03-02 to 2026-03-15',
      epic: 'Forms',
      healthStatus: 'on_track',
    },
    completedAt: null,
    cancelledAt: null,
    createdAt: '2026-03-02T09:15:00.120Z',
    updatedAt: '2026-03-04T16:00:00.000Z',
    tags: [
      { name: 'bug', color: '#d9534f' },
      { name: 'workflow::doing', color: '#6699cc' },
    ],
  })
})

test('a closed issue, whose path is only in its address', () => {
  const { project, stage, state, completedAt, tags, estimateSeconds } = tasks[1]!
  assert.deepEqual(project, { id: 'acme/website', name: 'website' })
  assert.deepEqual(stage, { board: 'acme/website', name: 'Closed', category: 'done' })
  assert.deepEqual([state, completedAt, estimateSeconds], ['completed', '2026-02-03T07:59:59.000Z', null])
  assert.deepEqual(tags, [{ name: 'design' }, { name: 'easy' }])
})

test('own fields that the file does not have are kept, and others are empty', () => {
  assert.deepEqual(
    tasks.slice(1).map((one) => one.fields),
    [{ milestone: null }, {}],
  )
  const { objects } = readSample('gitlab.json', (text) =>
    text.replace('"title": null, "start_date"', '"title": "Spring", "start_date"'),
  )
  assert.ok(objects[0]?.kind === 'task')
  assert.equal(objects[0].fields?.['iteration'], 'Spring')
})

test('a duplicate is cancelled', () => {
  const { state, completedAt, cancelledAt } = tasks[2]!
  assert.deepEqual([state, completedAt, cancelledAt], ['cancelled', null, '2026-02-02T09:00:00.000Z'])
})

test('notes are comments on the issue', () => {
  assert.deepEqual(comments[0], {
    kind: 'comment',
    source: tasks[0]!.source,
    project: { id: 'acme/website', name: 'website' },
    externalId: '302',
    task: tasks[0]!.externalId,
    author: ben,
    body: 'I can reproduce it.\r\n\r\nOnly in **Firefox**.',
    bodyFormat: 'markdown',
    createdAt: '2026-03-03T10:00:00.000Z',
    updatedAt: '2026-03-03T10:05:00.000Z',
  })
  assert.equal(comments.length, 2)
})

test('each host of GitLab is a source of its own, with its own people', () => {
  const sourcesAt = (host: string) =>
    readSample('gitlab.json', (text) => text.replaceAll('git.example.org', host)).objects.flatMap((one) =>
      one.kind === 'task' || one.kind === 'comment' ? [one.source] : [],
    )
  assert.deepEqual(new Set(sourcesAt('gitlab.com')), new Set(['gitlab:acme/website']))
  assert.deepEqual(new Set(sourcesAt('lab.example.org:8443')), new Set(['gitlab@lab.example.org_8443:acme/website']))
})

test('what is lost is noted', () => {
  assert.deepEqual(
    objects.filter((one) => one.kind === 'note').map((one) => one.text),
    [
      'confidential issues became visible to all members of the project',
      'totals of time spent were left out, as they have no dates',
      'internal notes became visible to all members of the project',
      'system notes were left out',
      'notes on other things than issues were left out',
    ],
  )
})

test('a file of notes alone is recognized', () => {
  const notes = readSample('gitlab.json', (text) =>
    JSON.stringify((JSON.parse(text) as { noteable_id?: number }[]).filter((one) => one.noteable_id)),
  )
  assert.equal(notes.format, 'gitlab')
})

test('invalid values', () => {
  const opened = { name: 'InvalidValue', column: 'state', value: 'locked' }
  assert.throws(() => readSample('gitlab.json', (text) => text.replace('"opened"', '"locked"')), opened)
  const noProject = { name: 'InvalidValue', column: 'project_id', message: 'is missing' }
  assert.throws(
    () => readSample('gitlab.json', (text) => text.replace(/("Issue",\s*)"project_id": 5,/, '$1')),
    noProject,
  )
})
