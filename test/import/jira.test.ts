import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidValue } from '../../src/import/invalid.ts'
import { readSample } from './read-sample.ts'

const cloud = readSample('jira.csv')
const server = readSample('jira-server.csv')
const tasks = (sample: typeof cloud) => sample.objects.flatMap((one) => (one.kind === 'task' ? [one] : []))
const mara = { login: '712020:aaaa-1', name: 'Mara Köhler' }
const jonas = { login: '712020:bbbb-2', name: 'Jonas Weber' }
const origin = { source: 'jira:WEB', project: { id: 'WEB', name: 'Website', key: 'WEB' } }

test('An issue of Jira Cloud is read with all its fields', () => {
  assert.equal(cloud.format, 'jira')
  assert.deepEqual(cloud.objects[0], {
    ...origin,
    kind: 'task',
    type: 'Bug',
    externalId: 'WEB-12',
    externalUrl: 'https://example.atlassian.net/browse/WEB-12',
    number: 12,
    title: 'Menu hides the search, "again"',
    description: 'On small screens:\n\n* open the menu\n* the search is gone',
    descriptionFormat: 'jira',
    state: 'open',
    priority: 'urgent',
    stage: { board: 'Website', boardId: 'project', name: 'In Review', category: 'active' },
    parent: 'WEB-3',
    parentSource: 'jira:WEB',
    assignees: [jonas],
    creator: mara,
    startDate: '2026-03-04',
    dueDate: '2026-03-20',
    estimateSeconds: 28_800,
    completedAt: null,
    cancelledAt: null,
    createdAt: '2026-03-03T09:05:00',
    updatedAt: '2026-03-04T16:30:00',
    tags: [{ name: 'mobile' }, { name: 'größe' }, { name: 'Frontend' }, { name: 'Navigation' }],
    watchers: [jonas, { login: '5f0c3d', name: 'Ada Park' }],
    fields: {
      'Affects versions': ['1.10'],
      'Fix versions': ['2.0', '2.1'],
      Environment: 'Safari 19',
      Customer: 'Acme, Inc.',
      Platforms: ['Web', 'iOS'],
      'Release date': '2026-11-21',
      Responders: null,
      Sprint: ['WEB Sprint 3', 'WEB Sprint 4'],
      'Story Points': '3.0',
    },
  })
})

test('Comments, attachments and work logs are read from their cells', () => {
  const comments = cloud.objects.filter((one) => one.kind === 'comment')
  assert.deepEqual(comments[0], {
    ...origin,
    kind: 'comment',
    externalId: 'WEB-12 comment 2026-03-04T14:01:00 712020:bbbb-2',
    task: 'WEB-12',
    author: { login: '712020:bbbb-2' },
    body: 'First line; with a semicolon\nSecond line',
    bodyFormat: 'jira',
    createdAt: '2026-03-04T14:01:00',
  })
  assert.deepEqual(
    comments.slice(1).map(({ externalId, body }) => [externalId, body]),
    [
      ['WEB-12 comment 2026-03-04T14:01:00 712020:bbbb-2 2', 'Same minute'],
      ['WEB-12 comment 2026-03-05T10:00:00 5f0c3d', 'Works here'],
    ],
  )
  assert.deepEqual(
    cloud.objects.filter((one) => one.kind === 'file'),
    [
      {
        ...origin,
        kind: 'file',
        externalId: 'WEB-12 https://example.atlassian.net/rest/api/3/attachment/content/501',
        task: 'WEB-12',
        creator: { login: '712020:aaaa-1' },
        name: 'menu; small.png',
        mimeType: 'image/png',
        url: 'https://example.atlassian.net/rest/api/3/attachment/content/501',
        createdAt: '2026-03-03T09:06:00',
      },
    ],
  )
  const [first, second] = cloud.objects.filter((one) => one.kind === 'time_entry')
  assert.deepEqual(first, {
    ...origin,
    kind: 'time_entry',
    externalId: 'WEB-12 work 2026-03-04T23:50:00 712020:bbbb-2',
    task: 'WEB-12',
    user: { login: '712020:bbbb-2' },
    description: 'Looked into it; found nothing',
    spentOn: '2026-03-04',
    startedAt: '2026-03-04T23:50:00',
    endedAt: '2026-03-05T00:20:00',
  })
  assert.equal(second?.description, null)
})

// prettier-ignore
const mediaTypes: [name: string, mediaType: string][] = [
  ['Photo.JPG',      'image/jpeg'],
  ['notes.v2.md',    'text/markdown'],
  ['dump.sql',       'application/octet-stream'],
  ['Makefile',       'application/octet-stream'],
  ['a.constructor',  'application/octet-stream'],
]

test('The media type of an attachment follows from the ending of its name', () => {
  for (const [name, mediaType] of mediaTypes) {
    const { objects } = readSample('jira.csv', (text) => text.replace('menu; small.png', name))
    const file = objects.find((one) => one.kind === 'file')
    assert.deepEqual([file?.name, file?.mimeType], [name, mediaType])
  }
})

test('States, priorities and parents of Jira Cloud', () => {
  assert.deepEqual(
    tasks(cloud).map((one) => [
      one.externalId,
      one.state,
      one.priority,
      one.completedAt ?? one.cancelledAt,
      one.parent,
    ]),
    [
      ['WEB-12', 'open', 'urgent', null, 'WEB-3'],
      ['WEB-11', 'completed', 'low', '2026-03-10T17:00:00', null],
      ['WEB-10', 'cancelled', undefined, '2026-03-10T17:05:00', null],
      // A team-managed project has no resolutions.
      ['WEB-9', 'completed', 'medium', '2026-03-04T16:29:00', 'WEB-12'],
      ['WEB-3', 'open', 'none', null, null],
    ],
  )
  assert.deepEqual(
    cloud.objects.filter((one) => one.kind === 'note'),
    [{ kind: 'note', text: 'priorities of unknown meaning were left out', value: 'Sev 3' }],
  )
})

test('Subtasks of Jira Server, which has the ids of parents, are repeated when their parent follows', () => {
  assert.deepEqual(
    tasks(server).map((one) => [one.externalId, one.parent, one.state, one.stage?.category]),
    [
      ['APP_OPS-5', undefined, 'open', 'backlog'],
      ['APP_OPS-4', null, 'cancelled', 'done'],
      ['APP_OPS-3', 'APP_OPS-1', 'completed', 'done'],
      ['APP_OPS-2', null, 'open', 'active'],
      ['APP_OPS-5', 'APP_OPS-2', 'open', 'backlog'],
      ['APP_OPS-6', 'APP_OPS-2', 'open', 'backlog'],
    ],
  )
  const [first] = tasks(server)
  assert.deepEqual(first?.project, { id: 'APP_OPS', name: 'Operations', description: 'Servers' })
  assert.equal(first?.externalUrl, 'https://issues.example.org/jira/browse/APP_OPS-5')
  assert.deepEqual(first?.assignees, [{ login: 'jweber', name: 'jweber' }])
})

// prettier-ignore
const customFields: [claim: string, headings: string, cells: string, fields: object][] = [
  ['points of a column without the prefix', 'Story Points', '5.0', { 'Story Points': '5.0' }],
  ['a column of another one\'s name that is not empty', 'Story Points,Custom field (Story Points)', ',8', { 'Story Points': '8' }],
  ['a single sprint is a list', 'Custom field (Sprint)', 'Sprint 3', { Sprint: ['Sprint 3'] }],
  ['versions of Server', 'Fix Version/s,Affects Version/s', '2.0,1.0', { 'Fix versions': ['2.0'], 'Affects versions': ['1.0'] }],
  ['several columns, of which one is empty', 'Custom field (Area),Custom field (area)', ',North', { Area: ['North'] }],
  ['dates and times', 'Custom field (Due),Custom field (Seen)', '1/Dec/26 12:00 AM,01/Dec/26 3:04 PM', { Due: '2026-12-01', Seen: '2026-12-01T15:04:00' }],
  ['a text that begins like a date', 'Custom field (Note)', '1/Dec/26 or later', { Note: '1/Dec/26 or later' }],
  ['no objects of plugins', 'Custom field (A),Custom field (B),Custom field (C)', '"{a=1, json={}}",com.example.Value@1f,ada.park@example.org', { A: null, B: null, C: 'ada.park@example.org' }],
  ['no fields of boards and charts', 'Custom field (Rank),Custom field (Epic Color),Custom field ([CHART] Time in Status)', '0|i:,ghx-1,5_*:*_1', {}],
  ['what is read otherwise', 'Custom field (Target start),Custom field (Parent Link)', '01/Dec/26 12:00 AM,WEB-1', {}],
]

test('Own fields are sprints, versions, points and the custom fields of a team', () => {
  for (const [claim, headings, cells, fields] of customFields) {
    const { objects } = readSample('jira.csv', () => `Summary,Issue key,Status,${headings}\nOne,WEB-1,To Do,${cells}`)
    assert.deepEqual((objects[0] as { fields?: object }).fields ?? {}, fields, claim)
  }
  assert.deepEqual(
    tasks(server).map((one) => [one.externalId, one.fields?.['Fix versions'], one.fields?.['Sprint']]),
    [
      ['APP_OPS-5', null, ['Ops 12']],
      ['APP_OPS-4', ['5.2', '6.0'], null],
      ['APP_OPS-3', ['5.2'], null],
      ['APP_OPS-2', null, null],
      ['APP_OPS-5', null, ['Ops 12']],
      ['APP_OPS-6', null, null],
    ],
  )
})

test('The site of a project is not taken for that of Jira', () => {
  const { objects } = readSample('jira-server.csv', (text) =>
    text.replaceAll('https://issues.example.org/jira/projects/APP_OPS/summary', 'https://www.example.org/projects'),
  )
  assert.ok(objects[0]?.kind === 'task' && objects[0].externalUrl === undefined)
})

test('Columns that this service cannot store are reported', () => {
  assert.deepEqual(cloud.unusedColumns, [
    'Project type',
    'Project lead',
    'Last Viewed',
    'Votes',
    'Remaining Estimate',
    'Time Spent',
    'Custom field (Approvals)',
    'Custom field (Development)',
    'Custom field (Rank)',
    'Parent summary',
  ])
})

test('Invalid values name their column', () => {
  const columnOf = (from: string, to: string) => {
    try {
      readSample('jira.csv', (text) => text.replace(from, to))
    } catch (error) {
      if (error instanceof InvalidValue) return error.column
      throw error
    }
    return undefined
  }
  assert.equal(columnOf('20/Mar/26 12:00 AM', 'soon'), 'Due date')
  assert.equal(columnOf('05/Mar/26 10:00 AM;5f0c3d;', ''), 'Comment')
  assert.equal(columnOf('04/Mar/26 2:01 PM;712020', 'yesterday;712020'), 'Comment')
  assert.equal(columnOf(';5400', ''), 'Log Work')
  assert.equal(columnOf('menu; small.png;https://', 'menu; small.png;'), 'Attachment')
  assert.equal(columnOf('WEB-12,', 'twelve,'), 'Issue key')
})
