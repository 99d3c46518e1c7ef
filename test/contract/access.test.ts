// Tests every route with every kind of key. The table is derived from routes.ts, so a new route cannot miss a check.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { routes } from '../../src/routes.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, fill, id, missing, requiredQuery, web } from '../support/data.ts'
import { recordSecret } from '../support/log.ts'
import { api, wellFormedKey, type Reply, type RequestOptions } from '../support/workgate.ts'

// Each route is tested from its own address, because failed credentials are limited by address.
const { workgate } = await contractSuite({ data: 'basic', environment: { TRUST_PROXY: '1' } })
const keys: Record<string, string> = {}

keys.all = await workgate.issueKey('all')
keys.web = await workgate.issueKey('web', { projects: [web] })
keys.maker = await workgate.issueKey('maker', { projects: [web], operations: ['create_project'] })
keys.idle = await workgate.issueKey('idle', { operations: [] })
keys.app = await workgate.issueKey('app', { projects: [app] })
keys.none = await workgate.issueKey('none', { projects: [] })
keys.revoked = await workgate.issueKey('revoked')
keys.expired = await workgate.issueKey('expired')
await workgate.sql`select workgate.revoke_key('revoked')`
await workgate.sql`update workgate.api_keys set expires_at = now() - interval '1 second' where name = 'expired'`
keys.mistyped = keys.all.slice(0, -8) + (keys.all.at(-8) === 'a' ? 'b' : 'a') + keys.all.slice(-7)
keys.unknown = wellFormedKey('000000000000', 'f'.repeat(48))
keys.stranger = wellFormedKey(keys.all.slice(3, 15), 'e'.repeat(48))
for (const name of ['unknown', 'stranger']) recordSecret(keys[name]!)

const [taskId, ofApp] = [id('task', 1), id('task', 40)]
await workgate.sql`insert into workgate.tasks (project_id, id, title) values (${app}, ${ofApp}, 'Of App')`

// prettier-ignore
const notInWeb = [
  ofApp, missing, `${taskId}x`, 'nonsense', '%F0%28',
  '99', 'WEB-99', 'APP-1', 'NONE-1', 'web-1', '01', '1.0', '-1', 'WEB-01', '1'.repeat(17),
]

const bearer = (name: string) => (): RequestOptions => ({ key: keys[name] })
const header = (name: string) => (): RequestOptions => ({ headers: { 'x-api-key': keys[name]! } })

// prettier-ignore
const refusedEverywhere: [situation: string, ask: () => RequestOptions, status: number, code: string][] = [
  ['no key',                              () => ({}),                                              401, 'UNAUTHENTICATED'],
  ['an empty key',                        () => ({ headers: { 'x-api-key': '' } }),                401, 'UNAUTHENTICATED'],
  ['another authentication scheme',       () => ({ headers: { authorization: 'Basic YTpi' } }),    401, 'UNAUTHENTICATED'],
  ['a string that is not a key',          () => ({ key: 'hello' }),                                401, 'UNAUTHENTICATED'],
  ['a mistyped key',                      bearer('mistyped'),                                      401, 'UNAUTHENTICATED'],
  ['a well-formed key with an unknown id', bearer('unknown'),                                       401, 'UNAUTHENTICATED'],
  ['a known id with another secret',      bearer('stranger'),                                      401, 'UNAUTHENTICATED'],
  ['a revoked key',                       bearer('revoked'),                                       401, 'KEY_REVOKED'],
  ['a revoked key in X-API-Key',          header('revoked'),                                       401, 'KEY_REVOKED'],
  ['an expired key',                      bearer('expired'),                                       401, 'KEY_EXPIRED'],
  ['two different keys',                  () => ({ key: keys.all, headers: { 'x-api-key': keys.web! } }), 400, 'AMBIGUOUS_CREDENTIALS'],
  ['two keys in one header',              () => ({ headers: { 'x-api-key': [keys.all!, keys.web!] } }),   400, 'AMBIGUOUS_CREDENTIALS'],
]

const bodies: Record<string, object> = {
  'POST /projects': { name: 'New' },
  'POST /projects/:projectId/tasks': { title: 'New' },
}
const withBody = (ask: RequestOptions, body: object | undefined): RequestOptions =>
  body ? { ...ask, headers: { ...ask.headers, 'content-type': 'application/json' }, body: JSON.stringify(body) } : ask

/** Everything in a response except what is different in each. */
function withoutRequestId({ status, headers, body: { requestId, ...body } }: Reply) {
  assert.ok(requestId)
  return { status, headers: { ...headers, 'x-request-id': '', date: '' }, body }
}

/** The response for a project outside the scope of a key, by its id. */
async function refusalOf(key: string) {
  const known = refusals.get(key) ?? withoutRequestId(await workgate.send(`GET /projects/${web}`, { key }))
  refusals.set(key, known)
  return known
}
const refusals = new Map<string, ReturnType<typeof withoutRequestId>>()

for (const [n, [method, path, endpoint]] of routes.entries()) {
  const write = endpoint.kind === 'write' ? endpoint : undefined
  const namesProject = path.startsWith('/projects/:projectId')
  const query = requiredQuery(path)
  const at = (projectId: string, taskId?: string) => `${method} ${fill(path, projectId, taskId)}`
  const send = (line: string, { headers, ...ask }: RequestOptions) => {
    const from = { 'x-forwarded-for': `198.51.100.${n}`, ...headers }
    return workgate.send(line, withBody({ ...ask, headers: from }, bodies[`${method} ${path}`]))
  }
  const inScope = write?.operation === 'create_project' ? 'maker' : 'web'

  describe(`${method} ${path}`, () => {
    for (const [situation, ask, status, code] of refusedEverywhere) {
      test(`${situation} gets ${status} ${code}`, async () => {
        const reply = await send(at(web), ask())
        assert.equal(reply.status, status)
        assert.equal(reply.body.code, code)
        assert.equal(reply.headers['content-type'], 'application/problem+json')
        assert.equal(reply.headers['www-authenticate'] !== undefined, status === 401)
      })
    }

    test('a key in the URL gets 400 and is not echoed', async () => {
      const reply = await send(`${at(web)}?api_key=${keys.all}`, {})
      assert.equal(reply.status, 400)
      assert.equal(reply.body.code, 'VALIDATION_FAILED')
      assert.ok(!reply.text.includes(keys.all!))
    })

    for (const name of ['all', inScope]) {
      for (const [form, ask] of [
        ['Authorization', bearer(name)],
        ['X-API-Key', header(name)],
      ] as const) {
        test(`${name === 'all' ? 'an all_projects key' : 'a key in scope'} in ${form} is accepted`, async () => {
          const reply = await send(at(web) + query, ask())
          assert.ok(reply.status < 300, reply.text)
          assert.ok(reply.headers['x-request-id'])
        })
      }
    }

    test('the same key in both headers is accepted', async () => {
      const reply = await send(at(web) + query, { key: keys.all, headers: { 'x-api-key': keys.all! } })
      assert.ok(reply.status < 300, reply.text)
    })

    if (write) {
      test(`a key that was not granted ${write.operation} gets 403, whatever the body`, async () => {
        for (const ask of [withBody({}, {}), { body: 'nonsense' }, {}]) {
          const { status, body } = await workgate.send(at(web), { ...ask, key: keys.idle })
          assert.deepEqual([status, body.code], [403, 'OPERATION_DENIED'])
          assert.match(body.detail, new RegExp(write.operation))
        }
      })
    }

    if (!namesProject) return

    const keyOf = { app: 'a key for another project', none: 'a key for no projects' }
    for (const name of ['app', 'none'] as const) {
      for (const [what, projectId] of [
        ['outside its scope', web],
        ['that does not exist', missing],
        ['with a malformed id', 'nonsense'],
      ] as const) {
        for (const more of ['', '/nothing-here', '?nothing=here']) {
          test(`${keyOf[name]} gets 403 for a project ${what}${more && ` followed by ${more}`}`, async () => {
            const reply = await send(at(projectId) + more, { key: keys[name] })
            assert.equal(reply.status, 403)
            assert.equal(reply.body.code, 'ACCESS_DENIED')
          })
        }
      }
      test(`${keyOf[name]} gets the same 403 for every name, whether or not a project has it`, async () => {
        for (const project of [missing, 'nonsense', 'WEB', 'NONE', 'web', 'WEB_1', 'WEBSITE2026'])
          for (const more of ['', '/nothing-here', '?nothing=here']) {
            const reply = await send(at(project) + more, { key: keys[name] })
            assert.deepEqual(withoutRequestId(reply), await refusalOf(keys[name]!), project + more)
          }
      })
      test(`${keyOf[name]} gets 403 for every method`, async () => {
        for (const other of ['DELETE', 'POST', 'OPTIONS', 'PUT']) {
          for (const project of [web, 'WEB', 'NONE']) {
            const reply = await workgate.send(`${other} ${fill(path, project)}`, { key: keys[name] })
            assert.deepEqual(withoutRequestId(reply), await refusalOf(keys[name]!))
          }
        }
      })
    }

    test('an all_projects key gets 404 for a project that does not exist', async () => {
      for (const projectId of [missing, 'nonsense', '%F0%28', `${web}x`, 'NONE', 'web', 'WEB-1', '%57EB']) {
        const { status, body } = await send(at(projectId) + query, { key: keys.all })
        assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], projectId)
        assert.match(body.detail, /^No such project( or task)?\.$/)
      }
    })

    test('the project id may be in upper case', async () => {
      const reply = await send(at(web.toUpperCase()) + query, { key: keys.web })
      assert.ok(reply.status < 300, reply.text)
    })

    const byName = path.includes(':taskId')
      ? [at('WEB'), at('WEB', '1'), at('WEB', 'WEB-1'), at(web, '1'), at(web.toUpperCase(), taskId.toUpperCase())]
      : [at('WEB')]
    test('names instead of ids get the same response', async () => {
      for (const name of ['all', 'web']) {
        const byId = await send(at(web) + query, bearer(name)())
        for (const line of byName) {
          const reply = await send(line + query, bearer(name)())
          assert.ok(reply.status < 300, line + reply.text)
          if (write?.operation === 'create_task') continue
          assert.deepEqual([reply.text, reply.headers['etag']], [byId.text, byId.headers['etag']], line)
        }
      }
    })

    if (!path.includes(':taskId')) return

    test('names of tasks that are not in the project get 404', async () => {
      for (const task of notInWeb) {
        for (const [name, project] of [
          ['all', 'WEB'],
          ['web', web],
        ] as const) {
          const { status, body } = await send(at(project, task) + (query && `${query}&wait=30`), bearer(name)())
          assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], task)
          assert.match(body.detail, /^No such (project or )?task\.$/)
        }
        const reply = await send(at('WEB', task) + query, bearer('app')())
        assert.deepEqual(withoutRequestId(reply), await refusalOf(keys.app!), task)
      }
    })
  })
}

// prettier-ignore
const withoutKey: [claim: string, method: string, headers: Record<string, string>, status: number][] = [
  ['a preflight',                            'OPTIONS', { 'access-control-request-method': 'GET', origin: 'https://example.org' }, 204],
  ['a preflight of a method that no path has', 'OPTIONS', { 'access-control-request-method': 'DELETE' },                          204],
  ['TRACE',                                  'TRACE',   {},                                                                     405],
]
for (const [claim, method, headers, status] of withoutKey) {
  test(`${claim} gets ${status} with Allow on every path, and 404 on an unknown path, with any key or none`, async () => {
    for (const as of [undefined, 'hello']) {
      for (const path of new Set(routes.map(([, path]) => path))) {
        const methods = routes.filter((route) => route[1] === path).map(([method]) => method)
        const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
        const reply = await workgate.send(`${method} ${fill(path, web)}`, { key: as, headers })
        assert.deepEqual([reply.status, reply.headers['allow']], [status, allow], path)
        assert.equal(reply.headers['access-control-allow-origin'], undefined)
      }
      assert.equal((await workgate.send(`${method} /nothing`, { key: as, headers })).status, 404)
    }
    const outside = await workgate.send(`${method} //healthz`, { headers })
    assert.deepEqual([outside.status, outside.headers['allow']], [status, 'GET, HEAD, OPTIONS'])
  })
}

// prettier-ignore
const detours = [
  `/projects/${app}/../${web}/users`, `/projects/${app}/%2e%2e/${web}`, `/projects/${app}/..%2f${web}`, `/projects/%2e/${web}`,
  `/projects//${web}`, `/projects/${app}/tasks/..`, `/projects/${app}/tasks/%2E./users`, `/projects/${app}/./users`, `/projects\\${app}`,
  '/../../../healthz', '/./key',
]

for (const path of detours) {
  test(`${path} is not normalized: it gets 404`, async () => {
    const reply = await workgate.send(`GET ${path}`, { key: keys.all })
    assert.deepEqual([reply.status, reply.body.code], [404, 'NOT_FOUND'])
    const { status, text } = await workgate.send(`GET ${path}`, { key: keys.app })
    assert.ok([403, 404].includes(status), `${status}`)
    assert.ok(!text.includes('Web site') && !text.includes('ada@'))
  })
}

test('a path that enters or leaves the API through dot segments gets 404', async () => {
  for (const path of [`//docs/..${api}/key`, `//${api}/../../../healthz`, '//./healthz'])
    assert.equal((await workgate.send(`GET ${path}`, { key: keys.all })).status, 404, path)
})

test('GET /key shows the key and its permissions', async () => {
  const { body } = await workgate.send('GET /key', { key: keys.web })
  assert.deepEqual(
    { ...body.data, createdAt: null },
    {
      id: keys.web!.slice(3, 15),
      name: 'web',
      scopeMode: 'selected_projects',
      projectIds: [web],
      operations: ['create_task', 'complete_task'],
      rateLimitPerMinute: null,
      expiresAt: null,
      createdAt: null,
    },
  )
  const all = (await workgate.send('GET /key', { key: keys.all })).body.data
  assert.equal(all.projectIds, null)
  assert.deepEqual(all.operations, ['create_project', 'create_task', 'complete_task'])
})
