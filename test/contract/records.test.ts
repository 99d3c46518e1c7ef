// Comments, time entries and documents: their fields, the filters and sorts of their lists, and refused requests.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, missing, old, web } from '../support/data.ts'

const { get } = await contractSuite({ data: 'strangers' })

const comments = `/projects/${web}/comments`
const entries = `/projects/${web}/time-entries`
const documents = `/projects/${web}/documents`

// prettier-ignore
const items: [what: string, path: string, item: Record<string, unknown>][] = [
  ['a comment', `${comments}/${id('comment', 2)}`, {
    id: id('comment', 2),
    projectId: web,
    taskId: id('task', 1),
    authorId: id('user', 2),
    body: 'Second, with "quotes",\nlines and Zebras',
    createdAt: '2026-04-01T10:00:00.002Z',
    updatedAt: '2026-04-03T00:00:00.000Z',
  }],
  ['a comment without an author, with an empty list of files', `${comments}/${id('comment', 3)}?include=files`, {
    id: id('comment', 3),
    projectId: web,
    taskId: id('task', 2),
    authorId: null,
    body: 'Crossing ÉTÉ',
    createdAt: '2026-04-02T00:00:00.000Z',
    updatedAt: '2026-04-02T00:00:00.000Z',
    files: [],
  }],
  ['a time entry, whose duration is truncated to whole seconds', `${entries}/${id('timeEntry', 1)}`, {
    id: id('timeEntry', 1),
    projectId: web,
    taskId: id('task', 1),
    userId: id('user', 1),
    description: 'Work 1',
    spentOn: '2026-04-01',
    startedAt: '2026-04-01T08:00:00.000Z',
    endedAt: '2026-04-01T09:30:30.900Z',
    durationSeconds: 5430,
    billable: true,
    createdAt: '2026-04-01T08:00:00.000Z',
    updatedAt: '2026-04-01T00:00:00.000Z',
  }],
  ['a time entry that is running', `${entries}/${id('timeEntry', 3)}`, {
    id: id('timeEntry', 3),
    projectId: web,
    taskId: id('task', 2),
    userId: id('user', 1),
    description: null,
    spentOn: '2026-04-02',
    startedAt: '2026-04-02T22:30:00.000Z',
    endedAt: null,
    durationSeconds: null,
    billable: true,
    createdAt: '2026-04-02T22:30:00.000Z',
    updatedAt: '2026-04-03T00:00:00.000Z',
  }],
  ['the metadata of a document', `${documents}/${id('document', 2)}`, {
    id: id('document', 2),
    projectId: web,
    path: 'Readme.md',
    title: 'about',
    taskId: null,
    authorId: id('user', 2),
    sizeBytes: 52,
    wordCount: 8,
    headings: [{ level: 1, text: 'Part 2' }, { level: 2, text: 'End' }],
    sha256: '510db8079d428a151d5c2620085a4241cd0a30e5c6ac034fdddf69a0d19bd38d',
    revision: 1,
    createdAt: '2026-04-02T00:00:00.000Z',
    updatedAt: '2026-04-04T00:00:00.000Z',
  }],
]

describe('items', () => {
  for (const [what, path, item] of items) {
    test(`${what}, alone and in its list`, async () => {
      const { status, body } = await get(path)
      assert.equal(status, 200)
      assert.deepEqual(body, { data: item })
      assert.deepEqual(Object.keys(body.data), Object.keys(item), 'the order of the fields')
      const list = await get(path.replace(/\/[^/?]+(\?|$)/, '$1'))
      assert.deepEqual(
        list.body.data.find((other: { id: string }) => other.id === body.data.id),
        item,
      )
    })
  }

  test('the files of a comment are in order of age, ties by id', async () => {
    const { data } = (await get(`${comments}?include=files&hasFiles=true`)).body
    assert.deepEqual(data[0].files[0], {
      id: id('file', 2),
      name: 'a.png',
      mimeType: 'image/png',
      sizeBytes: 2000,
      sha256: '2'.repeat(64),
      url: 'https://files.example.org/a.png',
      createdAt: '2026-04-01T00:00:00.000Z',
    })
    const keys = ['id', 'name', 'mimeType', 'sizeBytes', 'sha256', 'url', 'createdAt']
    assert.deepEqual(Object.keys(data[0].files[0]), keys)
    assert.deepEqual(
      data.map(({ files }: { files: { name: string }[] }) => files.map(({ name }) => name)),
      [['a.png', 'b.png', 'late.png']],
    )
  })

  test('an empty include adds nothing', async () => {
    assert.deepEqual((await get(`${comments}?include=`)).body, (await get(comments)).body)
  })
})

const task = (n: number) => id('task', n)
const user = (n: number) => id('user', n)

// prettier-ignore
const found: [claim: string, path: string, numbers: string][] = [
  ['comments: newest first by default',             comments,                                               '3, 2, 1'],
  ['comments: oldest first',                        `${comments}?sort=createdAt`,                           '1, 2, 3'],
  ['comments: by last change',                      `${comments}?sort=updatedAt`,                           '3, 2, 1'],
  ['comments: last changed first',                  `${comments}?sort=-updatedAt`,                          '1, 2, 3'],
  ['comments: of a task',                           `${comments}?taskId=${task(1)}`,                        '2, 1'],
  ['comments: of either task',                      `${comments}?taskId=${task(1)},${task(2)}`,             '3, 2, 1'],
  ["comments: of another project's task",           `${comments}?taskId=${task(90)}`,                       ''],
  ['comments: of an author',                        `${comments}?authorId=${user(1)}`,                      '1'],
  ['comments: of an author in upper case',          `${comments}?authorId=${user(1).toUpperCase()}`,        '1'],
  ['comments: of either author',                    `${comments}?authorId=${user(2)},${user(1)}`,           '2, 1'],
  ['comments: with files',                          `${comments}?hasFiles=true`,                            '2'],
  ['comments: without files',                       `${comments}?hasFiles=false`,                           '3, 1'],
  ['comments: createdAfter is inclusive',           `${comments}?createdAfter=2026-04-01T10:00:00.002Z`,    '3, 2'],
  ['comments: createdBefore is exclusive',          `${comments}?createdBefore=2026-04-01T10:00:00.002Z`,   '1'],
  ['comments: updatedAfter is inclusive',           `${comments}?updatedAfter=2026-04-03`,                  '2, 1'],
  ['comments: updatedBefore is exclusive',          `${comments}?updatedBefore=2026-04-03`,                 '3'],
  ['comments: q finds words and prefixes',          `${comments}?q=zebra`,                                  '2, 1'],
  ['comments: q finds them in any order and case',  `${comments}?q=ZEBRA%20the`,                            '1'],
  ['comments: q does not match inside words',       `${comments}?q=ebra`,                                   ''],
  ['comments: q beyond ASCII',                      `${comments}?q=%C3%A9t`,                                '3'],
  ['comments: q has no wildcards',                  `${comments}?q=z_bra`,                                  ''],
  ['comments: q treats % as a space',               `${comments}?q=z%25a`,                                  '2'],
  ['comments: q with a word and its prefix',        `${comments}?q=crossing+cross`,                         '3, 1'],
  ['comments: q without an indexed word',           `${comments}?q=%C2%B9`,                                 ''],
  ['comments: filters are combined',                `${comments}?q=zebra&taskId=${task(1)}&hasFiles=false&authorId=${user(1)}`, '1'],
  ['time entries: last started first, ties by id',  entries,                                                '3, 2, 1'],
  ['time entries: by start',                        `${entries}?sort=startedAt`,                            '1, 2, 3'],
  ['time entries: by the day of the work',          `${entries}?sort=spentOn`,                              '1, 3, 2'],
  ['time entries: by day, last day first',          `${entries}?sort=-spentOn`,                             '2, 3, 1'],
  ['time entries: by last change',                  `${entries}?sort=updatedAt`,                            '1, 3, 2'],
  ['time entries: of a task',                       `${entries}?taskId=${task(1)}`,                         '2, 1'],
  ['time entries: of either task',                  `${entries}?taskId=${task(1)},${task(2)}`,              '3, 2, 1'],
  ['time entries: of a user',                       `${entries}?userId=${user(1)}`,                         '3, 1'],
  ['time entries: of either user',                  `${entries}?userId=${user(1)},${user(2)}`,              '3, 2, 1'],
  ['time entries: billable',                        `${entries}?billable=true`,                             '3, 1'],
  ['time entries: not billable',                    `${entries}?billable=false`,                            '2'],
  ['time entries: running',                         `${entries}?running=true`,                              '3'],
  ['time entries: ended',                           `${entries}?running=false`,                             '2, 1'],
  ['time entries: spentAfter is inclusive',         `${entries}?spentAfter=2026-04-02`,                     '3, 2'],
  ['time entries: spentBefore is exclusive',        `${entries}?spentBefore=2026-04-02`,                    '1'],
  ['time entries: spentAfter a time of day',        `${entries}?spentAfter=2026-04-02T00:00:00.001Z`,       '2'],
  ['time entries: spentBefore a time of day',       `${entries}?spentBefore=2026-04-02T00:00:00.001Z`,      '3, 1'],
  ['time entries: startedAfter is inclusive',       `${entries}?startedAfter=2026-04-02T22:30:00Z`,         '3, 2'],
  ['time entries: startedBefore is exclusive',      `${entries}?startedBefore=2026-04-02T22:30:00Z`,        '1'],
  ['time entries: created in a range',              `${entries}?createdAfter=2026-04-01&createdBefore=2026-04-02`, '1'],
  ['time entries: updated in a range',              `${entries}?updatedAfter=2026-04-03&updatedBefore=2026-04-05`, '3'],
  ['time entries: filters are combined',            `${entries}?userId=${user(1)}&billable=true&running=true&taskId=${task(2)}`, '3'],
  ['documents: by path and by code point',          documents,                                              '2, 3, 4, 1, 5'],
  ['documents: by path, descending',                `${documents}?sort=-path`,                              '5, 1, 4, 3, 2'],
  ['documents: by title, case-insensitively',       `${documents}?sort=title`,                              '2, 5, 4, 1, 3'],
  ['documents: by last change, ties by id',         `${documents}?sort=updatedAt`,                          '1, 2, 4, 3, 5'],
  ['documents: last changed first',                 `${documents}?sort=-updatedAt`,                         '5, 3, 4, 2, 1'],
  ['documents: of a task',                          `${documents}?taskId=${task(1)}`,                       '3, 1'],
  ['documents: of either task',                     `${documents}?taskId=${task(1)},${task(2)}`,            '3, 4, 1'],
  ['documents: of an author',                       `${documents}?authorId=${user(1)}`,                     '4, 1, 5'],
  ['documents: of either author',                   `${documents}?authorId=${user(1)},${user(2)}`,          '2, 4, 1, 5'],
  ['documents: in a folder',                        `${documents}?pathPrefix=docs/`,                        '3, 4, 1'],
  ['documents: with a path prefix',                 `${documents}?pathPrefix=docs`,                         '3, 4, 1, 5'],
  ['documents: in a folder, last changed first',    `${documents}?pathPrefix=docs/&sort=-updatedAt`,        '3, 4, 1'],
  ['documents: % in a prefix is a %',               `${documents}?pathPrefix=docs/100%25`,                  '3'],
  ['documents: _ in a prefix is a _',               `${documents}?pathPrefix=docs_`,                        '5'],
  ['documents: \\ in a prefix is a \\',             `${documents}?pathPrefix=docs%5C_`,                     ''],
  ['documents: a prefix in another case',           `${documents}?pathPrefix=Docs`,                         ''],
  ['documents: a whole path is its own prefix',     `${documents}?pathPrefix=docs/setup-guide.md`,          '1'],
  ['documents: q finds words of the title',         `${documents}?q=one%20zero`,                            '1'],
  ['documents: q finds words of the path',          `${documents}?q=guide`,                                 '1'],
  ['documents: q finds words between / . - _',      `${documents}?q=old%20md%20attic%20%C3%A9t%C3%A9`,      '5'],
  ['documents: q beyond ASCII, in any case',        `${documents}?q=%C3%9CBER`,                             '3'],
  ['documents: q does not search the outline',      `${documents}?q=part`,                                  ''],
  ['documents: created in a range',                 `${documents}?createdAfter=2026-04-02&createdBefore=2026-04-04`, '2, 3'],
  ['documents: updated in a range',                 `${documents}?updatedAfter=2026-04-04&updatedBefore=2026-04-05`, '2, 4'],
  ['documents: filters are combined',               `${documents}?q=md&pathPrefix=docs/&taskId=${task(1)}&authorId=${user(1)}`, '1'],
]

describe('filters and sorts', () => {
  for (const [claim, path, numbers] of found) {
    test(claim, async () => {
      const { status, body } = await get(path)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal(body.data.map((item: { id: string }) => Number(item.id.slice(-12))).join(', '), numbers)
      assert.deepEqual(body.meta, { limit: 50, nextCursor: null, hasMore: false })
    })
  }
})

// prettier-ignore
const refused: [claim: string, path: string, name: string, message: RegExp][] = [
  ['an unknown include',                  `${comments}?include=author`,              'include',    /must be one of files/],
  ['an include of tasks',                 `${comments}?include=files,tags`,          'include',    /must be one of files/],
  ['a list without includes',      `${entries}?include=files`,                'include',    /is unknown/],
  ['an include of the text',              `${documents}?include=markdown`,           'include',    /is unknown/],
  ['a filter by the text',                `${documents}?markdown=x`,                 'markdown',   /is unknown/],
  ['a sort by the text',                  `${documents}?sort=markdown`,              'sort',       /must be one of path, -path, updatedAt/],
  ['a sort of the other lists',           `${documents}?sort=createdAt`,             'sort',       /must be one of path/],
  ['an unknown sort of comments',                     `${comments}?sort=body`,                   'sort',       /must be one of createdAt, -createdAt, updatedAt/],
  ['an unknown sort of time entries',                 `${entries}?sort=durationSeconds`,         'sort',       /must be one of startedAt, -startedAt, spentOn/],
  ['the author of a time entry',          `${entries}?authorId=${user(1)}`,          'authorId',   /is unknown/],
  ['a search of time entries',            `${entries}?q=x`,                          'q',          /is unknown/],
  ['a malformed id',                       `${comments}?taskId=x`,                    'taskId',     /must be the id, number or reference of a task/],
  ['comments without an author',          `${comments}?authorId=none`,               'authorId',   /must be a UUID/],
  ['a value that is not a boolean',                     `${comments}?hasFiles=1`,                  'hasFiles',   /must be true or false/],
  ['an empty boolean',                 `${entries}?running=`,                     'running',    /must be true or false/],
  ['a day that does not exist',           `${entries}?spentAfter=2026-02-30`,        'spentAfter', /must be a date such as/],
  ['a time without its offset',           `${entries}?startedBefore=2026-02-03T10:00:00`, 'startedBefore', /must be a time such as/],
  ['an empty prefix',                           `${documents}?pathPrefix=`,                'pathPrefix', /must not be empty/],
  ['a prefix longer than any path',    `${documents}?pathPrefix=${'a'.repeat(1001)}`, 'pathPrefix', /at most 1000/],
  ['NUL in a prefix',                     `${documents}?pathPrefix=a%00`,            'pathPrefix', /NUL/],
  ['an unpaired surrogate in a prefix',        `${documents}?pathPrefix=%ED%A0%80`,       'pathPrefix', /percent-encoded/],
  ['a search without a word',             `${comments}?q=%25_`,                      'q',          /must contain a letter or a digit/],
  ['a filter on one comment',             `${comments}/${id('comment', 1)}?taskId=${task(1)}`, 'taskId', /is unknown; valid names are include/],
  ['a parameter on one time entry',       `${entries}/${id('timeEntry', 1)}?include=files`, 'include', /none are allowed here/],
  ['a parameter on one document',         `${documents}/${id('document', 1)}?include=markdown`, 'include', /none are allowed here/],
]

describe('refused with 400 and the name of the parameter', () => {
  for (const [claim, path, name, message] of refused) {
    test(claim, async () => {
      const { status, body } = await get(path)
      assert.equal(status, 400)
      assert.equal(body.code, 'VALIDATION_FAILED')
      assert.equal(body.errors.length, 1)
      assert.deepEqual([body.errors[0].in, body.errors[0].name], ['query', name])
      assert.match(body.errors[0].message, message)
    })
  }
})

// prettier-ignore
const resources: [what: string, list: string, kind: Parameters<typeof id>[0]][] = [
  ['comment',    'comments',     'comment'],
  ['time entry', 'time-entries', 'timeEntry'],
  ['document',   'documents',    'document'],
]

for (const [what, list, kind] of resources) {
  describe(`one ${what}`, () => {
    test('the id may be in upper case', async () => {
      const { body } = await get(`/projects/${web}/${list}/${id(kind, 1).toUpperCase()}`)
      assert.equal(body.data.id, id(kind, 1))
    })

    // prettier-ignore
    const notFound: [claim: string, path: string][] = [
      ['a row of another project',                  `/projects/${web}/${list}/${id(kind, 90)}`],
      ['a row of this project under another',       `/projects/${app}/${list}/${id(kind, 1)}`],
      ['an unknown id',                             `/projects/${web}/${list}/${id(kind, 99)}`],
      ['a malformed id',                            `/projects/${web}/${list}/1`],
      ['an id with trailing characters',            `/projects/${web}/${list}/${id(kind, 1)}x`],
    ]
    for (const [claim, path] of notFound) {
      test(`${claim} gets 404`, async () => {
        const { status, body } = await get(path)
        assert.deepEqual([status, body.code, body.detail], [404, 'NOT_FOUND', `No such ${what}.`])
      })
    }

    test('an unknown project is reported as such', async () => {
      const { status, body } = await get(`/projects/${missing}/${list}/${id(kind, 1)}`)
      assert.deepEqual([status, body.detail], [404, 'No such project.'])
    })

    test('an empty project has an empty list, an unknown one gets 404', async () => {
      const { body } = await get(`/projects/${old}/${list}`)
      assert.deepEqual(body, { data: [], meta: { limit: 50, nextCursor: null, hasMore: false } })
      assert.equal((await get(`/projects/${missing}/${list}`)).status, 404)
    })
  })
}
