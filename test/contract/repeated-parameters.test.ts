// Repeating a parameter that takes several values means the same as separating them with commas. Repeating any other
// parameter is refused. The tables are derived from the OpenAPI document.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { follow, operations, type Parameter } from '../docs/document.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, id, web } from '../support/data.ts'

/** The statements that found the data of a response; others run in the background. */
let statements = 0
const { get } = await contractSuite({
  data: 'basic',
  target: 'process',
  changeDatabase: (db) => ({
    ...db,
    run(text, ...rest) {
      if (/\bfound\b/.test(text)) statements++
      return db.run(text, ...rest)
    },
  }),
})

const parameters = operations.flatMap(({ name, path, operation, query }) =>
  operation.operationId.startsWith('verify') || !name.startsWith('GET')
    ? []
    : query.map((parameter) => ({ claim: `${parameter.name} of ${name}`, path: fill(path, web), ...parameter })),
)
const lists = parameters.filter(({ schema }) => schema['type'] === 'array')
const others = parameters.filter(({ schema }) => schema['type'] !== 'array')

/** Three different values, or as many as there are. */
function valuesOf({ schema, name }: Parameter): string[] {
  const items = follow(schema['items'])
  if (items.enum) return items.enum.slice(0, 3)
  if (name === 'reference') return ['WEB-1', 'WEB-2', 'APP-1']
  if (items.format === 'uuid' || name.endsWith('Id')) return [1, 2, 3].map((n) => id('task', n))
  return items.type === 'integer' ? ['1', '2', '3'] : ['design', 'bug', 'Ü +&']
}

describe('a repeated parameter that takes several values', () => {
  test('is in all the lists', () => assert.ok(lists.length >= 25, `${lists.length}`))

  for (const { claim, path, ...parameter } of lists) {
    test(`${claim} means the same as with commas`, async () => {
      const { name } = parameter
      const values = valuesOf(parameter).map(encodeURIComponent)
      const [first, ...rest] = values
      const separated = await get(`${path}?${name}=${values}`)
      assert.equal(separated.status, 200, separated.text)
      const before = statements
      for (const query of [
        values.map((value) => `${name}=${value}`).join('&'),
        `${name}=${first}${rest.length > 0 ? `&${name}=${rest}` : ''}`,
        `${name}=${values}&${name}=${first}`,
      ]) {
        const repeated = await get(`${path}?${query}`)
        assert.equal(repeated.text, separated.text, query)
        assert.equal(repeated.headers['etag'], separated.headers['etag'])
      }
      assert.equal(statements, before, 'the responses came from the cache')
    })
  }

  test('keeps the cursor valid', async () => {
    const list = `/projects/${web}/tasks?limit=1`
    const { meta } = (await get(`${list}&state=open,completed&include=tags,watchers`)).body
    const next = await get(`${list}&state=completed&include=tags&state=open&include=watchers&cursor=${meta.nextCursor}`)
    assert.equal(next.status, 200, next.text)
    assert.equal(next.body.data.length, 1)
  })

  test('is documented in the form in which clients repeat it', () => {
    for (const { claim, style, explode } of lists) assert.deepEqual([style, explode], ['form', true], claim)
  })
})

describe('a repeated parameter that takes one value gets 400', () => {
  for (const { claim, path, name, example } of others) {
    test(claim, async () => {
      const one = `${name}=${encodeURIComponent(String(example))}`
      const { status, body } = await get(`${path}?${one}&${one}`)
      assert.deepEqual([status, body.errors[0].name], [400, name])
      assert.match(body.errors[0].message, /is given more than once/)
    })
  }
})
