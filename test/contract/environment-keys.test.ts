// Keys from the environment work like other keys, and are not stored in the database.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, insertData, web } from '../support/data.ts'
import { recordSecret } from '../support/log.ts'
import { valuesOf } from '../support/values.ts'
import { openWorkgate } from '../support/workgate.ts'

const key = (name: string) => {
  const text = `${name}-of-the-environment-${crypto.randomUUID()}!"~`
  recordSecret(text)
  return text
}
const expiresAt = '2099-01-01T00:00:00Z'
const names = ['all', 'hashed', 'web', 'expired', 'slow', 'long', 'signs'] as const
const keys = Object.fromEntries(names.map((name) => [name, key(name)])) as Record<(typeof names)[number], string>
const entries = [
  { name: 'all', key: keys.all, scopeMode: 'all_projects' },
  {
    name: 'hashed',
    keySha256: createHash('sha256').update(keys.hashed).digest('hex'),
    scopeMode: 'all_projects',
    operations: [],
  },
  { name: 'web', key: keys.web, projects: [web.toUpperCase()] },
  { name: 'expired', key: keys.expired, expiresAt: '2026-01-01T00:00:00+01:00' },
  { name: 'slow', key: keys.slow, rateLimitPerMinute: 1, expiresAt },
  { name: 'long', key: keys.long, expiresAt },
  { name: '🗝'.repeat(100), key: keys.signs, projects: [web] },
]

const { workgate } = await contractSuite({
  data: 'basic',
  key: false,
  environment: { API_KEYS: JSON.stringify(entries) },
})

const ask = (path: string, name: keyof typeof keys) => workgate.send(`GET ${path}`, { key: keys[name] })

test('a key for all projects, given as text or as a hash, has access to all', async () => {
  for (const name of ['all', 'hashed'] as const) {
    assert.equal((await ask('/projects', name)).body.data.length, 3)
    assert.equal((await workgate.send('GET /key', { headers: { 'x-api-key': keys[name] } })).body.data.name, name)
  }
})

test('a key replays only its own writes, not those of a database key with the same name', async () => {
  const stored = await workgate.issueKey('all')
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'once' }
  const create = (by: string) =>
    workgate.send(`POST /projects/${web}/tasks`, { key: by, headers, body: '{"title":"Once"}' })
  const replayed: (string | undefined)[] = []
  for (const by of [keys.all, keys.all, stored, stored])
    replayed.push((await create(by)).headers['idempotency-replayed'])
  assert.deepEqual(replayed, [undefined, 'true', undefined, 'true'])
  await workgate.sql`delete from workgate.api_keys`
})

test('a key for selected projects has access to those only', async () => {
  assert.equal((await ask(`/projects/${web}`, 'web')).status, 200)
  assert.equal((await ask(`/projects/${app}`, 'web')).body.code, 'ACCESS_DENIED')
  assert.deepEqual(valuesOf((await ask('/projects', 'web')).body.data, 'id'), [web])
})

test('GET /key shows it like any other key', async () => {
  assert.deepEqual((await ask('/key', 'slow')).body.data, {
    id: 'env:slow',
    name: 'slow',
    scopeMode: 'selected_projects',
    projectIds: [],
    operations: ['create_task', 'complete_task'],
    rateLimitPerMinute: 1,
    expiresAt: '2099-01-01T00:00:00.000Z',
    createdAt: null,
  })
  assert.equal((await ask('/key', 'slow')).status, 429)
})

test('an expired key gets 401 KEY_EXPIRED, an unknown key 401', async () => {
  assert.equal((await ask('/key', 'expired')).body.code, 'KEY_EXPIRED')
  assert.equal((await workgate.send('GET /key', { key: keys.all + 'x' })).body.code, 'UNAUTHENTICATED')
})

test('a name can have 100 characters of any kind, and is recorded as the actor of writes', async () => {
  const { name } = entries.at(-1)!
  assert.equal((await ask('/key', 'signs')).body.data.name, name)
  const line = `POST /projects/${web}/tasks/${id('task', 1)}/complete`
  assert.equal((await workgate.send(line, { key: keys.signs })).status, 200)
  const [row] = await workgate.sql`select actor from workgate.task_history order by at desc limit 1`
  assert.equal(row!['actor'].name, name)
})

test('keys expire by the clock of the database', async (t) => {
  t.mock.method(Date, 'now', () => Date.parse('2119-01-01'))
  assert.equal((await ask('/key', 'long')).status, 200)
})

test('a key that expires while its request waits gets 401 KEY_EXPIRED', async (t) => {
  const brief = key('brief')
  const ends = new Date(Date.now() + 1_000).toISOString()
  const entry = { name: 'brief', key: brief, projects: [web], expiresAt: ends }
  const waiting = await openWorkgate({ API_KEYS: JSON.stringify([entry]) })
  t.after(() => waiting.close())
  await insertData(waiting.sql)
  const verification = `/projects/${web}/tasks/${id('task', 1)}/work-packet/verification`
  const { body } = await waiting.send(`GET ${verification}?state=completed&wait=1.2`, { key: brief })
  assert.equal(body.code, 'KEY_EXPIRED')
})

test('keys from the environment are not in the database', async () => {
  const rows = await workgate.sql`select 1 from workgate.api_keys union all select 1 from workgate.api_key_uses`
  assert.equal(rows.length, 0)
})
