// The API over a socket, the same for every way to run Workgate:
// npm test -- --program 'COMMAND…' [--own] test/ci/wire/*.test.ts
// Each test covers something that a runtime, its sockets, its compression or its database connection could break. The
// contract suite tests the responses of the endpoints.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rendererPath } from '../../../src/docs/renderer.ts'
import { routes } from '../../../src/routes.ts'
import { contractSuite } from '../../support/contract-suite.ts'
import { app, fill, id, missing, requiredQuery, web } from '../../support/data.ts'
import { asService, startArtifact } from '../../support/workgate.ts'

const origin = 'https://app.example.org'
const { workgate, sql, send, get, post, issueKey, key } = await contractSuite({
  data: 'basic',
  key: { name: 'wire' },
  environment: { CORS_ORIGINS: origin, MAX_WAITERS: '3' },
  target: 'artifact',
})

const tasks = `/projects/${web}/tasks`
const packet = `${tasks}/${id('task', 1)}/work-packet`
const countTasks = async (title: string) => (await sql`select from workgate.tasks where title = ${title}`).length

describe('reads', () => {
  for (const [method, path] of routes.filter(([method]) => method === 'GET')) {
    test(`${method} ${path} returns 200, 304 if unchanged, and no body for HEAD`, async () => {
      const target = fill(path, web) + requiredQuery(path)
      const reply = await get(target)
      assert.equal(reply.status, 200, reply.text)
      const { etag } = reply.headers
      if (etag) {
        const again = await send(`GET ${target}`, { key, headers: { 'if-none-match': etag } })
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag])
      }
      const head = await send(`HEAD ${target}`, { key })
      assert.deepEqual([head.status, head.text], [200, ''])
    })
  }

  test('cursors return page after page', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { body } = await get(`/projects/${web}/users?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...body.data.map((user: { name: string }) => user.name))
      cursor = body.meta.nextCursor
    } while (cursor)
    assert.deepEqual(seen, ['Ada Lovelace', 'grace Hopper', 'Zoë Q', 'Ångström, Anders'])
  })

  test('strings, numbers, dates and times reach the database and come back unchanged', async () => {
    const title = 'ü 😀 \u2028 "quoted" \\ '.repeat(10).trim()
    const description = 'É\n'.repeat(20_000)
    const created = await post(tasks, { title, description, dueDate: '2028-02-29', estimateSeconds: 2_147_483_647 })
    assert.equal(created.status, 201, created.text)
    const { body } = await get(`${tasks}/${created.body.data.id}`)
    assert.deepEqual(
      [body.data.title, body.data.description, body.data.dueDate, body.data.estimateSeconds],
      [title, description, '2028-02-29', 2_147_483_647],
    )
    assert.match(body.data.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test("a search compares words by the database's rules", async () => {
    const { body } = await get(`/projects/${web}/comments?q=${encodeURIComponent('été')}`)
    assert.equal(body.data.length, 1)
  })

  for (const encoding of ['br', 'gzip', 'identity']) {
    test(`a long response has the encoding ${encoding}`, async () => {
      const plain = await send('GET //openapi.json', { headers: { 'accept-encoding': 'identity' } })
      const reply = await send('GET //openapi.json', { headers: { 'accept-encoding': encoding } })
      assert.equal(reply.headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
      assert.ok(reply.text === plain.text)
      const records = await send(`GET ${packet}`, { key, headers: { 'accept-encoding': encoding } })
      assert.equal(records.headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
      assert.equal(records.body.data.task.id, id('task', 1))
    })
  }
})

describe('writes', () => {
  test('a repeated Idempotency-Key returns the first response, and writes once', async () => {
    const headers = { 'idempotency-key': 'wire-once' }
    const first = await post(tasks, { title: 'Once' }, headers)
    const second = await post(tasks, { title: 'Once' }, headers)
    assert.deepEqual([first.status, second.status, second.text], [201, 201, first.text])
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(await countTasks('Once'), 1)
    const other = await post(tasks, { title: 'Other' }, headers)
    assert.equal(other.status, 422)
  })

  test('only one of eight concurrent requests with one Idempotency-Key writes', async () => {
    const headers = { 'idempotency-key': 'wire-race' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => post(tasks, { title: 'Race' }, headers)))
    assert.ok(replies.every(({ status }) => status === 201 || status === 409))
    assert.ok(replies.some(({ status }) => status === 201))
    assert.equal(await countTasks('Race'), 1)
  })
})

describe('access', () => {
  test('a key has access to its projects, and gets no information about others', async () => {
    const limited = await issueKey('limited to App', { projects: [app], operations: [] })
    assert.equal((await get(`/projects/${app}`, limited)).status, 200)
    assert.equal((await get(`/projects/${web}`, limited)).status, (await get(`/projects/${missing}`, limited)).status)
    assert.equal((await post(`/projects/${app}/tasks`, { title: 'No' }, {}, limited)).body.code, 'OPERATION_DENIED')
    assert.equal((await send('GET /projects')).status, 401)
    assert.equal((await send('GET /projects', { headers: { 'x-api-key': key } })).status, 200)
  })

  test('a revoked key is refused', async () => {
    const revoked = await issueKey('to be revoked')
    assert.equal((await get('/key', revoked)).status, 200)
    await sql`select workgate.revoke_key('to be revoked')`
    // A key is read again after at most one second, so this retries until then.
    let reply = await get('/key', revoked)
    while (reply.status === 200) reply = await get('/key', revoked)
    assert.deepEqual([reply.status, reply.body.code], [401, 'KEY_REVOKED'])
  })

  test('pages from an allowed origin can read responses, pages from other origins cannot', async () => {
    const ask = (from: string) => ({ headers: { origin: from, 'access-control-request-method': 'GET' } })
    const allowed = await send('OPTIONS /projects', ask(origin))
    assert.deepEqual([allowed.status, allowed.headers['access-control-allow-origin']], [204, origin])
    const refused = await send('OPTIONS /projects', ask('https://evil.example.org'))
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [204, undefined])
  })
})

describe('freshness', () => {
  test('a change in the database is in the next response', async () => {
    for (let n = 0; n < 20; n++) {
      await sql`update workgate.projects set name = ${`Name ${n}`} where id = ${web}`
      assert.equal((await get(`/projects/${web}`)).body.data.name, `Name ${n}`)
    }
  })

  test('a change through another service on the same database is in the next response', async () => {
    const other = await startArtifact({ RATE_LIMIT_PER_MINUTE: '0', ...asService(workgate.url) })
    try {
      const headers = { 'content-type': 'application/json' }
      for (let n = 0; n < 5; n++) {
        const before = (await get(`${tasks}?limit=200`)).body.data.length
        const body = JSON.stringify({ title: `Elsewhere ${n}` })
        assert.equal((await other.send(`POST ${tasks}`, { key, headers, body })).status, 201)
        assert.equal((await get(`${tasks}?limit=200`)).body.data.length, before + 1)
      }
    } finally {
      await other.close()
    }
  })

  test('a long poll returns on the change that it waits for', async () => {
    const { body } = await post(tasks, { title: 'Waited for' })
    const path = `${tasks}/${body.data.id}/work-packet/verification?state=completed`
    const waiting = get(`${path}&wait=30`)
    // A response to a second long poll means that the first is waiting, because it read the task earlier.
    assert.equal((await get(`${path}&wait=0.5`)).body.data.verified, false)
    const began = performance.now()
    assert.equal((await post(`${tasks}/${body.data.id}/complete`)).status, 200)
    assert.equal((await waiting).body.data.verified, true)
    assert.ok(performance.now() - began < 15_000, 'the response comes before half of the wait is over')
  })

  test('a client that abandons a long poll frees its slot', async () => {
    const { body } = await post(tasks, { title: 'Never done' })
    const path = `GET ${tasks}/${body.data.id}/work-packet/verification?state=completed&wait=30`
    for (let n = 0; n < 9; n++) {
      const leaving = new AbortController()
      const waiting = send(path, { key, headers: { 'x-request-id': `left-${n}` }, signal: leaving.signal })
      setTimeout(() => leaving.abort(), 50)
      await assert.rejects(waiting, { name: 'AbortError' })
      await workgate.logged(`left-${n}`)
    }
    assert.equal((await send(path.replace('wait=30', 'wait=0.1'), { key })).status, 200)
  })
})

describe('without a key', () => {
  for (const [path, type] of [
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/quick-start', 'text/html; charset=utf-8'],
    ['/docs/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/style.css', 'text/css; charset=utf-8'],
    ['/docs/favicon.svg', 'image/svg+xml'],
    [`${rendererPath}standalone.esm.js`, 'text/javascript; charset=utf-8'],
    ['/openapi.json', 'application/json'],
    ['/healthz', 'application/json'],
    ['/readyz', 'application/json'],
  ] as const) {
    test(`${path} is served`, async () => {
      const { status, headers, text } = await send(`GET /${path}`)
      assert.deepEqual([status, headers['content-type']], [200, type])
      assert.ok(text.length > 0)
    })
  }

  test('an unknown path and an unknown method return problems', async () => {
    assert.equal((await send('GET //nowhere')).status, 404)
    assert.equal((await send('DELETE /projects', { key })).status, 405)
  })
})

test('the log has a line for each request, without its query and key', async () => {
  await send('GET /projects?q=web', { key, headers: { 'x-request-id': 'find-me' } })
  const { time, ms, address, ...line } = await workgate.logged('find-me')
  assert.deepEqual(line, {
    level: 'info',
    message: 'request',
    requestId: 'find-me',
    method: 'GET',
    path: '/api/external/v1/projects',
    route: '/projects',
    status: 200,
    keyId: key.slice(3, 15),
    keyName: 'wire',
  })
  assert.ok(typeof ms === 'number' && typeof time === 'string' && address === '127.0.0.1')
})
