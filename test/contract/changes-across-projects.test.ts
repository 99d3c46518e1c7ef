// The changes of everything that a key can access, and of what it can access.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { short, type Change, type ChangePage } from '../support/change-pages.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'

const environmentKey = 'environment-key-of-the-test-12345678'
const { sql, get, post, key, issueKey } = await contractSuite({
  data: 'basic',
  environment: { API_KEYS: JSON.stringify([{ name: 'env', key: environmentKey, projects: [web] }]) },
})
const changesOf = (as: string, parameters: Record<string, string> = {}) =>
  get(`/changes?${new URLSearchParams(parameters)}`, as)

async function pageOf(as: string, parameters: Record<string, string> = {}): Promise<ChangePage> {
  const { status, body } = await changesOf(as, { limit: '1000', ...parameters })
  assert.equal(status, 200, JSON.stringify(body))
  return body as unknown as ChangePage
}
const now = async (as: string) => (await pageOf(as, { from: 'now' })).meta.cursor
/** All changes until there are no more, in pages of one size. */
async function readAll(as: string, limit: number, cursor?: string): Promise<Change[]> {
  const data: Change[] = []
  for (let next = cursor ?? null; ;) {
    const page: ChangePage = await pageOf(as, { limit: String(limit), ...(next && { cursor: next }) })
    data.push(...page.data)
    next = page.meta.nextCursor
    if (next === null) return data
  }
}
const select = (name: string, projects: string[]) => sql`select workgate.set_key_projects(${name}, ${projects}::uuid[])`
const rename = (project: string) => sql`update workgate.projects set name = name || '!' where id = ${project}`
const expires = async (as: string, cursor: string) => {
  const { status, body } = await changesOf(as, { cursor })
  assert.deepEqual([status, body['code'], body['reason']], [410, 'CURSOR_EXPIRED', 'other_key'])
  assert.match(body['detail'], /another key/)
}
let keys = 0
async function newKey(...projects: string[]) {
  const name = `key ${++keys}`
  return { name, key: await issueKey(name, { projects }) }
}

describe('at the beginning', () => {
  test('every object of every project in scope comes once, project after project, in pages of any size', async () => {
    const ofProject = async (project: string) =>
      ((await get(`/projects/${project}/changes?limit=1000`)).body as unknown as ChangePage).data
    const [ofWeb, ofApp, ofOld] = [await ofProject(web), await ofProject(app), await ofProject(old)]
    assert.ok(ofWeb.length > 10 && ofApp.length > 1 && web < app && app < old)
    const { key: narrow } = await newKey(web)
    const { key: wide } = await newKey(app, web)
    for (const [as, expected] of [
      [key, [...ofWeb, ...ofApp, ...ofOld]],
      [wide, [...ofWeb, ...ofApp]],
      [narrow, ofWeb],
      [environmentKey, ofWeb],
    ] as const)
      // prettier-ignore
      for (const limit of [1, 4, 1_000]) assert.deepEqual(await readAll(as, limit), expected)
    assert.deepEqual(await readAll((await newKey()).key, 10), [])
  })
})

describe('a change', { concurrency: false }, () => {
  test('of a user comes once for each project in scope that shows it', async () => {
    const { key: narrow } = await newKey(web)
    await sql`insert into workgate.project_members (project_id, user_id) select ${app}, user_id from workgate.project_members where project_id = ${web} on conflict do nothing`
    const cursors = [await now(key), await now(narrow)]
    await sql`update workgate.users set name = 'Ada' where id = ${id('user', 1)}`
    const seen = []
    for (const [n, as] of [key, narrow].entries())
      seen.push(
        (await readAll(as, 1, cursors[n])).filter(({ kind }) => kind === 'user').map(({ projectId }) => projectId),
      )
    assert.deepEqual(seen, [[web, app], [web]])
  })

  test('outside the scope is none', async () => {
    const { key: narrow } = await newKey(web)
    const cursor = await now(narrow)
    await rename(app)
    assert.deepEqual((await pageOf(narrow, { cursor })).data, [])
  })
})

describe('a project', { concurrency: false }, () => {
  test('that is created and deleted comes to keys of all projects', async () => {
    const cursor = await now(key)
    const project = id('project', 7)
    await sql`insert into workgate.projects (id, key, name) values (${project}, 'NEW', 'New')`
    await sql`insert into workgate.boards (project_id, id, name) values (${project}, ${id('board', 5)}, 'x')`
    const page = await pageOf(key, { cursor })
    assert.deepEqual(page.data.map(short), [['project', 'upsert', 7, null], ['board', 'upsert', 5, null]]) // prettier-ignore
    await sql`delete from workgate.projects where id = ${project}`
    const { data } = await pageOf(key, { cursor: page.meta.cursor })
    assert.deepEqual(data.map(({ op, event, by }) => [op, event, by?.channel]), [['delete', 'deleted', 'sql']]) // prettier-ignore
  })

  test('that a key creates enters its scope', async () => {
    const creator = await issueKey('creator', { projects: [web], operations: ['create_project'] })
    const cursor = await now(creator)
    const { body } = await post('/projects', { name: 'Own' }, {}, creator)
    const { data } = await pageOf(creator, { cursor })
    const { id: project } = body['data'] as { id: string }
    assert.equal(data[0]!.kind, 'project')
    assert.ok(data.every((change) => change.projectId === project && change.op === 'upsert'))
  })

  test('that enters the scope comes with everything in it, in pages of any size', async () => {
    const { name, key: narrow } = await newKey(web)
    const cursor = await now(narrow)
    await select(name, [web, app])
    const { data: expected } = (await get(`/projects/${app}/changes?limit=1000`)).body as unknown as ChangePage
    for (const limit of [1, 3, 1_000]) {
      const changes = await readAll(narrow, limit, cursor)
      assert.deepEqual(changes.map(({ object }) => object), expected.map(({ object }) => object)) // prettier-ignore
      assert.ok(changes.every(({ event, by, fields }) => event === null && by === null && fields === null))
    }
  })

  test('that leaves the scope is one change, and nothing in it is seen any more', async () => {
    const { name, key: narrow } = await newKey(web, app)
    const cursor = await now(narrow)
    await rename(app)
    await select(name, [web])
    await rename(app)
    const page = await pageOf(narrow, { cursor, kinds: 'board' }).catch(() => undefined)
    assert.equal(page, undefined, 'the cursor belongs to all kinds')
    const { data } = await pageOf(narrow, { cursor })
    assert.deepEqual(data.map(({ kind, op, id, event, by, fields, object }) => [kind, op, id, event, by, fields, object]), [['project', 'out_of_scope', app, null, null, null, null]]) // prettier-ignore
    assert.ok(data[0]!.at)
  })

  test('that leaves and comes back is dropped, and comes again', async () => {
    const { name, key: narrow } = await newKey(web, app)
    const cursor = await now(narrow)
    await select(name, [web])
    await select(name, [web, app])
    const { length } = ((await get(`/projects/${app}/changes?limit=1000`)).body as unknown as ChangePage).data
    for (const limit of [1, 1_000]) {
      const ops = (await readAll(narrow, limit, cursor)).map(({ op, kind }) => `${op} ${kind}`)
      assert.equal(ops[0], 'out_of_scope project')
      assert.equal(ops[1], 'upsert project')
      assert.ok(ops.length > length)
    }
  })
})

test('a project that comes back in a transaction that began before it left is there', async () => {
  const { name, key: narrow } = await newKey(web, app)
  const cursor = await now(narrow)
  await sql.begin(async (transaction) => {
    await transaction`update workgate.projects set name = name || '!' where id = ${web}`
    await select(name, [web])
    await transaction`select workgate.set_key_projects(${name}, ${[web, app]}::uuid[])`
  })
  const copy = new Map<string, string>()
  for (const { op, projectId, id } of await readAll(narrow, 3, cursor))
    if (op === 'upsert') copy.set(id, projectId)
    else for (const [one, project] of copy) if (project === projectId) copy.delete(one)
  assert.ok([...copy.values()].filter((project) => project === app).length > 1)
})

describe('a cursor', { concurrency: false }, () => {
  test('survives rotations of its key', async () => {
    const { name, key: first } = await newKey(web)
    const cursor = await now(first)
    const [row] = await sql`select workgate.rotate_key(${name}) as key`
    await select(name, [web, app])
    const expected = await pageOf(first, { cursor })
    assert.ok(expected.data.length > 0)
    assert.deepEqual((await pageOf(row!['key'], { cursor })).data, expected.data)
  })

  test('expires with another key, and with another mode', async () => {
    const { key: one } = await newKey(web)
    const cursor = await now(one)
    const { name, key: other } = await newKey(web)
    await expires(other, cursor)
    await expires(key, cursor)
    await expires(environmentKey, cursor)
    await sql`update workgate.api_keys set scope_mode = 'all_projects', project_ids = '{}' where name = ${name}`
    await expires(other, cursor)
    await pageOf(other, { cursor: await now(key) })
  })

  test('does not belong to the changes of one project, nor the other way round', async () => {
    const ofProject = (await get(`/projects/${web}/changes?from=now`)).body as unknown as ChangePage
    assert.equal((await changesOf(key, { cursor: ofProject.meta.cursor })).status, 400)
    assert.equal((await get(`/projects/${web}/changes?cursor=${await now(key)}`)).status, 400)
  })
})

test('wait ends when a project enters the scope, and with a change in it', async () => {
  const { name, key: narrow } = await newKey()
  const cursor = await now(narrow)
  const began = performance.now()
  const entering = changesOf(narrow, { cursor, wait: '30', limit: '1000' })
  await select(name, [web])
  const page = (await entering).body as unknown as ChangePage
  assert.ok(page.data.length > 10)
  const changing = changesOf(narrow, { cursor: page.meta.cursor, wait: '30' })
  await rename(web)
  assert.deepEqual(((await changing).body as unknown as ChangePage).data.map(short), [['project', 'upsert', 1, 'name']])
  assert.ok(performance.now() - began < 15_000)
})
