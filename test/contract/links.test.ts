// Following the links of the OpenAPI document: every link makes a successful request.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { fill, web } from '../support/data.ts'
import type { Reply } from '../support/workgate.ts'
import { follow, operations, type Documented, type Link, type Parameter } from '../docs/document.ts'

const { get, post } = await contractSuite({ data: 'strangers' })

interface Exchange {
  operation: Documented
  /** The values of the request's parameters. */
  path: Record<string, string>
  query: Record<string, string>
  reply: Reply
}

const bodies: Record<string, object> = { createProject: { name: 'Linked' }, createTask: { title: 'Linked' } }
const idOf = ({ operation }: Documented) => operation.operationId
const operationOf = (id: string) => operations.find((operation) => idOf(operation) === id)!
const linksOf = ({ operation: { responses } }: Documented): [string, Link][] =>
  Object.values(responses).flatMap(({ links = {} }) => Object.entries(links))
const parametersOf = ({ operation }: Documented): Parameter[] => operation.parameters!.map(follow)

async function request(operation: Documented, values: Record<string, string>): Promise<Exchange> {
  const inPlace = (place: string) =>
    Object.fromEntries(
      parametersOf(operation).flatMap(({ in: where, name }) =>
        where === place && values[name] !== undefined ? [[name, values[name]]] : [],
      ),
    )
  const [path, query, headers] = [inPlace('path'), inPlace('query'), inPlace('header')]
  const target = operation.path.replaceAll(/:(\w+)/g, (_, name: string) => path[name]!)
  const search = String(new URLSearchParams(query))
  const reply = operation.name.startsWith('POST')
    ? await post(target, bodies[idOf(operation)] ?? {}, headers)
    : await get(search ? `${target}?${search}` : target)
  return { operation, path, query, reply }
}

/** The value of a runtime expression; null and undefined if there is none. */
function evaluate(expression: string, { path, query, reply }: Exchange): unknown {
  const [, source, rest] = /^\$(request\.path|request\.query|response\.header|response\.body#)[./](.+)$/.exec(
    expression,
  )!
  if (source === 'request.path') return path[rest!]
  if (source === 'request.query') return query[rest!]
  if (source === 'response.header') return reply.headers[rest!.toLowerCase()]
  return rest!.split('/').reduce((value, step) => value?.[step], reply.body)
}

async function followLink({ operationId, parameters }: Link, from: Exchange): Promise<Exchange> {
  const values = Object.entries(parameters).flatMap(([name, expression]) => {
    const value = evaluate(expression, from) ?? undefined
    return value === undefined ? [] : [[name, String(value)]]
  })
  return request(operationOf(operationId), Object.fromEntries(values))
}

const linked = operations.filter((operation) => linksOf(operation).length > 0)

test('lists, single objects and writes have links', () => {
  const isList = ({ endpoint }: Documented) => 'cursor' in endpoint.query.entries
  const without = operations.filter((operation) => !linked.includes(operation)).map(idOf)
  assert.deepEqual(without.filter((id) => isList(operationOf(id)) || operationOf(id).name.startsWith('POST')), []) // prettier-ignore
  assert.ok(['getProject', 'getTask', 'getWorkPacket'].every((id) => !without.includes(id)))
})

for (const source of linked) {
  for (const [name, link] of linksOf(source)) {
    test(`${source.name}: the request of the link ${name} succeeds`, async () => {
      const target = operationOf(link.operationId)
      const known = parametersOf(target)
      assert.deepEqual(Object.keys(link.parameters).filter((given) => !known.some(({ name }) => name === given)), []) // prettier-ignore
      const required = known.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      assert.deepEqual(required.filter((name) => !(name in link.parameters)), []) // prettier-ignore

      const from = await request(source, startOf(source))
      assert.ok(from.reply.status < 300, from.reply.text)
      const { reply } = await followLink(link, from)
      assert.ok(reply.status < 300, reply.text)
      if (link.operationId === 'verifyWorkPacket') assert.equal(reply.body.data.verified, true)
      if (name !== 'nextPage') return
      assert.notEqual(from.reply.body.meta.nextCursor, null)
      assert.equal(reply.body.meta.limit, 1)
      assert.notDeepEqual(reply.body.data, from.reply.body.data)
    })
  }
}

/** The first page of a list has one item. */
function startOf({ path, endpoint }: Documented): Record<string, string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const ids = Object.fromEntries(names.map((name) => [name, fill(`:${name}`, web)]))
  return { ...ids, ...('cursor' in endpoint.query.entries && { limit: '1' }) }
}

test('the next page keeps the filters and the sort', async () => {
  const listTasks = operationOf('listTasks')
  const [, link] = linksOf(listTasks).find(([name]) => name === 'nextPage')!
  const query = { state: 'open,completed', priority: 'none,low', sort: 'number', limit: '1', include: 'tags' }
  let page = await request(listTasks, { projectId: web, ...query })
  const seen = page.reply.body.data
  while (page.reply.body.meta.hasMore) {
    page = await followLink(link, page)
    seen.push(...page.reply.body.data)
  }
  const whole = await request(listTasks, { projectId: web, ...query, limit: '200' })
  assert.ok(seen.length > 1)
  assert.deepEqual(seen, whole.reply.body.data)
})
