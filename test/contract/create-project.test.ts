// POST /projects

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { everyProject } from '../../src/api/freshness/freshness.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { versionsOf } from '../support/versions.ts'
import { api, app, id, missing, post, web } from '../support/writes.ts'

const { workgate, key, sql } = await contractSuite({ data: 'basic' })

const create = (body: unknown, by = key, headers = {}) => post(workgate, by, '/projects', body, headers)
const get = async (path: string, by = key) => (await workgate.send(`GET ${path}`, { key: by })).body.data

const maxProjects = 1_000
const many = (
  await sql`
  insert into workgate.projects (key, name) select 'FULL' || n, 'x' from generate_series(1, ${maxProjects}) n returning id`
).map((row) => row['id'] as string)

const creator = (name: string, projects: string[]) =>
  workgate.issueKey(name, { projects, operations: ['create_project'] })
async function written() {
  const tables = ['projects', 'boards', 'stages', 'project_members', 'idempotency_records']
  const counts = tables.map(async (table) => (await sql.unsafe(`select count(*) from workgate.${table}`))[0]!['count'])
  return [await Promise.all(counts), await versionsOf(sql, [everyProject])]
}

describe('a new project', () => {
  test('has the given fields and a board with the default stages, and accepts tasks', async () => {
    const { status, headers, body } = await create({ name: 'Garden' })
    assert.equal(status, 201)
    const { id: projectId, createdAt, updatedAt, ...rest } = body.data
    assert.deepEqual(rest, {
      key: 'GARD',
      name: 'Garden',
      description: null,
      status: 'active',
      ownerId: null,
      startDate: null,
      dueDate: null,
      version: 1,
    })
    assert.equal(createdAt, updatedAt)
    assert.equal(headers['location'], `${api}/projects/${projectId}`)
    assert.deepEqual(await get(`/projects/${projectId}`), body.data)
    const stages = await get(`/projects/${projectId}/stages`)
    assert.deepEqual(
      stages.map(({ name, category, position }: any) => [name, category, position]),
      [
        ['To do', 'backlog', 0],
        ['In progress', 'active', 1],
        ['Done', 'done', 2],
      ],
    )
    const task = await post(workgate, key, `/projects/${projectId}/tasks`, { title: 'Dig' })
    assert.deepEqual([task.body.data.number, task.body.data.stageId], [1, stages[0].id])
  })

  test('accepts every field', async () => {
    const { body } = await create({
      name: 'Sea',
      key: 'SEA42',
      description: 'Salt',
      ownerId: id('user', 5),
      startDate: '2026-01-01',
      dueDate: '2026-01-01',
      stages: [
        { name: 'One', category: 'active' },
        { name: 'Two', category: 'done' },
      ],
    })
    const { key: given, description, ownerId, startDate, dueDate } = body.data
    assert.deepEqual(
      [given, description, ownerId, startDate, dueDate],
      ['SEA42', 'Salt', id('user', 5), '2026-01-01', '2026-01-01'],
    )
    const users = await get(`/projects/${body.data.id}/users`)
    assert.deepEqual(
      users.map(({ id, role }: any) => [id, role]),
      [[id('user', 5), 'owner']],
    )
    assert.equal((await get(`/projects/${body.data.id}/stages`)).length, 2)
  })

  // prettier-ignore
  for (const [name, expected] of [
    ['Ångström & Söhne', 'ANGS'], ['ab', 'AB'], ['x', 'XPRO'], ['Проект', 'PROJ'], ['2026 plans', 'PLAN'], ['計画', 'PROJ2'], ['Garden two', 'GARD2'],
  ]) {
    test(`"${name}" gets the key ${expected}`, async () => {
      assert.equal((await create({ name })).body.data.key, expected)
    })
  }
})

// prettier-ignore
const refused: [claim: string, body: unknown, name: string, message: RegExp][] = [
  ['no name',                   {},                                                    'name',              /missing/],
  ['a key in lower case',       { name: 'x', key: 'abc' },                             'key',               /A-Z and 0-9/],
  ['an unknown owner',          { name: 'x', ownerId: missing },                       'ownerId',           /not a user/],
  ['an end before the start',   { name: 'x', startDate: '2026-01-02', dueDate: '2026-01-01' }, 'dueDate',   /before startDate/],
  ['an unknown field in a stage', { name: 'x', stages: [{ name: 'a', category: 'done', position: 1 }] }, 'stages.0.position', /unknown/],
  ['a duplicate field in a stage', '{"name":"x","stages":[{"name":"a","category":"done"},{"name":"[\\",","category":"done","name":"b"}]}', 'stages.1.name', /more than once/],
  ['the field status',          { name: 'x', status: 'archived' },                     'status',            /unknown/],
]

describe('a request is refused, and nothing is written:', () => {
  for (const [claim, body, name, message] of refused) {
    test(claim, async () => {
      const count = async () => (await workgate.sql`select count(*) from workgate.projects`)[0]!['count']
      const before = await count()
      const reply = await create(body)
      assert.deepEqual([reply.status, reply.body.errors?.[0].name], [400, name], reply.text)
      assert.match(reply.body.errors[0].message, message)
      assert.equal(await count(), before)
    })
  }
})

describe('a request that creates no project changes no version:', () => {
  const replay = { 'idempotency-key': 'once' }
  // prettier-ignore
  const ineffective: [claim: string, body: unknown, headers: Record<string, string>, status: number][] = [
    ['a refused request',  { name: 'x', key: 'WEB' }, {},     400],
    ['a replayed request', { name: 'Once' },          replay, 201],
  ]
  for (const [claim, body, headers, expected] of ineffective) {
    test(claim, async () => {
      const maker = await workgate.issueKey(claim, { projects: [web], operations: ['create_project'] })
      await post(workgate, maker, '/projects', { name: 'Once' }, replay)
      const versions = () => versionsOf(workgate.sql, [everyProject])
      const before = await versions()
      assert.equal((await post(workgate, maker, '/projects', body, headers)).status, expected)
      assert.deepEqual(await versions(), before)
    })
  }
})

describe('a project created by a key for selected projects', () => {
  test('is then accessible to that key, and to its predecessor within the overlap', async () => {
    const first = await workgate.issueKey('maker', { projects: [web], operations: ['create_project'] })
    const [{ rotated }] = (await workgate.sql`select workgate.rotate_key('maker') as rotated`) as any
    const { body } = await create({ name: 'Own' }, rotated)
    for (const by of [first, rotated]) {
      assert.equal((await get(`/projects/${body.data.id}`, by)).name, 'Own')
      assert.deepEqual((await get('/key', by)).projectIds, [web, body.data.id])
    }
    const other = await workgate.issueKey('bystander', { projects: [web] })
    assert.equal((await workgate.send(`GET /projects/${body.data.id}`, { key: other })).status, 403)
  })

  test('gets the same kind of key, whether or not projects outside the selection have such a key', async () => {
    const maker = await workgate.issueKey('namer', { projects: [web], operations: ['create_project'] })
    const keys: string[] = []
    for (const name of ['Ops one', 'Quay one']) keys.push((await create({ name }, maker)).body.data.key)
    await create({ name: 'x', key: 'OPST' })
    for (const name of ['Ops two', 'x', 'Ops three']) keys.push((await create({ name }, maker)).body.data.key)
    for (const [n, letters] of ['OPSO', 'QUAY', 'OPST', 'XPRO', 'OPST'].entries())
      assert.match(keys[n]!, new RegExp(`^${letters}\\d{6}$`))
    assert.ok(new Set(keys.map((key) => key.slice(-6))).size > 1)
  })

  test('cannot have a chosen key, and the error does not depend on whether the key is taken', async () => {
    const maker = await workgate.issueKey('guesser', { projects: [app], operations: ['create_project'] })
    const replies = []
    for (const key of ['WEB', 'APP', 'UNUSED']) replies.push(await create({ name: 'x', key }, maker))
    for (const { status, body } of replies) {
      assert.deepEqual([status, body.code], [400, 'VALIDATION_FAILED'])
      assert.deepEqual(body.errors, replies[0]!.body.errors)
      assert.match(body.errors[0].message, /cannot be chosen by an API key for selected projects/)
    }
    assert.equal((await create({ name: 'x', key: 'WEB', ownerId: missing }, maker)).body.errors.length, 2)
  })

  test('can only have an owner who is visible to the key', async () => {
    const maker = await workgate.issueKey('limited', { projects: [web], operations: ['create_project'] })
    assert.equal((await create({ name: 'x', ownerId: id('user', 1) }, maker)).status, 201)
    const stranger = await create({ name: 'x', ownerId: id('user', 5) }, maker)
    const unknown = await create({ name: 'x', ownerId: missing }, maker)
    assert.deepEqual([stranger.status, stranger.body.errors], [400, unknown.body.errors])
  })
})

describe('a key that has created the last project that it can select', () => {
  test('gets 409 for the next one, nothing is written, and the last response is still replayed', async () => {
    const key = await creator('full', many.slice(1))
    const once = { 'idempotency-key': 'once' }
    const last = await create({ name: 'New' }, key, once)
    assert.equal(last.status, 201)
    const before = await written()
    for (const headers of [{}, { 'idempotency-key': 'next' }]) {
      const { status, body } = await create({ name: 'New' }, key, headers)
      assert.deepEqual([status, body.code], [409, 'PROJECT_LIMIT_REACHED'])
      assert.match(body.detail, /1000 projects/)
    }
    assert.deepEqual(await written(), before)
    assert.equal((await create({ name: 'New' }, key, once)).text, last.text)
    assert.equal((await workgate.send('GET /key', { key })).body.data.projectIds.length, maxProjects)
    assert.equal((await workgate.send(`GET /projects/${last.body.data.id}`, { key })).status, 200)
  })

  test('can create one again after its selection was reduced', async () => {
    await sql`select workgate.set_key_projects('full', ${[web]}::uuid[])`
    const { key } = (await sql`select workgate.rotate_key('full') as key`)[0]!
    assert.equal((await create({ name: 'New' }, key)).status, 201)
  })
})

test('of several projects that a key creates at once, those beyond the limit are refused with 409', async () => {
  const key = await creator('racing', many.slice(2))
  const replies = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'New' }, key)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409])
})

test('a key for all projects can create further ones', async () => {
  assert.equal((await create({ name: 'New' }, await workgate.issueKey('all'))).status, 201)
})
