// A project, and requests that all lists refuse. The oracle compares the items, filters, sorts and pages of all lists.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maxFaults } from '../../src/api/problems/problem.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, missing, old, web } from '../support/data.ts'

const { workgate, get } = await contractSuite({ data: 'basic' })

const users = `/projects/${web}/users`
const stages = `/projects/${web}/stages`

describe('one object', () => {
  test('a project has all its fields, including nulls', async () => {
    const { status, body } = await get(`/projects/${web}`)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      data: {
        id: web,
        key: 'WEB',
        name: 'Web site',
        description: 'The public pages',
        status: 'active',
        ownerId: id('user', 1),
        startDate: '2026-01-01',
        dueDate: '2026-12-31',
        createdAt: '2026-03-01T10:00:00.001Z',
        updatedAt: '2026-03-05T10:00:00.000Z',
        version: 1,
      },
    })
    const bare = (await get(`/projects/${app}`)).body.data
    assert.deepEqual([bare.description, bare.ownerId, bare.startDate, bare.dueDate], [null, null, null, null])
  })

  test('a change by SQL is in the next response, with its version', async () => {
    await workgate.sql`update workgate.projects set description = 'New' where id = ${old}`
    const { data } = (await get(`/projects/${old}`)).body
    assert.equal(data.description, 'New')
    assert.equal(data.version, 2)
    assert.notEqual(data.updatedAt, '2025-06-01T00:00:00.000Z')
    await workgate.sql`update workgate.projects set description = 'New' where id = ${old}`
    assert.deepEqual((await get(`/projects/${old}`)).body.data, data, 'an update to the same value is not a change')
  })
})

// prettier-ignore
const refused: [claim: string, path: string, name: string, message: RegExp][] = [
  ['an unknown parameter',          '/projects?colour=red',              'colour',       /is unknown; valid names are status, q/],
  ['a misspelled parameter',        '/projects?stauts=active',           'stauts',       /did you mean status\?/],
  ['a filter of another list',      `${users}?status=active`,            'status',       /is unknown/],
  ['a list without includes','/projects?include=tags',            'include',      /is unknown/],
  ['a repeated list of values with an empty one', '/projects?status=active&status=', 'status', /must be one of active, archived/],
  ['NUL in a repeated value',       `/projects?status=active&status=%00`, 'status',      /NUL/],
  ['limit 0',                       '/projects?limit=0',                 'limit',        /between 1 and 200/],
  ['an unknown sort',               '/projects?sort=colour',             'sort',         /must be one of createdAt, -createdAt/],
  ['an unknown value',              '/projects?status=open',             'status',       /must be one of active, archived/],
  ['a value that is not a boolean',               `${users}?active=yes`,               'active',       /must be true or false/],
  ['a malformed id',                 `${stages}?boardId=1`,               'boardId',      /must be a UUID/],
  ['too many ids',                  `${stages}?boardId=${Array.from({ length: 101 }, (_, n) => id('board', n))}`, 'boardId', /at most 100/],
  ['too many values in repeated parameters', `${stages}?${Array.from({ length: 34 }, (_, n) => `boardId=${id('board', n)},${id('board', n)},${id('board', n)}`).join('&')}`, 'boardId', /at most 100/],
  ['a malformed time',               '/projects?createdAfter=yesterday',  'createdAfter', /must be a time such as/],
  ['a plus that became a space',    '/projects?createdAfter=2026-01-01T00:00:00+02:00', 'createdAfter', /encode the \+ of an offset as %2B/],
  ['a search without a word',       '/projects?q=%21%21',                'q',            /must contain a letter or a digit/],
  ['NUL in a value',                '/projects?q=a%00b',                 'q',            /NUL/],
  ['malformed percent-encoding',       '/projects?q=%zz',                   'q',            /percent-encoded/],
  ['invalid UTF-8',              '/projects?q=%ff',                   'q',            /percent-encoded/],
  ['a parameter on one object',     `/projects/${web}?limit=1`,          'limit',        /none are allowed here/],
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

  test('all errors are reported together', async () => {
    const { body } = await get('/projects?limit=0&stauts=x&createdAfter=never')
    assert.deepEqual(body.errors.map((fault: any) => fault.name).sort(), ['createdAfter', 'limit', 'stauts'])
  })

  for (const [claim, faulty] of [
    ['unknown', (n: number) => `a${n}`],
    ['repeated', () => 'q=a'],
    ['malformed', () => '%zz'],
  ] as const) {
    test(`many ${claim} parameters between valid ones get ${maxFaults} errors`, async () => {
      const { status, body } = await get(
        `/projects?limit=1&${Array.from({ length: 1_000 }, (_, n) => faulty(n)).join('&')}&sort=name`,
      )
      assert.deepEqual([status, body.code, body.errors.length], [400, 'VALIDATION_FAILED', maxFaults])
    })
  }
})

test('an empty project has empty lists, an unknown one gets 404', async () => {
  for (const list of ['users', 'teams', 'boards', 'stages']) {
    assert.deepEqual((await get(`/projects/${old}/${list}`)).body, {
      data: [],
      meta: { limit: 50, nextCursor: null, hasMore: false },
    })
    assert.equal((await get(`/projects/${missing}/${list}`)).status, 404)
  }
})
