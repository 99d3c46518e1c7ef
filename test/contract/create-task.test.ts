// POST /projects/:projectId/tasks: created tasks, and refused requests, which write nothing.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maxFaults } from '../../src/api/problems/problem.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { valuesOf } from '../support/values.ts'
import { api, app, id, missing, old, post, web } from '../support/writes.ts'

const { workgate, key } = await contractSuite({ data: 'basic', key: { name: 'writer' } })

await workgate.sql`
  select workgate.add_field('points', 'number'), workgate.add_field('customer', 'text'), workgate.add_field('billed', 'boolean'),
    workgate.add_field('decided', 'date'), workgate.add_field('labels', 'list'), workgate.add_field('ofApp', 'number', ${app})`
const create = (body: unknown, projectId = web) => post(workgate, key, `/projects/${projectId}/tasks`, body)
const count = async () => Number((await workgate.sql`select count(*) from workgate.tasks`)[0]!['count'])

describe('a new task', () => {
  test('has the given fields, and defaults for the rest', async () => {
    const { status, headers, body } = await create({ title: 'Write it down' })
    assert.equal(status, 201)
    const { id: taskId, number, reference, createdAt, updatedAt, ...rest } = body.data
    assert.deepEqual(rest, {
      projectId: web,
      title: 'Write it down',
      description: null,
      state: 'open',
      priority: 'none',
      boardId: id('board', 1),
      stageId: id('stage', 1),
      parentId: null,
      assigneeId: null,
      assigneeIds: [],
      creatorId: null,
      descriptionFormat: null,
      type: null,
      startDate: null,
      dueDate: null,
      estimateSeconds: null,
      completedAt: null,
      cancelledAt: null,
      externalId: null,
      externalUrl: null,
      fields: {},
      version: 1,
    })
    assert.equal(headers['location'], `${api}/projects/${web}/tasks/${taskId}`)
    assert.match(headers['etag']!, /^"[^"]+"$/)
    assert.deepEqual([number, reference], [4, 'WEB-4'])
    assert.equal(createdAt, updatedAt)
  })

  test('is what the next read shows, including tags and watchers', async () => {
    const { body, headers } = await create({
      title: 'Ünïcode 😀 "quoted" \\ \u2028',
      description: 'x'.repeat(100_000),
      stageId: id('stage', 2).toUpperCase(),
      assigneeId: id('user', 2),
      priority: 'urgent',
      startDate: '2026-02-28',
      dueDate: '2026-03-01',
      estimateSeconds: 2_147_483_647,
      parentId: id('task', 1),
      tags: ['new', 'Old', 'NEW', 'a;b'],
      watcherIds: [id('user', 1), id('user', 4), id('user', 1)],
    })
    const { data } = body
    assert.equal(data.title, 'Ünïcode 😀 "quoted" \\ \u2028')
    assert.deepEqual(
      [data.stageId, data.assigneeId, data.priority, data.startDate, data.dueDate, data.estimateSeconds, data.parentId],
      [id('stage', 2), id('user', 2), 'urgent', '2026-02-28', '2026-03-01', 2_147_483_647, id('task', 1)],
    )
    const path = headers['location']!.replace(api, '')
    const read = await workgate.send(`GET ${path}?include=tags,watchers`, { key })
    const { tags, watchers, ...task } = read.body.data
    assert.deepEqual(task, data)
    assert.deepEqual(valuesOf(tags, 'name'), ['a;b', 'new', 'Old'])
    assert.deepEqual(valuesOf(watchers, 'id'), [id('user', 1), id('user', 4)])
  })

  test('has own fields, without those that are null', async () => {
    const fields = { points: 0.5, customer: 'Acme, "Inc."', billed: false, decided: '2026-11-21', labels: ['b', 'a'] }
    const { status, body, text } = await create({ title: 'x', fields: { ...fields, ofApp: null } })
    assert.equal(status, 201, text)
    assert.deepEqual(body.data.fields, fields)
    const [row] = await workgate.sql`select fields from workgate.tasks where id = ${body.data.id as string}`
    assert.deepEqual(row!['fields'], fields)
    for (const none of [{}, { points: null }, null])
      assert.deepEqual((await create({ title: 'x', fields: none })).body.data.fields, {})
  })

  test('with the externalId of another one is refused with its path, however many requests create it', async () => {
    const body = { title: 'Fix it', externalId: 'acme/website#12', externalUrl: 'https://example.org/12' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => create(body)))
    const [created, ...others] = replies.filter(({ status }) => status === 201)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [created!.body.data.externalId, created!.body.data.externalUrl],
      [body.externalId, body.externalUrl],
    )
    for (const refused of replies.filter((reply) => reply !== created)) {
      assert.deepEqual([refused.status, refused.body.code], [409, 'EXTERNAL_ID_TAKEN'], refused.text)
      assert.equal(refused.body.existing, created!.headers['location'])
    }
    const list = await workgate.send(`GET /projects/${web}/tasks?externalId=acme/website%2312`, { key })
    assert.deepEqual(valuesOf(list.body.data, 'id'), [created!.body.data.id])
    const elsewhere = await post(workgate, key, `/projects/${app}/tasks`, body)
    assert.equal(elsewhere.status, 201)
  })

  test('in a done stage is created as completed', async () => {
    const { data } = (await create({ title: 'Was done', stageId: id('stage', 3) })).body
    assert.deepEqual([data.state, data.completedAt], ['completed', data.createdAt])
  })

  test('in a project without stages has no stage', async () => {
    const made = await post(workgate, key, '/projects', { name: 'Bare' })
    await workgate.sql`delete from workgate.boards where project_id = ${made.body.data.id}`
    const { data } = (await create({ title: 'Alone' }, made.body.data.id)).body
    assert.deepEqual([data.boardId, data.stageId, data.number], [null, null, 1])
  })

  test('has the key in its history, with and without a creator', async () => {
    for (const creatorId of [null, id('user', 2)]) {
      const { data } = (await create({ title: 'Told', creatorId })).body
      assert.equal(data.creatorId, creatorId)
      const [row] =
        await workgate.sql`select channel, actor, version from workgate.task_history where task_id = ${data.id}`
      assert.deepEqual(row, { channel: 'api', actor: { keyId: key.slice(3, 15), name: 'writer' }, version: '1' })
    }
  })
})

/** Returns arrays within arrays. */
const nested = (levels: number): unknown[] => [levels > 0 ? nested(levels - 1) : 'x']
const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 1]))

// prettier-ignore
const refused: [claim: string, body: unknown, name: string, message: RegExp][] = [
  ['no title',                       {},                                            'title',           /is missing/],
  ['a blank title',                  { title: ' \u0085\u00a0\u200b' },              'title',           /blank/],
  ['a title of 501 characters',      { title: 'x'.repeat(501) },                    'title',           /1 to 500/],
  ['a title with NUL',               { title: 'a\0b' },                             'title',           /NUL/],
  ['an unpaired surrogate',               { title: 'a\ud800b' },                         'title',           /unpaired surrogate/],
  ['a malformed id',                 { title: 'x', stageId: 'first' },              'stageId',         /UUID/],
  ['a stage of another project',     { title: 'x', stageId: id('stage', 5) },       'stageId',         /does not exist in this project/],
  ['a user of another project',      { title: 'x', assigneeId: id('user', 5) },     'assigneeId',      /not a user of this project/],
  ['one of several users of another project', { title: 'x', assigneeIds: [id('user', 1), id('user', 5)] }, 'assigneeIds.1', /not a user of this project/],
  ['assignees that do not begin with assigneeId', { title: 'x', assigneeId: id('user', 1), assigneeIds: [id('user', 2), id('user', 1)] }, 'assigneeIds', /^must begin with assigneeId$/],
  ['a creator of another project',   { title: 'x', creatorId: id('user', 5) },      'creatorId',       /not a user of this project/],
  ['an unknown parent',              { title: 'x', parentId: missing },             'parentId',        /does not exist in this project/],
  ['a watcher of another project',   { title: 'x', watcherIds: [id('user', 1), id('user', 5)] }, 'watcherIds.1', /not a user of this project/],
  ['21 tags',                        { title: 'x', tags: Array(21).fill('a') },     'tags',            /at most 20/],
  ['a tag with a comma',             { title: 'x', tags: ['a', 'b,c'] },            'tags.1',          /comma/],
  ['an unknown priority',            { title: 'x', priority: 'asap' },              'priority',        /none, low, medium, high, urgent/],
  ['a date that does not exist',     { title: 'x', dueDate: '2026-02-30' },         'dueDate',         /date/],
  ['an end before the start',        { title: 'x', startDate: '2026-02-03', dueDate: '2026-02-02' }, 'dueDate', /before startDate/],
  ['an external id with a comma',    { title: 'x', externalId: 'a,b' },             'externalId',      /comma/],
  ['an unknown format', { title: 'x', descriptionFormat: 'rtf' }, 'descriptionFormat', /^must be one of text, markdown, html, jira$/],
  ['a type in upper case', { title: 'x', type: 'Bug' }, 'type', /lower case/],
  ['a type with a comma', { title: 'x', type: 'a,b' }, 'type', /no comma/],
  ['an external URL of another kind', { title: 'x', externalUrl: 'javascript:alert(1)' }, 'externalUrl', /http/],
  ['a fractional estimate',          { title: 'x', estimateSeconds: 1.5 },          'estimateSeconds', /whole/],
  ['own fields that are no object', { title: 'x', fields: [] }, 'fields', /^must be an object$/],
  ['an own field with the name of none', { title: 'x', fields: { 'Story points': 1 } }, 'fields.Story points', /is no name of a field: it must be a letter in lower case/],
  ['an undeclared own field', { title: 'x', fields: { points: 1, sprint: 'A' } }, 'fields.sprint', /^is not declared for this project/],
  ['an own field that is declared for another project', { title: 'x', fields: { ofApp: 1 } }, 'fields.ofApp', /^is not declared for this project/],
  ['an own field that is an object', { title: 'x', fields: { points: { a: 1 } } }, 'fields.points', /^must be a text, a number, true, false, null or a list of texts$/],
  ['an own field with NUL', { title: 'x', fields: { customer: 'a\0b' } }, 'fields.customer', /^must be a text/],
  ['a number that is too large', '{"title":"x","fields":{"points":1e999}}', 'fields.points', /^must be a text, a number/],
  ['a number as text', { title: 'x', fields: { points: '1' } }, 'fields.points', /^must be a number from -1000000000 to 1000000000, with up to four decimals$/],
  ['five decimals', { title: 'x', fields: { points: 0.00001 } }, 'fields.points', /^must be a number/],
  ['a text as a number', { title: 'x', fields: { customer: 1 } }, 'fields.customer', /^must be a text of 1 to 10000 characters$/],
  ['a text that is true', { title: 'x', fields: { billed: 'true' } }, 'fields.billed', /^must be true or false$/],
  ['an own day that does not exist', { title: 'x', fields: { decided: '2026-02-30' } }, 'fields.decided', /^must be a date/],
  ['an empty list of texts', { title: 'x', fields: { labels: [] } }, 'fields.labels', /^must be a list of 1 to 100 texts$/],
  ['51 own fields', { title: 'x', fields: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, 1])) }, 'fields', /^must have at most 50 names$/],
  ['16 KB of own fields', { title: 'x', fields: { labels: ['x'.repeat(8_000), 'y'.repeat(8_400)] } }, 'fields', /^must be at most 16384 bytes of JSON$/],
  ['an unknown field',               { title: 'x', assignee: 'me' },                'assignee',        /did you mean assigneeId/],
  ['a field that the service sets',  { title: 'x', number: 7 },                     'number',          /unknown/],
  ['a duplicate field',              '{"title":"x","title":"y"}',                   'title',           /more than once/],
  ['__proto__',                      '{"title":"x","__proto__":{"a":1}}',           '__proto__',       /unknown/],
  ['16 levels in a list of tags',    { title: 'x', tags: nested(14) },              'tags.0',          /must be a string/],
  ['17 levels',                      { title: 'x', tags: nested(15) },              'body',            /more than 16 levels/],
  ['499 unknown fields',             { title: 'x', ...unknown(498) },               'a0',              /unknown/],
  ['500 fields, or 501 values',      { title: 'x', ...unknown(499) },               'body',            /more than 500 values/],
  ['501 values in lists',            { title: 'x', tags: [[], {}, ...Array(496).fill(0)] }, 'body',    /more than 500 values/],
  ['a list',                         [{ title: 'x' }],                              'body',            /JSON object/],
  ['null',                           null,                                          'body',            /JSON object/],
]

describe('a request is refused, and nothing is written:', () => {
  for (const [claim, body, name, message] of refused) {
    test(claim, async () => {
      const before = await count()
      const reply = await create(body)
      assert.deepEqual([reply.status, reply.body.code], [400, 'VALIDATION_FAILED'], reply.text)
      assert.deepEqual([reply.body.errors[0].in, reply.body.errors[0].name], ['body', name])
      assert.match(reply.body.errors[0].message, message)
      assert.equal(await count(), before)
    })
  }

  for (const [claim, field] of [
    ['unknown', (n: number) => `"a${n}":1`],
    ['duplicate', () => '"title":"x"'],
  ] as const) {
    test(`many ${claim} fields get ${maxFaults} errors, and nothing is written`, async () => {
      const before = await count()
      const { status, body } = await create(`{"title":"x",${Array.from({ length: 400 }, (_, n) => field(n)).join()}}`)
      assert.deepEqual([status, body.code, body.errors.length], [400, 'VALIDATION_FAILED', maxFaults])
      assert.equal(await count(), before)
    })
  }

  test('all errors are reported together', async () => {
    const { errors } = (await create({ titel: 'x', dueDate: 'soon', tags: 7 })).body
    assert.deepEqual(errors.map((error: any) => error.name).sort(), ['dueDate', 'tags', 'titel', 'title'])
    const refs = await create({
      title: 'x',
      stageId: missing,
      assigneeId: missing,
      creatorId: missing,
      parentId: missing,
      watcherIds: [missing],
    })
    assert.deepEqual(valuesOf(refs.body.errors, 'name'), [
      'stageId',
      'assigneeId',
      'creatorId',
      'parentId',
      'watcherIds.0',
    ])
  })

  test('in an archived project', async () => {
    const { status, body } = await create({ title: 'x' }, old)
    assert.deepEqual([status, body.code], [409, 'PROJECT_ARCHIVED'])
  })
})

// prettier-ignore
const bodies: [claim: string, ask: { headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> }, status: number, code: string][] = [
  ['that is missing',         {},                                                                       400, 'VALIDATION_FAILED'],
  ['without a content type',  { body: '{"title":"x"}', headers: { 'content-type': '' } },               415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['that is a form',          { body: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['in another charset',      { body: '{"title":"x"}', headers: { 'content-type': 'application/json; charset=latin1' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['that is compressed',      { body: '{"title":"x"}', headers: { 'content-encoding': 'gzip' } },       415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['that is cut off',         { body: '{"title":"x"' },                                                 400, 'MALFORMED_JSON'],
  ['with trailing characters', { body: '{"title":"x"}}' },                                               400, 'MALFORMED_JSON'],
  ['that is not UTF-8',       { body: new Uint8Array([0x22, 0xff, 0x22]) },                             400, 'MALFORMED_JSON'],
  ['with 100,000 levels',     { body: '{"title":' + '['.repeat(100_000) + ']'.repeat(100_000) + '}' },  400, 'VALIDATION_FAILED'],
]

describe('a body', () => {
  test('with brackets and commas in its texts is accepted', async () => {
    const text = '[{"\\\\'.repeat(100) + ','.repeat(600)
    const { status, body } = await create({ title: text.slice(0, 500), description: text })
    assert.deepEqual([status, body.data?.description], [201, text])
  })

  for (const [claim, { headers, ...ask }, status, code] of bodies) {
    test(`${claim} gets ${status} ${code}`, async () => {
      const reply = await workgate.send(`POST /projects/${web}/tasks`, {
        key,
        headers: { 'content-type': 'application/json', ...headers },
        ...ask,
      })
      assert.deepEqual([reply.status, reply.body.code], [status, code], reply.text)
    })
  }

  test('that is malformed gets the position of the error, and is not echoed', async () => {
    const { body, text } = await create('{"title": "x" secret-word}')
    assert.match(body.detail, /error at character 14/)
    assert.doesNotMatch(text, /secret/)
  })
})
