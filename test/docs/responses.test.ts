// Responses have the documented headers, and problems match their documented examples.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../../src/db/errors.ts'
import { problemExamples } from '../../src/docs/problems.ts'
import { asProblem } from '../../src/api/problems/problem-response.ts'
import { problems } from '../../src/api/problems/problem.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import { requiredQuery } from '../support/data.ts'
import { app, fill, id, missing, old, post, web, type Reply } from '../support/writes.ts'
import { operations } from './document.ts'

const { workgate } = await contractSuite({ data: 'basic', environment: { RATE_LIMIT_PER_MINUTE: '6000' } })
const keys: Record<string, string> = {}

keys.all = await workgate.issueKey('all')
keys.web = await workgate.issueKey('web', { projects: [web] })
keys.limited = await workgate.issueKey('limited', { rateLimit: 2 })
keys.revoked = await workgate.issueKey('billing')
keys.expired = await workgate.issueKey('old')
await workgate.sql`select workgate.revoke_key('billing')`
await workgate.sql`update workgate.api_keys set expires_at = '2025-01-31' where name = 'old'`

const bodies: Record<string, object> = {
  'POST /projects': { name: 'New' },
  'POST /projects/:projectId/tasks': { title: 'New' },
}
const commonHeaders = ['content-type', 'x-content-type-options', 'vary']

for (const { name, path, operation } of operations) {
  test(`${name} responds with the documented headers`, async () => {
    const [method] = name.split(' ') as [string]
    const to = fill(path, web) + requiredQuery(path)
    const { status, headers, body } =
      method === 'GET'
        ? await workgate.send(`GET ${to}`, { key: keys.all })
        : await post(workgate, keys.all!, to, bodies[name])
    const documented = Object.keys(operation.responses[status]!.headers).map((header) => header.toLowerCase())
    assert.deepEqual(
      Object.keys(headers)
        .filter((header) => !commonHeaders.includes(header))
        .sort(),
      documented
        .filter((header) => header !== 'idempotency-replayed' && (header !== 'link' || body.meta.hasMore))
        .sort(),
    )
  })
}

const get = (path: string, key?: string, headers = {}) => workgate.send(`GET ${path}`, { key, headers })
const create = (body: unknown, headers = {}, projectId = web) =>
  post(workgate, keys.all!, `/projects/${projectId}/tasks`, body, headers)
const complete = (n: number, headers = {}) =>
  post(workgate, keys.all!, `/projects/${web}/tasks/${id('task', n)}/complete`, undefined, headers)

// prettier-ignore
const provoked: Record<string, () => Promise<Reply>> = {
  VALIDATION_FAILED:       () => get('/projects?stauts=active', keys.all),
  MALFORMED_JSON:          () => create('{"title": '),
  INVALID_CURSOR:          () => get('/projects?cursor=x', keys.all),
  AMBIGUOUS_CREDENTIALS:   () => get('/projects', keys.all, { 'x-api-key': keys.web }),
  UNAUTHENTICATED:         () => get('/projects', 'nobody'),
  KEY_EXPIRED:             () => get('/projects', keys.expired),
  KEY_REVOKED:             () => get('/projects', keys.revoked),
  ACCESS_DENIED:           () => get(`/projects/${app}`, keys.web),
  OPERATION_DENIED:        () => post(workgate, keys.web!, '/projects', { name: 'New' }),
  NOT_FOUND:               () => get(`/projects/${web}/tasks/${missing}`, keys.all),
  METHOD_NOT_ALLOWED:      () => workgate.send('DELETE /projects', { key: keys.all }),
  async TASK_CANCELLED() {
    await workgate.sql`update workgate.tasks set state = 'cancelled' where id = ${id('task', 2)}`
    return complete(2)
  },
  PROJECT_ARCHIVED:        () => create({ title: 'New' }, {}, old),
  async PROJECT_SYNCED() {
    await workgate.sql`insert into workgate.sources (project_id, tool, address, namespace) values (${app}, 'github', 'https://github.com/acme/web', 'x')`
    const reply = await create({ title: 'New' }, {}, app)
    await workgate.sql`delete from workgate.sources`
    return reply
  },
  PROJECT_KEY_TAKEN:       () => post(workgate, keys.all!, '/projects', { name: 'New', key: 'WEB' }),
  async EXTERNAL_ID_TAKEN() {
    await create({ title: 'One', externalId: 'taken' })
    return create({ title: 'Two', externalId: 'taken' })
  },
  async PROJECT_LIMIT_REACHED() {
    const full = await workgate.issueKey('full', { projects: [web], operations: ['create_project'] })
    await workgate.sql`
      update workgate.api_keys set project_ids = array(select gen_random_uuid() from generate_series(1, 1000))
      where name = 'full'`
    return post(workgate, full, '/projects', { name: 'New' })
  },
  async IDEMPOTENCY_IN_PROGRESS() {
    const replies: Promise<Reply>[] = []
    const send = () => replies.push(create({ title: 'New' }, { 'idempotency-key': 'slow' }))
    await whileLocked(workgate.sql, lockTasks(web), async () => {
      send()
      await untilBlocked(workgate.sql)
      send()
      await replies[1]
    })
    return (await Promise.all(replies))[1]!
  },
  async CURSOR_EXPIRED() {
    const path = `/projects/${web}/changes?cursor=`
    const { body } = await get(path.replace('cursor=', 'from=now'), keys.all)
    await workgate.sql`insert into workgate.journal_horizon select pg_snapshot_xmin(pg_current_snapshot())`
    return get(path + (body['meta'] as { cursor: string }).cursor, keys.all)
  },
  async TASK_DELETED() {
    const { taskId, deletedAt, by, number, version } = problemExamples['TASK_DELETED']!.value.deletion!
    await workgate.sql`
      insert into workgate.tasks (project_id, id, number, title, version) values (${app}, ${taskId}, ${number}, 'x', ${version})`
    await workgate.sql.begin(async (sql) => {
      await sql`select set_config('workgate.channel', ${by.channel}, true), set_config('workgate.actor', ${JSON.stringify(by.actor)}, true)`
      await sql`delete from workgate.tasks where id = ${taskId}`
    })
    await workgate.sql`update workgate.journal set at = ${deletedAt} where id = ${taskId}`
    return get(`/projects/${app}/tasks/${taskId}/work-packet`, keys.all)
  },
  PRECONDITION_FAILED:     () => complete(1, { 'if-match': '"another"' }),
  BODY_TOO_LARGE:          () => create({ title: 'a'.repeat(300_000) }),
  URI_TOO_LONG:            () => get(`/projects?q=${'a'.repeat(9_000)}`, keys.all),
  UNSUPPORTED_MEDIA_TYPE:  () => create({ title: 'New' }, { 'content-type': 'text/plain' }),
  async IDEMPOTENCY_KEY_REUSED() {
    await create({ title: 'One' }, { 'idempotency-key': 'twice' })
    return create({ title: 'Two' }, { 'idempotency-key': 'twice' })
  },
  async RATE_LIMITED() {
    const replies = await Promise.all(Array.from({ length: 3 }, () => get('/key', keys.limited)))
    return replies.find(({ status }) => status === 429)!
  },
}

// Malformed or incomplete requests: see test/ci/processes/clients.test.ts. No request causes the unprovoked problems.
const closed = ['MALFORMED_REQUEST', 'REQUEST_TIMEOUT', 'HEADERS_TOO_LARGE', 'NOT_IMPLEMENTED']
const unprovoked = { INTERNAL: new Error('x'), UNAVAILABLE: new DatabaseUnavailable('x') }

const withoutTimes = (text: string) => text.replace(/in \d+ s\./, 'soon.').replaceAll(/(?<=s\/)[0-9a-f-]{36}/g, 'ID')

for (const [code, provoke] of Object.entries(provoked)) {
  test(`${code} matches its example`, async () => {
    const { body } = await provoke()
    const { value } = problemExamples[code]!
    assert.equal(withoutTimes(JSON.stringify({ ...body, requestId: '' })), withoutTimes(JSON.stringify({ ...value, requestId: '' }))) // prettier-ignore
  })
}

for (const [code, error] of Object.entries(unprovoked)) {
  test(`${code} matches its example`, () => {
    const problem = asProblem(error)
    assert.deepEqual([problem.code, problem.detail], [code, problemExamples[code]!.value.detail])
  })
}

test('every problem code is covered', () => {
  assert.deepEqual(
    [...Object.keys(provoked), ...Object.keys(unprovoked), ...closed].sort(),
    Object.keys(problems).sort(),
  )
})
