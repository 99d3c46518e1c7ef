// The OpenAPI document matches the code.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems, type Code } from '../../src/api/problems/problem.ts'
import { routes } from '../../src/routes.ts'
import { checkOf, codesOf, document, follow, operations, resolve, type Operation } from './document.ts'
import { valuesOf } from '../support/values.ts'

const openPaths = ['/healthz', '/readyz']
const all = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item)
    .filter(([method]) => method !== 'servers')
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
)

test('routes and operations match', () => {
  const inCode = routes.map(([method, path]) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  assert.deepEqual(valuesOf(all, 'name'), [...inCode, ...openPaths.map((path) => `GET ${path}`)])
})

for (const { name, path, operation, endpoint, query } of operations) {
  test(`${name}: path, query and body parameters match the document`, () => {
    const inPath = operation.parameters!.map(follow).filter((parameter) => parameter.in === 'path')
    assert.deepEqual(inPath.map(({ name }) => name), [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)) // prettier-ignore
    // Parameters of own fields have names that only the database knows.
    const named = Object.keys(endpoint.query.entries).filter((name) => name !== 'fields')
    assert.deepEqual(query.map(({ name }) => name), named) // prettier-ignore
    const body = operation.requestBody && follow(operation.requestBody.content['application/json']!.schema)
    const entries = endpoint.kind === 'write' ? endpoint.body.entries : undefined
    assert.deepEqual(body && Object.keys(body['properties']), entries && Object.keys(entries))
  })
}

test('every problem code has a complete example with its status and title', () => {
  const fits = checkOf({ $ref: '#/components/schemas/Problem' })
  const examples = document['components'].examples as Record<string, { value: any }>
  assert.deepEqual(Object.keys(examples), Object.keys(problems))
  assert.deepEqual(document['components'].schemas.ProblemCode.enum, Object.keys(problems))
  for (const [code, { value }] of Object.entries(examples)) {
    assert.ok(fits(value), code)
    assert.deepEqual([value.code, value.status, value.title], [code, ...problems[code as Code]])
  }
})

test('every problem code except 405 is documented for an operation, under its status', () => {
  const found = new Set(all.flatMap(({ operation }) => codesOf(operation)))
  assert.deepEqual(Object.keys(problems).filter((code) => !found.has(code as Code)), ['METHOD_NOT_ALLOWED']) // prettier-ignore
  for (const { operation } of all) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const codes = codesOf({ ...operation, responses: { [status]: response } })
      assert.deepEqual(codes.map((code) => String(problems[code][0])), codes.map(() => status)) // prettier-ignore
    }
  }
})

// prettier-ignore
const someCodes: [name: string, candidates: Code[], documented: Code[]][] = [
  ['GET /key',                                              ['INVALID_CURSOR', 'ACCESS_DENIED', 'NOT_FOUND', 'OPERATION_DENIED'], []],
  ['GET /projects',                                         ['INVALID_CURSOR', 'ACCESS_DENIED', 'NOT_FOUND'], ['INVALID_CURSOR']],
  ['GET /projects/summary',                                 ['INVALID_CURSOR', 'ACCESS_DENIED', 'NOT_FOUND'], ['INVALID_CURSOR']],
  ['GET /tasks',                                            ['INVALID_CURSOR', 'ACCESS_DENIED', 'NOT_FOUND'], ['INVALID_CURSOR']],
  ['GET /projects/:projectId',                              ['INVALID_CURSOR', 'ACCESS_DENIED', 'NOT_FOUND'], ['ACCESS_DENIED', 'NOT_FOUND']],
  ['POST /projects',                                        ['NOT_FOUND', 'ACCESS_DENIED', 'PROJECT_KEY_TAKEN', 'PROJECT_LIMIT_REACHED', 'PROJECT_ARCHIVED', 'OPERATION_DENIED'], ['ACCESS_DENIED', 'OPERATION_DENIED', 'PROJECT_KEY_TAKEN', 'PROJECT_LIMIT_REACHED']],
  ['POST /projects/:projectId/tasks',                       ['NOT_FOUND', 'PROJECT_SYNCED', 'PROJECT_ARCHIVED', 'EXTERNAL_ID_TAKEN', 'TASK_CANCELLED', 'PRECONDITION_FAILED', 'MALFORMED_JSON'], ['MALFORMED_JSON', 'NOT_FOUND', 'PROJECT_ARCHIVED', 'PROJECT_SYNCED', 'EXTERNAL_ID_TAKEN']],
  ['POST /projects/:projectId/tasks/:taskId/complete',      ['PROJECT_KEY_TAKEN', 'PROJECT_SYNCED', 'PROJECT_ARCHIVED', 'TASK_CANCELLED', 'PRECONDITION_FAILED'], ['TASK_CANCELLED', 'PROJECT_ARCHIVED', 'PROJECT_SYNCED', 'PRECONDITION_FAILED']],
]

for (const [name, candidates, documented] of someCodes) {
  test(`${name} documents only the problems that it can fail with`, () => {
    const { codes } = operations.find((operation) => operation.name === name)!
    assert.deepEqual(codes.filter((code) => candidates.includes(code)), documented) // prettier-ignore
  })
}

test('every parameter has a description', () => {
  const undescribed = all.flatMap(({ name, operation: { parameters = [] } }) =>
    parameters
      .map(follow)
      .filter(({ description = '' }) => !description.endsWith('.'))
      .map((parameter) => `${name}: ${parameter.name}`),
  )
  assert.deepEqual(undescribed, [])
})

test('every reference resolves, and every component except METHOD_NOT_ALLOWED is referenced', () => {
  const refs = new Set([...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!))
  assert.deepEqual([...refs].filter((ref) => resolve(ref) === undefined), []) // prettier-ignore
  const { securitySchemes: _, ...components } = document['components'] as Record<string, object>
  const unused = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named).filter((name) => !refs.has(`#/components/${kind}/${name}`)),
  )
  assert.deepEqual(unused, ['METHOD_NOT_ALLOWED'])
})

test('every operation has a unique id and a documented tag', () => {
  const ids = all.map(({ operation }) => operation.operationId)
  assert.deepEqual(ids.filter((id, n) => !/^[a-z][A-Za-z]+$/.test(id ?? '') || ids.indexOf(id) !== n), []) // prettier-ignore
  const explained = (document['tags'] as { name: string }[]).map(({ name }) => name)
  assert.deepEqual([...new Set(all.flatMap(({ operation }) => operation.tags))].sort(), explained.sort())
})
