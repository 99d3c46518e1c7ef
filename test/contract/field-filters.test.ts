// Filters by own fields: fields.NAME=, fields.NAME>= and fields.NAME<=. The list oracle compares their results with all rows.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, web } from '../support/data.ts'

const { sql, get, issueKey, workgate } = await contractSuite({ data: 'basic', key: { name: 'all' } })
const onlyApp = await issueKey('only app', { projects: [app] })

for (const [name, type, project] of [
  ['points', 'number', null],
  ['sprint', 'text', web],
  ['labels', 'list', web],
  ['decided', 'date', web],
  ['billed', 'boolean', web],
  ['size', 'number', web],
  ['size', 'text', app],
] as const)
  // prettier-ignore
  await sql`select workgate.add_field(${name}, ${type}, ${project})`
const values: Record<string, unknown>[] = [
  { points: 5, sprint: 'A,B', labels: ['x', 'y'], decided: '2026-11-21', billed: true, size: 1 },
  { points: 0.5, sprint: 'none', labels: ['5'], decided: '2026-11-22', billed: false },
  { sprint: '5' },
  {},
]
await sql`delete from workgate.tasks`
for (const [n, fields] of values.entries())
  await sql`insert into workgate.tasks ${sql({ project_id: web, id: id('task', n + 1), number: n + 1, title: 'x', fields: fields as never })}`
await sql`insert into workgate.tasks ${sql({ project_id: app, number: 9, title: 'x', fields: { points: 5, size: '1' } as never })}`

const numbersOf = async (query: string, path = '/projects/WEB/tasks') => {
  const { status, body } = await get(`${path}?sort=createdAt&${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.map(({ number }: { number: number }) => number).sort()
}

// prettier-ignore
const found: [query: string, numbers: number[]][] = [
  ['fields.points=5',                                [1]],
  ['fields.points=5.0',                              [1]],
  ['fields.points=0.5&fields.points=5',              [1, 2]],
  ['fields.points=none',                             [3, 4]],
  ['fields.points=none&fields.points=5',             [1, 3, 4]],
  ['fields.points>=0.5',                             [1, 2]],
  ['fields.points%3E=0.6',                           [1]],
  ['fields.points>=0.5&fields.points<=4',            [2]],
  ['fields.points<=0.5&fields.points=5',             []],
  ['fields.sprint=A,B',                              [1]],
  ['fields.sprint=A&fields.sprint=B',                []],
  ['fields.sprint=A%2CB&fields.sprint=5',            [1, 3]],
  // The text "none" is no value that can be asked for.
  ['fields.sprint=none',                             [4]],
  ['fields.labels=y',                                [1]],
  ['fields.labels=5',                                [2]],
  ['fields.labels=5&fields.labels=x',                [1, 2]],
  ['fields.decided>=2026-11-22',                     [2]],
  ['fields.decided<=2026-11-21',                     [1]],
  ['fields.decided=2026-11-21',                      [1]],
  ['fields.billed=true',                             [1]],
  ['fields.billed=false&fields.points>=0',           [2]],
  ['fields.billed=true&assigneeId=none',             [1]],
  ['fields.points=5&state=open&q=x',                 [1]],
  [`fields.points=5&assigneeId=${id('user', 1)}`,    []],
]

for (const [query, numbers] of found)
  test(`${query} finds ${numbers.join(', ') || 'nothing'}`, async () =>
    assert.deepEqual(await numbersOf(query), numbers))

test('across projects, a field of one of them is found there, and one that all have in all', async () => {
  assert.deepEqual(await numbersOf('fields.points=5', '/tasks'), [1, 9])
  assert.deepEqual(await numbersOf('fields.size=1', '/tasks'), [1, 9])
  assert.deepEqual(await numbersOf('fields.sprint=5&projectId=WEB,APP', '/tasks'), [3])
  assert.deepEqual(await numbersOf('fields.size>=1&projectId=WEB', '/tasks'), [1])
})

const undeclared = 'is not declared here; see /docs/own-fields'
// prettier-ignore
const refused: [query: string, name: string, message: string, path?: string][] = [
  ['fields.stroyPoints=5',                  'fields.stroyPoints', undeclared],
  ['fields.points=5&fields.absent>=1',      'fields.absent',      'is not declared as a number here; see /docs/own-fields'],
  ['fields.sprint>=5',                      'fields.sprint',      'is not declared as a number here; see /docs/own-fields'],
  ['fields.points>=2026-11-21',             'fields.points',      'is not declared as a date here; see /docs/own-fields'],
  ['fields.sprint=5',                       'fields.sprint',      undeclared, '/projects/APP/tasks'],
  ['fields.size>=1',                        'fields.size',        'is not declared as a number here; see /docs/own-fields', '/tasks'],
  ['fields.points>=many',                   'fields.points>',     'must be a number, or a date such as 2026-11-21'],
  ['fields.points>=1&fields.points>=2',     'fields.points>',     'is given more than once, but takes only one value'],
  ['fields.points>=1&fields.points<=2026-11-21', 'fields.points<', 'must be a number, as the other bound is'],
  ['fields.points>5',                       'fields.points>5',    'must be fields.NAME of an own field, with =, >= or <='],
  ['fields.Points=5',                       'fields.Points',      'must be fields.NAME of an own field, with =, >= or <='],
  ['fields.=5',                             'fields.',            'must be fields.NAME of an own field, with =, >= or <='],
  ['fields.points=',                        'fields.points',      'must be a value of 1 to 200 characters, or none'],
  [`fields.points=${'x'.repeat(201)}`,      'fields.points',      'must be a value of 1 to 200 characters, or none'],
  ['fields.points=%00',                     'fields.points',      'must not contain NUL'],
  [Array.from({ length: 101 }, (_, n) => `fields.points=${n}`).join('&'), 'fields.points', 'must have at most 100 values'],
  ['fields.a=1&fields.b=1&fields.c=1&fields.d=1&fields.e=1', 'fields.e', 'is one field too many: at most 4 are allowed'],
]

describe('is refused by its name:', () => {
  for (const [query, name, message, path = '/projects/WEB/tasks'] of refused)
    test(query.slice(0, 80), async () => {
      const { status, body } = await get(`${path}?${query}`)
      assert.equal(status, 400)
      assert.deepEqual(body.errors, [{ in: 'query', name, message }])
    })

  test('fields alone, and one of a list that has no own fields', async () => {
    assert.match((await get('/projects/WEB/tasks?fields=x')).body.errors[0].message, /^is unknown/)
    assert.match((await get('/projects/WEB/comments?fields.points=5')).body.errors[0].message, /^is unknown/)
  })

  test('a field of a project that the key cannot access', async () => {
    const { status, body } = await workgate.send('GET /tasks?fields.sprint=5', { key: onlyApp })
    assert.deepEqual([status, body.errors[0].message], [400, undeclared])
  })
})

test('pages go on with the same conditions, and a cursor belongs to them', async () => {
  const first = await get('/projects/WEB/tasks?fields.points>=0&limit=1&sort=createdAt')
  const { nextCursor } = first.body.meta
  const second = await get(`/projects/WEB/tasks?fields.points>=0&limit=1&sort=createdAt&cursor=${nextCursor}`)
  assert.deepEqual([first.body.data[0].number, second.body.data[0].number], [1, 2])
  const other = await get(`/projects/WEB/tasks?fields.points>=1&limit=1&sort=createdAt&cursor=${nextCursor}`)
  assert.equal(other.body.code, 'INVALID_CURSOR')
})

test('a request after a declaration sees it', async () => {
  assert.equal((await get('/projects/WEB/tasks?fields.late=1')).status, 400)
  await sql`select workgate.add_field('late', 'number', ${web})`
  assert.equal((await get('/projects/WEB/tasks?fields.late=1')).status, 200)
  await sql`delete from workgate.fields where name = 'late'`
  assert.equal((await get('/projects/WEB/tasks?fields.late=1')).status, 400)
  await sql`select workgate.add_field('late', 'number')`
  assert.equal((await get('/tasks?fields.late=1')).status, 200)
})
