// The list of tasks and a single task: fields, includes, filters and sorts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'
import { assertRefused } from '../support/refused.ts'
import { tag } from '../support/tasks.ts'
import { valuesOf } from '../support/values.ts'

const { workgate, get } = await contractSuite({ data: 'tasks' })

const tasks = `/projects/${web}/tasks`
const one = `${tasks}/${id('task', 1)}`

const fieldsOfOne = {
  id: id('task', 1),
  projectId: web,
  number: 1,
  reference: 'WEB-1',
  title: 'One',
  description: 'Paint the *bikeshed* in Grün',
  state: 'open',
  priority: 'high',
  boardId: id('board', 1),
  stageId: id('stage', 1),
  parentId: null,
  assigneeId: id('user', 1),
  assigneeIds: [id('user', 1)],
  creatorId: id('user', 2),
  descriptionFormat: null,
  type: null,
  startDate: '2020-03-02',
  dueDate: '2020-04-10',
  estimateSeconds: 3600,
  externalUrl: null,
  fields: { points: 3, sprint: 'Sprint 3' },
  completedAt: null,
  cancelledAt: null,
  externalId: null,
  createdAt: '2026-03-02T09:00:00.000Z',
  updatedAt: '2026-03-10T00:00:00.000Z',
  version: 1,
}
const tags = [
  { id: tag(1), name: 'bug', color: '#cc0000' },
  { id: tag(3), name: 'UI', color: '#00cc00' },
  { id: tag(2), name: 'Ärger', color: null },
]
const watchers = [
  { id: id('user', 1), name: 'Ada Lovelace' },
  { id: id('user', 2), name: 'grace Hopper' },
  { id: id('user', 4), name: 'Zoë Q' },
]
/** Compares the text, and so the order of the fields. */
const assertText = (actual: string, data: unknown) => assert.equal(actual, jsonOf({ data }))
/** PostgreSQL writes own fields with spaces. */
const jsonOf = (body: unknown) =>
  JSON.stringify(body).replace('{"points":3,"sprint":"Sprint 3"}', '{"points": 3, "sprint": "Sprint 3"}')

describe('one task', () => {
  test('has all its fields, in their order', async () => assertText((await get(one)).text, fieldsOfOne))

  test('has null for absent values', async () => {
    const { data } = (await get(`${tasks}/${id('task', 6)}`)).body
    assert.deepEqual(Object.keys(data), Object.keys(fieldsOfOne))
    const absent = Object.entries(data).filter(([, value]) => value === null)
    assert.equal(
      absent.map(([name]) => name).join(' '),
      'description boardId stageId parentId assigneeId creatorId descriptionFormat type startDate dueDate estimateSeconds externalUrl cancelledAt externalId',
    )
    assert.equal(data.completedAt, '2026-03-07T08:00:00.000Z')
  })

  // prettier-ignore
  const includes: [include: string, data: unknown][] = [
    ['tags',           { ...fieldsOfOne, tags }],
    ['watchers',       { ...fieldsOfOne, watchers }],
    ['watchers,tags',  { ...fieldsOfOne, tags, watchers }],
    ['',               fieldsOfOne],
  ]
  for (const [include, data] of includes) {
    test(`include=${include} adds only those fields, sorted by name`, async () =>
      assertText((await get(`${one}?include=${include}`)).text, data))
  }

  test('includes without rows are empty lists', async () => {
    const { data } = (await get(`${tasks}/${id('task', 2)}?include=tags,watchers`)).body
    assert.deepEqual([data.tags, data.watchers], [[], []])
  })

  test('watchers with the same name are in the order of their ids', async () => {
    await workgate.sql`update workgate.users set name = 'ada lovelace' where id = ${id('user', 4)}`
    const { data } = (await get(`${one}?include=watchers`)).body
    await workgate.sql`update workgate.users set name = 'Zoë Q' where id = ${id('user', 4)}`
    assert.deepEqual(valuesOf(data.watchers, 'id'), [id('user', 1), id('user', 4), id('user', 2)])
  })

  test('a change by SQL is in the next response', async () => {
    const path = `/projects/${app}/tasks/${id('task', 7)}`
    await workgate.sql`update workgate.tasks set state = 'completed' where id = ${id('task', 7)}`
    const { data } = (await get(path)).body
    assert.deepEqual([data.state, data.version, data.completedAt], ['completed', 2, data.updatedAt])
    await workgate.sql`delete from workgate.task_tags where task_id = ${id('task', 7)}`
    assert.deepEqual((await get(`${path}?include=tags`)).body.data.tags, [])
  })
})

describe('the list', () => {
  test('has the same fields and includes as one task', async () => {
    const find = async (query: string) => (await get(`${tasks}?number=1&${query}`)).text
    const list = (data: unknown) => jsonOf({ data: [data], meta: { limit: 50, nextCursor: null, hasMore: false } })
    assert.equal(await find(''), list(fieldsOfOne))
    assert.equal(await find('include=tags,watchers'), list({ ...fieldsOfOne, tags, watchers }))
  })

  test('a cursor continues with other includes', async () => {
    const { nextCursor } = (await get(`${tasks}?limit=4&include=tags`)).body.meta
    const { data } = (await get(`${tasks}?limit=4&include=watchers&cursor=${nextCursor}`)).body
    assert.deepEqual(
      data.map((task: any) => [task.title, task.tags, task.watchers]),
      [
        ['Four', undefined, []],
        ['Five', undefined, []],
      ],
    )
  })

  test('is empty for an empty project', async () => {
    assert.deepEqual((await get(`/projects/${old}/tasks`)).body.data, [])
  })
})

// prettier-ignore
const found: [claim: string, query: string, titles: string][] = [
  ['newest first by default, ties by id, descending',      '',                                        'Six, Three, Two, One, Four, Five'],
  ['by due date, descending, nulls last',                  'sort=-dueDate',                           'Three, One, Five, Four, Six, Two'],
  ['assigneeId: in upper case',                            `assigneeId=none,${id('user', 1).toUpperCase()}`, 'Six, Two, One, Five'],
  ['tag: in any case',                                     'tag=BUG',                                 'One'],
  ['tag: beyond ASCII, in any case',                       `tag=${encodeURIComponent('äRGER')}`,      'Three, One'],
  ['tag: several, each task once',                         `tag=bug,ui,${encodeURIComponent('ärger')}`, 'Three, One'],
  ['tag: an array literal finds nothing',                  'tag={bug}',                               ''],
  ['dueAfter: a time after the start of a day',            'dueAfter=2020-04-10T00:00:01Z',           'Three'],
  ['dueAfter: the start of a day, with an offset',         'dueAfter=2020-04-10T02:00:00%2B02:00',    'Three, One'],
  ['dueAfter: a nanosecond after the start of a day',      'dueAfter=2020-04-10T00:00:00.000000001Z', 'Three'],
  ['dueBefore: a time after the start of a day',           'dueBefore=2020-04-10T00:00:01Z',          'One, Four, Five'],
  ['dueBefore: a time after the last date',                'dueBefore=9999-12-31T23:59:59-14:00',     'Three, One, Four, Five'],
  ['dueBefore: the same, sorted by due date',              'dueBefore=9999-12-31T23:59:59-14:00&sort=dueDate', 'Four, Five, One, Three'],
  ['dueAfter: a time before the first date',               'dueAfter=0001-01-01T00:00:00%2B14:00',    'Three, One, Four, Five'],
  ['dueAfter: the same, sorted by due date',               'dueAfter=0001-01-01T00:00:00%2B14:00&sort=-dueDate', 'Three, One, Five, Four'],
  ['overdue: open, and due before today',                  'overdue=true',                            'One'],
  ['completedAfter: is exact to the nanosecond',           'completedAfter=2026-03-08T12:00:00.500000001Z', ''],
  ['completedBefore: is exact to the nanosecond',          'completedBefore=2026-03-08T12:00:00.500000001Z', 'Six, Four'],
  ['createdBefore: a date means its start in UTC',         'createdBefore=2026-03-01',                'Five'],
  ['q: in the title, in any case',                         'q=thr',                                   'Three'],
  ['q: in the description, prefixes of words',             'q=bikeshed',                              'One, Four'],
  ['q: beyond ASCII, in any case',                         `q=${encodeURIComponent('GRÜN')}`,         'One'],
  ['q: all words, in the title and the description',       'q=paint%20one',                           'One'],
  ['q: has no query syntax',                               `q=${encodeURIComponent("bikeshed | ! 'six:*")}`, ''],
  ['different filters, one task',                          `state=open,completed&assigneeId=${id('user', 2)}&dueBefore=2026-01-01&q=bikes&priority=medium`, 'Four'],
]

describe('filters and sorts', () => {
  for (const [claim, query, titles] of found) {
    test(claim, async () => {
      const { status, body } = await get(`${tasks}?${query}`)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.data.map((task: { title: string }) => task.title).join(', '), titles)
    })
  }

  test('a task is overdue from the day after its due date', async () => {
    const due = async (days: number) => {
      await workgate.sql`
        update workgate.tasks set due_date = (now() at time zone 'UTC')::date + ${days}::integer where id = ${id('task', 2)}`
      return (await get(`${tasks}?overdue=true&number=2`)).body.data.length
    }
    assert.deepEqual([await due(-1), await due(0)], [1, 0])
  })
})

// prettier-ignore
const refused: [claim: string, query: string, name: string, message: RegExp][] = [
  ['an unknown state',             'state=done',                              'state',       /must be one of open, completed, cancelled/],
  ['a malformed stage',        'stageId=none',                            'stageId',     /must be a UUID/],
  ['a malformed assignee',    'assigneeId=nobody',                       'assigneeId',  /must be a UUID or "none"/],
  ['"none" as the creator',      'creatorId=none',                          'creatorId',   /must be a UUID/],
  ['an empty value among parents', `parentId=none,,${id('task', 1)}`,         'parentId',    /must be the id, number or reference of a task, or "none"/],
  ['a parent in lower case',       'parentId=web-1',                          'parentId',    /must be the id, number or reference/],
  ['the number of a reference',    'reference=1',                             'reference',   /must be the reference of a task, such as WEB-82/],
  ['a reference in lower case',    'reference=WEB-1,web-2',                   'reference',   /must be the reference of a task/],
  ['"none" as a reference',        'reference=none',                          'reference',   /must be the reference of a task/],
  ['an empty tag',                 'tag=bug,%20',                             'tag',         /must be a name/],
  ['a tag that is too long',       `tag=${'x'.repeat(101)}`,                  'tag',         /must be a name/],
  ['number 0',                     'number=0',                                'number',      /between 1 and 9{15},/],
  ['a number of 16 digits',        'number=1000000000000000',                 'number',      /between 1 and 9{15},/],
  ['a day that does not exist',    'dueAfter=2026-02-29',                     'dueAfter',    /must be a date such as/],
  ['a time without offset',        'dueBefore=2026-03-01T00:00:00',           'dueBefore',   /must be a date such as/],
  ['a value that is not a boolean',              'overdue=1',                               'overdue',     /must be true or false/],
  ['an unknown sort',     'sort=title',                              'sort',        /must be one of createdAt, -createdAt, updatedAt/],
  ['an unknown include', 'include=tags,comments',                   'include',     /must be one of tags, watchers/],
  ['a misspelled filter', 'assigneeID=none',                        'assigneeID',  /did you mean assigneeId\?/],
]

describe('refused with 400 and the name of the parameter', () => {
  for (const [claim, query, name, message] of refused) {
    test(claim, async () => assertRefused(await get(`${tasks}?${query}`), name, message))
  }

  test('a filter of the list on one task', async () =>
    assertRefused(await get(`${one}?state=open`), 'state', /is unknown; valid names are include/))
})
