// Comments, time entries and documents: their fields, the filters and sorts of their lists, and refused requests.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'
import { assertRefused } from '../support/refused.ts'

const { get } = await contractSuite({ data: 'strangers' })

const comments = `/projects/${web}/comments`
const files = `/projects/${web}/files`
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
    bodyFormat: null,
    createdAt: '2026-04-01T10:00:00.002Z',
    updatedAt: '2026-04-03T00:00:00.000Z',
  }],
  ['a comment without an author, with an empty list of files', `${comments}/${id('comment', 3)}?include=files`, {
    id: id('comment', 3),
    projectId: web,
    taskId: id('task', 2),
    authorId: null,
    body: 'Crossing ÉTÉ',
    bodyFormat: null,
    createdAt: '2026-04-02T00:00:00.000Z',
    updatedAt: '2026-04-02T00:00:00.000Z',
    files: [],
  }],
  ['a file of a comment', `${files}/${id('file', 1)}`, {
    id: id('file', 1),
    projectId: web,
    taskId: id('task', 1),
    commentId: id('comment', 2),
    creatorId: null,
    name: 'late.png',
    mimeType: 'image/png',
    sizeBytes: 1000,
    sha256: '1'.repeat(64),
    url: 'https://files.example.org/late.png',
    createdAt: '2026-04-02T00:00:00.000Z',
    updatedAt: '2026-04-02T00:00:00.000Z',
  }],
  ['a file of a task, of which neither the size nor the digest is known', `${files}/${id('file', 4)}`, {
    id: id('file', 4),
    projectId: web,
    taskId: id('task', 1),
    commentId: null,
    creatorId: id('user', 2),
    name: 'plan.png',
    mimeType: 'image/png',
    sizeBytes: null,
    sha256: null,
    url: 'https://files.example.org/plan.png',
    createdAt: '2026-04-03T00:00:00.000Z',
    updatedAt: '2026-04-03T00:00:00.000Z',
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
    timed: true,
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
    timed: true,
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

// prettier-ignore
const found: [claim: string, path: string, numbers: string][] = [
  ['comments: q finds words and prefixes',          `${comments}?q=zebra`,                                  '2, 1'],
  ['comments: q finds them in any order and case',  `${comments}?q=ZEBRA%20the`,                            '1'],
  ['comments: q does not match inside words',       `${comments}?q=ebra`,                                   ''],
  ['comments: q beyond ASCII',                      `${comments}?q=%C3%A9t`,                                '3'],
  ['comments: q has no wildcards',                  `${comments}?q=z_bra`,                                  ''],
  ['comments: q treats % as a space',               `${comments}?q=z%25a`,                                  '2'],
  ['comments: q with a word and its prefix',        `${comments}?q=crossing+cross`,                         '3, 1'],
  ['comments: q without an indexed word',           `${comments}?q=%C2%B9`,                                 ''],
  ['time entries: spentAfter a time of day',        `${entries}?spentAfter=2026-04-02T00:00:00.001Z`,       '2'],
  ['time entries: spentBefore a time of day',       `${entries}?spentBefore=2026-04-02T00:00:00.001Z`,      '3, 1'],
  ['documents: by path and by code point',          documents,                                              '2, 3, 4, 1, 5'],
  ['documents: in a folder',                        `${documents}?pathPrefix=docs/`,                        '3, 4, 1'],
  ['documents: with a path prefix',                 `${documents}?pathPrefix=docs`,                         '3, 4, 1, 5'],
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
  ['a list without includes',      `${entries}?include=files`,                'include',    /is unknown/],
  ['an include of the text',              `${documents}?include=markdown`,           'include',    /is unknown/],
  ['a filter by the text',                `${documents}?markdown=x`,                 'markdown',   /is unknown/],
  ['a sort by the text',                  `${documents}?sort=markdown`,              'sort',       /must be one of path, -path, updatedAt/],
  ['comments without an author',          `${comments}?authorId=none`,               'authorId',   /must be a UUID/],
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
    test(claim, async () => assertRefused(await get(path), name, message))
  }
})

// prettier-ignore
const resources: [what: string, list: string, kind: Parameters<typeof id>[0]][] = [
  ['comment',    'comments',     'comment'],
  ['file',       'files',        'file'],
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

    test('an empty project has an empty list', async () => {
      const { body } = await get(`/projects/${old}/${list}`)
      assert.deepEqual(body, { data: [], meta: { limit: 50, nextCursor: null, hasMore: false } })
    })
  })
}
