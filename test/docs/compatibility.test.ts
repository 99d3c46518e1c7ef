// Clients of the last release work with the current API: the OpenAPI document has only compatible changes.
// After a release, RELEASE=write npm test -- test/docs/compatibility.test.ts stores the document for comparison.

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { findBreakingChanges, formatReleased, type ApiDocument } from './compatibility.ts'
import { document } from './document.ts'

const file = 'test/docs/released-openapi.json'
const current = document as ApiDocument
if (process.env['RELEASE'] === 'write') await writeFile(file, formatReleased(current))
const released = JSON.parse(await readFile(file, 'utf8')) as ApiDocument
const today = new Date().toISOString().slice(0, 10)

test(`the document has no breaking change since ${released.info.version}`, () => {
  const advice =
    'Undo these changes, or announce them as the guide "Compatibility" says. Before the first release with them: RELEASE=write npm test -- test/docs/compatibility.test.ts'
  assert.deepEqual(findBreakingChanges(released, current, today), [], advice)
})

type Edit = (edited: any) => void

const tasks = (edited: any) => edited.paths['/projects/{projectId}/tasks']
const parameter = (edited: any, name: string) => tasks(edited).get.parameters.find((one: any) => one.name === name)
const bodyOf = (edited: any) => {
  const { schema } = tasks(edited).post.requestBody.content['application/json']
  return schema.$ref ? edited.components.schemas[schema.$ref.split('/').at(-1)] : schema
}
const schema = (edited: any, name: string) => edited.components.schemas[name]

/** Replaces an inline or referenced schema, keeping the rest of the parameter. */
const setValues = (of: any, values: string[]) => (of.schema = { type: 'string', enum: values })

const announced = { deprecated: true, 'x-deprecated-since': '2020-01-01', 'x-sunset': '2021-01-01' }

// prettier-ignore
const breaking: [claim: string, edit: Edit, message: RegExp][] = [
  ['a removed path',                         (e) => delete e.paths['/key'],                                              /^GET \/key was removed$/],
  ['a removed operation',                    (e) => delete tasks(e).post,                                                /^POST \/projects\/\{projectId\}\/tasks was removed$/],
  ['a changed operationId',                  (e) => (e.paths['/key'].get.operationId = 'readKey'),                       /^GET \/key: operationId changed from "getKey" to "readKey"$/],
  ['a changed tag',                          (e) => (e.paths['/key'].get.tags = ['Keys']),                               /tags changed/],
  ['an operation that needs other credentials', (e) => (e.paths['/healthz'].get.security = [{ bearerKey: [] }]),         /GET \/healthz: security changed/],
  ['another server',                         (e) => (e.servers = [{ url: '/api/v1' }]),                                  /^servers changed to/],
  ['a renamed schema',                       (e) => { e.components.schemas.Todo = schema(e, 'Task'); delete e.components.schemas.Task; point(e, 'Task', 'Todo') }, /^the schema Task was removed or renamed$/],

  ['a removed parameter',                    (e) => remove(tasks(e).get.parameters, 'q'),                                /^GET .*\/tasks: query parameter q was removed$/],
  ['a new required parameter',               (e) => tasks(e).get.parameters.push({ name: 'x', in: 'query', required: true, schema: {} }), /the new query parameter x is required$/],
  ['a parameter that is now required',       (e) => (parameter(e, 'q').required = true),                                 /query parameter q is now required$/],
  ['another style of a list parameter',      (e) => (parameter(e, 'state').style = 'spaceDelimited'),                    /query parameter state: style changed/],
  ['a removed value of a parameter',         (e) => schema(e, 'TaskState').enum.pop(),                                   /query parameter state\[\] \(TaskState\): no longer accepts "cancelled"$/],
  ['a removed sort',                         (e) => parameter(e, 'sort').schema.enum.pop(),                              /query parameter sort: no longer accepts/],
  ['a parameter that accepts only some values', (e) => setValues(parameter(e, 'q'), ['a']),                              /query parameter q: accepts only "a"$/],
  ['a shorter parameter',                    (e) => (parameter(e, 'q').schema.maxLength -= 1),                           /query parameter q: maxLength changed from \d+ to \d+$/],
  ['a smaller limit',                        (e) => (parameter(e, 'limit').schema.maximum = 100),                        /query parameter limit: maximum changed from 200 to 100$/],
  ['a larger minimum',                       (e) => (parameter(e, 'limit').schema.minimum = 2),                          /query parameter limit: minimum changed from 1 to 2$/],
  ['another default',                        (e) => (parameter(e, 'limit').schema.default = 20),                         /query parameter limit: default changed from 50 to 20$/],
  ['another type of a parameter',            (e) => (parameter(e, 'limit').schema.type = 'string'),                      /query parameter limit: the type integer is no longer accepted$/],
  ['a new pattern of a parameter',           (e) => (parameter(e, 'q').schema.pattern = '^a'),                           /query parameter q: pattern changed/],

  ['a removed field of a body',              (e) => delete bodyOf(e).properties.tags,                                    /POST .*\/tasks: body.*\.tags: was removed$/],
  ['a field of a body that is now required', (e) => bodyOf(e).required.push('dueDate'),                                  /body.*\.dueDate: is now required$/],
  ['a new required field of a body',         (e) => { bodyOf(e).properties.x = { type: 'string' }; bodyOf(e).required.push('x') }, /body.*\.x: is now required$/],
  ['a field of a body that cannot be null any more', (e) => notNull(bodyOf(e).properties, 'description'),                /body.*\.description: the type null is no longer accepted$/],
  ['a body that is now required',            (e) => (e.paths['/projects/{projectId}/tasks/{taskId}/complete'].post.requestBody.required = true), /complete: a body is now required$/],
  ['a removed type of a body',               (e) => { const { content } = tasks(e).post.requestBody; content['text/plain'] = content['application/json']; delete content['application/json'] }, /body: the type application\/json was removed$/],

  ['a removed field of a response',          (e) => delete schema(e, 'Task').properties.number,                          /\(Task\)\.number: was removed$/],
  ['a field of a response that may be absent', (e) => remove(schema(e, 'Task').required, 'number'),                      /\(Task\)\.number: may now be absent$/],
  ['a field of a response that can be null', (e) => (schema(e, 'Task').properties.title.type = ['string', 'null']),      /\(Task\)\.title: the type null is new$/],
  ['another type of a field',                (e) => (schema(e, 'Task').properties.title = { type: 'integer' }),          /\(Task\)\.title: the type integer is new$/],
  ['another format of a field',              (e) => delete schema(e, 'Task').properties.id.format,                       /\(Task\)\.id: format changed from "uuid" to nothing$/],
  ['a longer field of a response',           (e) => (schema(e, 'Task').properties.title.maxLength += 1),                 /\(Task\)\.title: maxLength changed/],
  ['a new value of an enumeration',          (e) => schema(e, 'MemberRole').enum.push('guest'),                          /\(MemberRole\): can have the new value "guest"$/],
  ['an enumeration that becomes text',       (e) => delete schema(e, 'MemberRole').enum,                                 /\(MemberRole\): can have any value$/],
  ['a removed header of a response',         (e) => delete tasks(e).get.responses['200'].headers.ETag,                   /response 200: the header ETag was removed$/],
  ['another success status',                 (e) => { const { responses } = tasks(e).post; responses['202'] = responses['201']; delete responses['201'] }, /the new status 202 is not an error/],
  ['another type of a response',             (e) => { const { content } = tasks(e).get.responses['200']; content['text/csv'] = content['application/json']; delete content['application/json'] }, /response 200: the type application\/json was removed$/],
  ['a removed member of problems',           (e) => delete schema(e, 'Problem').properties.requestId,                    /\(Problem\)\.requestId: was removed$/],

  ['a sunset within a year',                 (e) => Object.assign(tasks(e).get, announced, { 'x-sunset': '2020-12-01' }), /the sunset 2020-12-01 is less than a year after 2020-01-01$/],
  ['a new operation with a sunset within a year', (e) => (e.paths['/new'] = { get: { ...announced, 'x-sunset': '2020-12-01' } }), /^GET \/new: the sunset/],
]

// prettier-ignore
const compatible: [claim: string, edit: Edit][] = [
  ['no change',                              () => {}],
  ['a new path',                             (e) => (e.paths['/new'] = e.paths['/key'])],
  ['a new operation',                        (e) => (e.paths['/key'].post = tasks(e).post)],
  ['a new optional parameter',               (e) => tasks(e).get.parameters.push({ name: 'x', in: 'query', schema: { type: 'string' } })],
  ['a new value of a parameter',             (e) => parameter(e, 'sort').schema.enum.push('title')],
  ['a wider limit',                          (e) => (parameter(e, 'limit').schema.maximum = 500)],
  ['a parameter without its pattern',        (e) => delete e.components.parameters.IdempotencyKey.schema.pattern],
  ['a new optional field of a body',         (e) => (bodyOf(e).properties.x = { type: 'string' })],
  ['a field of a body that is now optional', (e) => remove(bodyOf(e).required, 'title')],
  ['a new field of a response',              (e) => (schema(e, 'Task').properties.x = { type: 'string' })],
  ['a new required field of a response',     (e) => { schema(e, 'Task').properties.x = {}; schema(e, 'Task').required.push('x') }],
  ['a field of a response that is never null any more', (e) => notNull(schema(e, 'Task').properties, 'description')],
  ['a shorter field of a response',          (e) => (schema(e, 'Task').properties.number.maximum = 10)],
  ['a new error code',                       (e) => schema(e, 'ProblemCode').enum.push('NEW_CODE')],
  ['a new operation of keys',                (e) => schema(e, 'Operation').enum.push('delete_task')],
  ['a new interval',                         (e) => schema(e, 'Interval').enum.push('quarter')],
  ['a new error status',                     (e) => (e.paths['/key'].get.responses['418'] = e.paths['/key'].get.responses['401'])],
  ['an error that no longer happens',        (e) => delete tasks(e).get.responses['403']],
  ['a new header of a response',             (e) => (tasks(e).get.responses['200'].headers.Link = {})],
  ['a new schema',                           (e) => (e.components.schemas.New = {})],
  ['other descriptions, examples and order', (e) => { e.paths = Object.fromEntries(Object.entries(e.paths).reverse()); tasks(e).get.description = 'x'; parameter(e, 'q').example = 'x'; schema(e, 'Task').description = 'x' }],
  ['an announced removal',                   (e) => Object.assign(tasks(e).get, announced)],
]

function remove(list: any[], name: string): void {
  list.splice(
    list.findIndex((item) => item === name || item.name === name),
    1,
  )
}

function notNull(properties: any, name: string): void {
  const { type, anyOf, ...rest } = properties[name]
  properties[name] = type ? { ...rest, type: type[0] } : { ...rest, ...anyOf[0] }
}

function point(edited: any, from: string, to: string): void {
  for (const key of Object.keys(edited)) {
    if (edited[key] === `#/components/schemas/${from}`) edited[key] = `#/components/schemas/${to}`
    else if (typeof edited[key] === 'object' && edited[key] !== null) point(edited[key], from, to)
  }
}

/** The document as if the current one had been released. */
const stored = JSON.parse(formatReleased(current)) as ApiDocument

function changesOf(edit: Edit, of = stored): string[] {
  const edited = structuredClone(of)
  edit(edited)
  return findBreakingChanges(of, edited, today)
}

describe('a breaking change', () => {
  for (const [claim, edit, message] of breaking) {
    test(`${claim}: is found, with its place`, () => {
      const changes = changesOf(edit)
      assert.ok(changes.some((change) => message.test(change)), changes.join('\n') || 'no change found') // prettier-ignore
    })
  }
})

describe('a compatible change passes:', () => {
  test('the documentation, which the stored document lacks', () => {
    assert.deepEqual(findBreakingChanges(stored, current, today), [])
  })
  for (const [claim, edit] of compatible) test(claim, () => assert.deepEqual(changesOf(edit), []))
})

describe('an announced operation or parameter', () => {
  const withAnnouncement = structuredClone(stored)
  Object.assign(tasks(withAnnouncement).get, announced)
  Object.assign(parameter(withAnnouncement, 'q'), announced)
  Object.assign(withAnnouncement.paths['/key']!['get']!, announced)
  // prettier-ignore
  const removals: Edit[] = [
    (edited) => delete tasks(edited).get,
    (edited) => remove(tasks(edited).get.parameters, 'q'),
    (edited) => { delete edited.paths['/key']; delete edited.components.schemas.Key },
  ]

  for (const edit of removals) {
    test(`can be removed from its sunset on, not before: ${edit}`, () => {
      const edited = structuredClone(withAnnouncement) as ApiDocument
      edit(edited)
      assert.deepEqual(findBreakingChanges(withAnnouncement, edited, '2021-01-01'), [])
      assert.equal(findBreakingChanges(withAnnouncement, edited, '2020-12-31').length, 1)
    })
  }

  test('cannot get an earlier sunset', () => {
    const edit: Edit = (edited) => Object.assign(tasks(edited).get, { ...announced, 'x-deprecated-since': '2019-01-01', 'x-sunset': '2020-12-31' }) // prettier-ignore
    assert.match(changesOf(edit, withAnnouncement)[0]!, /the sunset moved forward to 2020-12-31$/)
  })
})
