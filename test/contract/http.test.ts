// Tests methods, errors, request ids, the log and health checks, which are the same for all routes.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { query } from '../../src/db/statements/query.ts'
import { createLog } from '../../src/runtime/log.ts'
import { runPeriodically } from '../../src/api/housekeeping.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { id, web } from '../support/data.ts'
import { routes } from '../../src/routes.ts'
import { api, openWorkgate } from '../support/workgate.ts'

const { workgate, key } = await contractSuite({ data: 'basic', key: { name: 'reader' } })

describe('methods', () => {
  test('HEAD is GET without the body', async () => {
    const head = await workgate.send(`HEAD /projects/${web}`, { key })
    const get = await workgate.send(`GET /projects/${web}`, { key })
    assert.equal(head.status, 200)
    assert.equal(head.headers['content-type'], get.headers['content-type'])
    if (head.headers['content-length'] !== undefined) {
      assert.equal(head.text, '')
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)))
    }
  })

  test('OPTIONS returns the methods of a path', async () => {
    const { status, headers, text } = await workgate.send('OPTIONS /projects', { key })
    assert.deepEqual([status, headers['allow'], text], [204, 'GET, POST, HEAD, OPTIONS', ''])
    assert.equal((await workgate.send('OPTIONS /projects')).status, 401)
  })

  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    test(`${method} gets 405 with Allow, and 404 on an unknown path`, async () => {
      const { status, headers, body } = await workgate.send(`${method} /projects/${web}`, { key })
      assert.deepEqual([status, body.code, headers['allow']], [405, 'METHOD_NOT_ALLOWED', 'GET, HEAD, OPTIONS'])
      assert.equal((await workgate.send(`${method} /nothing`, { key })).status, 404)
    })
  }

  test('a write that the API does not have gets the writes that it has, and the other channels', async () => {
    const advice =
      'The API has three writes: create a project, create a task and complete a task. ' +
      'Make other changes by SQL or with "workgate import".'
    assert.equal(routes.filter(([method]) => method === 'POST').length, 3)
    for (const line of [`PATCH /projects/${web}/tasks/${id('task', 1)}`, `POST /projects/${web}/comments`]) {
      const { status, body } = await workgate.send(line, { key })
      assert.deepEqual([status, body.detail], [405, `This path supports GET, HEAD, OPTIONS. ${advice}`], line)
    }
    const { body } = await workgate.send(`GET /projects/${web}/tasks/${id('task', 1)}/complete`, { key })
    assert.equal(body.detail, 'This path supports POST, OPTIONS.')
  })
})

describe('errors', () => {
  // prettier-ignore
  const unknownPaths: [line: string, detail: string][] = [
    ['GET /users',                    'No such path. This data belongs to a project: use /projects/:projectId/users.'],
    ['POST /comments?limit=1',        'No such path. This data belongs to a project: use /projects/:projectId/comments.'],
    [`GET /tasks/${id('task', 1)}`,   'No such path. This data belongs to a project: use /projects/:projectId/tasks/:taskId.'],
    ['GET /',                         'No such path.'],
    ['GET /users/extra',              'No such path.'],
    [`GET /projects/${web}/nothing`,   'No such path.'],
  ]
  for (const [line, detail] of unknownPaths) {
    test(`${line} gets 404: ${detail}`, async () => {
      const { status, body } = await workgate.send(line, { key })
      assert.deepEqual([status, body.detail], [404, detail])
    })
  }

  const paths = [
    'GET /',
    'GET /nothing',
    `GET /projects/${web}/nothing`,
    `GET /projects/${web}/users/extra`,
    'GET //docs/nothing',
    'GET //nothing',
    'GET //api',
    'GET //api/external/v2/projects',
  ]
  for (const line of paths) {
    test(`${line} gets 404 as a problem`, async () => {
      const { status, body, headers } = await workgate.send(line, { key })
      assert.equal(status, 404)
      assert.deepEqual(Object.keys(body), ['type', 'title', 'status', 'code', 'detail', 'requestId'])
      assert.deepEqual([body.status, body.code, body.type], [404, 'NOT_FOUND', '/docs/errors#NOT_FOUND'])
      assert.equal(body.requestId, headers['x-request-id'])
    })
  }
})

test('an internal error does not reveal its cause; the log has it under the request id, without data', async () => {
  await workgate.sql`alter table workgate.stages rename to elsewhere`
  const { status, body, text } = await workgate.send(`GET /projects/${web}/stages`, { key })
  await workgate.sql`alter table workgate.elsewhere rename to stages`
  assert.deepEqual([status, body.code], [500, 'INTERNAL'])
  assert.doesNotMatch(text, /relation|exist|stages|42P01|postgres/i)
  const line = await workgate.logged(body.requestId)
  assert.equal(line['level'], 'error')
  const { name, code } = line['cause'] as Record<string, string>
  assert.deepEqual([name, code], ['PostgresError', '42P01'])
  assert.doesNotMatch(JSON.stringify(line), /relation/)
})

describe('a failing background job is logged once, with its cause and without data:', () => {
  const open = (url: string) => openDatabase({ target: { url }, poolSize: 1, statementTimeoutMs: 10_000 })
  const failing = query<unknown>(`select 'secret'::integer`)
  const cases: [name: string, code: string | undefined, work: () => Promise<unknown>][] = [
    ['PostgresError', '22P02', () => failing(here, {})],
    ['DatabaseUnavailable', 'ECONNREFUSED', () => failing(nowhere, {})],
    ['SyntaxError', undefined, async () => JSON.parse('secret')],
    ['Error', undefined, () => Promise.reject(new Error('a message\n    at secret'))],
  ]
  let here: Database
  let nowhere: Database
  before(() => {
    here = open(workgate.url)
    nowhere = open('postgres://nobody@127.0.0.1:1/nowhere')
  })
  after(() => Promise.all([here.close(), nowhere.close()]))

  for (const [name, code, work] of cases) {
    test(name, async () => {
      const lines: string[] = []
      const turns = runPeriodically(
        createLog('warn', (line) => lines.push(line)),
        3_600_000,
        'it failed',
        async () => void (await work()),
      )
      await turns.run()
      await turns.run()
      turns.close()
      assert.equal(lines.length, 1)
      const { level, message, cause } = JSON.parse(lines[0]!)
      assert.deepEqual([level, message, cause.name, cause.code], ['warn', 'it failed', name, code])
      assert.ok(code ?? cause.stack[0].startsWith('at '))
      assert.doesNotMatch(lines[0]!, /secret|syntax for/)
    })
  }
})

describe('request ids', () => {
  const idFor = async (given: string | string[]) =>
    (await workgate.send('GET //healthz', { headers: { 'x-request-id': given } })).headers['x-request-id']

  test('a valid request id is kept', async () => {
    assert.equal(await idFor('trace-1.a:B_2'), 'trace-1.a:B_2')
  })

  test('a key is not used as a request id, whatever its form', async () => {
    const text = 'an-environment-key-of-32-characters'
    for (const headers of [{ authorization: `Bearer ${text}` }, { 'x-api-key': text }]) {
      const reply = await workgate.send('GET /key', { headers: { ...headers, 'x-request-id': text } })
      assert.match(reply.headers['x-request-id']!, /^[0-9a-f-]{36}$/)
    }
  })

  for (const given of ['', 'with space', 'x'.repeat(65), '<script>', 'wg_000000000000_key']) {
    test(`"${given.slice(0, 20)}" is replaced`, async () => {
      assert.match((await idFor(given))!, /^[0-9a-f-]{36}$/)
    })
  }
})

describe('the log', () => {
  test('has one line for each request, with the id and name of the key and without the query', async () => {
    const headers = { 'x-request-id': 'find-me' }
    await workgate.send(`GET /projects/${web}/users?q=Ada`, { key, headers })
    await workgate.logged('find-me')
    const lines = workgate.logLines().filter((line) => line['requestId'] === 'find-me')
    assert.equal(lines.length, 1)
    const { time, ms, address, ...line } = lines[0]!
    assert.deepEqual(line, {
      level: 'info',
      message: 'request',
      requestId: 'find-me',
      method: 'GET',
      path: `${api}/projects/${web}/users`,
      route: '/projects/:projectId/users',
      status: 200,
      keyId: key.slice(3, 15),
      keyName: 'reader',
    })
    assert.ok(typeof ms === 'number' && typeof time === 'string' && typeof address === 'string')
  })
})

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'
const both = { traceId: trace, spanId: span }

// prettier-ignore
const traces: [claim: string, traceparent: string | string[], logged: object][] = [
  ['is logged as trace id and span id',            `00-${trace}-${span}-01`,               both],
  ['is logged with unknown flags',                 `00-${trace}-${span}-ff`,               both],
  ['is logged in a future version',                `cc-${trace}-${span}-01`,               both],
  ['is logged in a future version with more fields', `01-${trace}-${span}-01-what-else`,     both],
  ['is ignored in version 00 with more fields',    `00-${trace}-${span}-01-what-else`,     {}],
  ['is ignored if more fields begin without a dash', `01-${trace}-${span}-01.what`,          {}],
  ['is ignored in version ff',                     `ff-${trace}-${span}-01`,               {}],
  ['is ignored with a trace of zeros',             `00-${'0'.repeat(32)}-${span}-01`,      {}],
  ['is ignored with a span of zeros',              `00-${trace}-${'0'.repeat(16)}-01`,     {}],
  ['is ignored with capitals in the trace',        `00-${trace.toUpperCase()}-${span}-01`, {}],
  ['is ignored with a letter that is not hex',     `00-${trace.replace('4', 'g')}-${span}-01`, {}],
  ['is ignored with a trace of 31 digits',         `00-${trace.slice(1)}-${span}-01`,      {}],
  ['is ignored with a span of 17 digits',          `00-${trace}-${span}0-01`,              {}],
  ['is ignored without flags',                     `00-${trace}-${span}`,                  {}],
  ['is ignored if it is empty',                    '',                                     {}],
  ['is ignored if it is sent twice',               [`00-${trace}-${span}-01`, `00-${trace}-${span}-01`], {}],
]

describe('traceparent in the log', () => {
  for (const [claim, traceparent, expected] of traces) {
    test(claim, async () => {
      const { status, headers } = await workgate.send('GET //healthz', { headers: { traceparent } })
      const line = await workgate.logged(headers['x-request-id'])
      const { traceId, spanId } = line
      assert.deepEqual({ ...(traceId !== undefined && { traceId }), ...(spanId !== undefined && { spanId }) }, expected)
      assert.deepEqual([status, headers['traceparent']], [200, undefined])
      assert.ok(!Object.keys(expected).length || !JSON.stringify(line).includes('what'))
    })
  }
})

describe('health', () => {
  test('/healthz and /readyz need no key and show no data', async () => {
    for (const [path, status] of [
      ['healthz', 'ok'],
      ['readyz', 'ready'],
    ]) {
      const reply = await workgate.send(`GET //${path}`)
      assert.deepEqual([reply.status, reply.body], [200, { status }])
      assert.equal((await workgate.send(`HEAD //${path}`)).status, 200)
      assert.equal((await workgate.send(`POST //${path}`)).status, 405)
    }
  })

  test('/readyz returns 503 if the database has another version', async () => {
    await workgate.sql`insert into workgate.migrations (name, checksum) values ('9999-future', 'x')`
    const { status, body, headers } = await workgate.send('GET //readyz')
    assert.deepEqual([status, body.code, headers['retry-after']], [503, 'UNAVAILABLE', '1'])
    await workgate.sql`delete from workgate.migrations where name = '9999-future'`
    assert.equal((await workgate.send('GET //readyz')).status, 200)
  })
})

describe('the last use of a key', () => {
  test('is written at shutdown', async () => {
    const using = await openWorkgate()
    const used = await using.issueKey('used')
    await using.issueKey('unused')
    await using.send('GET /key', { key: used })
    await using.end()
    const rows = await using.sql`select name, last_used_at is not null as used from workgate.keys order by name`
    assert.deepEqual(
      rows.map((row) => [row['name'], row['used']]),
      [
        ['unused', false],
        ['used', true],
      ],
    )
    await using.close()
  })
})
