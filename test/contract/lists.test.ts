// Requests that lists refuse. The oracle compares the items, filters, sorts and pages of all lists.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maxFaults } from '../../src/api/problems/problem.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { id, web } from '../support/data.ts'
import { assertRefused } from '../support/refused.ts'

const { get } = await contractSuite({ data: 'basic' })

const users = `/projects/${web}/users`
const stages = `/projects/${web}/stages`

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
    test(claim, async () => assertRefused(await get(path), name, message))
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
