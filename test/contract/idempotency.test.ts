// The header Idempotency-Key: a repeated request gets the response of the first, and is executed once.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../faults/fixtures/embedded.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import { valuesOf } from '../support/values.ts'
import { asService, startArtifact } from '../support/workgate.ts'
import { app, id, post, web, type Reply } from '../support/writes.ts'

const { workgate, key } = await contractSuite({ data: 'basic' })
let last = 0

const tasks = `/projects/${web}/tasks`
const fresh = () => ({ 'idempotency-key': `key-${++last}` })
const create = (headers: Record<string, string>, body: unknown = { title: 'Once' }, by = key, path = tasks) =>
  post(workgate, by, path, body, headers)
const rotate = async (name: string, overlap = '1 hour'): Promise<string> =>
  (await workgate.sql`select workgate.rotate_key(${name}, ${overlap}) as key`)[0]!['key']
const count = async () => Number((await workgate.sql`select count(*) from workgate.tasks`)[0]!['count'])

/** The parts of a response that a replay must repeat. */
const replayable = ({ status, text, headers }: Reply) => [status, text, headers['location'], headers['etag']]

describe('a repeated request', () => {
  const replayed: [claim: string, path: string, body: unknown, again: unknown][] = [
    ['a task', tasks, { title: 'Once', tags: ['a'] }, '{ "tags": ["a"],\n "title": "Once" }'],
    ['a task with defaults spelled out', tasks, { title: 'Once' }, { title: 'Once', priority: 'none', parentId: null }],
    ['a completed task', `${tasks}/${id('task', 1)}/complete`, {}, '{ }'],
    ['a project', '/projects', { name: 'Once' }, { name: 'Once' }],
  ]
  for (const [claim, path, body, again] of replayed) {
    test(`for ${claim} gets the first response, marked as replayed, and nothing is written`, async () => {
      const headers = fresh()
      const first = await create(headers, body, key, path)
      const before = await count()
      const second = await create(headers, again, key, path)
      assert.ok(first.status < 300)
      assert.deepEqual(replayable(second), replayable(first))
      assert.deepEqual(
        [first, second].map((reply) => reply.headers['idempotency-replayed']),
        [undefined, 'true'],
      )
      assert.equal(await count(), before)
    })
  }

  test('gets the first response, whatever happened to the task and the project', async () => {
    const headers = fresh()
    const first = await create(headers)
    await workgate.sql`delete from workgate.tasks where id = ${first.body.data.id}`
    await workgate.sql`update workgate.projects set status = 'archived' where id = ${web}`
    assert.deepEqual(replayable(await create(headers)), replayable(first))
    await workgate.sql`update workgate.projects set status = 'active' where id = ${web}`
  })

  test('with another body, or for another task, is refused', async () => {
    const headers = fresh()
    await create(headers)
    const { status, body } = await create(headers, { title: 'Twice' })
    assert.deepEqual([status, body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
    const complete = (n: number) => create(headers, {}, key, `${tasks}/${id('task', n)}/complete`)
    assert.equal((await complete(2)).status, 200)
    assert.equal((await complete(3)).status, 422)
  })

  test('with another API key, for another operation or in another project is a new request', async () => {
    const headers = fresh()
    const other = await workgate.issueKey('other')
    const replies = [
      await create(headers),
      await create(headers, {}, key, `${tasks}/${id('task', 1)}/complete`),
      await create(headers, { title: 'Once' }, other),
      await create(headers, { title: 'Once' }, key, `/projects/${app}/tasks`),
      await create(headers, { name: 'Once' }, key, '/projects'),
    ]
    assert.deepEqual(valuesOf(replies, 'status'), [201, 200, 201, 201, 201])
    assert.ok(replies.every(({ headers }) => headers['idempotency-replayed'] === undefined))
  })

  test('is refused if the key has lost its permission, before anything is replayed', async () => {
    const headers = fresh()
    const changing = await workgate.issueKey('changing', { projects: [web] })
    await create(headers, { title: 'Once' }, changing)
    await workgate.sql`update workgate.api_keys set operations = '{complete_task}' where name = 'changing'`
    assert.equal((await create(headers, { title: 'Once' }, changing)).body.code, 'OPERATION_DENIED')
    await workgate.sql`update workgate.api_keys set operations = '{create_task}', project_ids = '{}' where name = 'changing'`
    assert.equal((await create(headers, { title: 'Once' }, changing)).body.code, 'ACCESS_DENIED')
  })

  test('shows a project only to a key that still has access to it', async () => {
    const maker = await workgate.issueKey('maker', { projects: [], operations: ['create_project'] })
    const headers = fresh()
    const again = (by: string) => create(headers, { name: 'Once' }, by, '/projects')
    const first = await again(maker)
    const summary = ({ status, body, headers }: Reply) => [
      status,
      body.data?.id ?? body.code,
      headers['idempotency-replayed'],
    ]
    const replay = [201, first.body.data.id, 'true']
    const rotated = await rotate('maker')
    const set = (ids: string[]) => workgate.sql`select workgate.set_key_projects('maker', ${ids}::uuid[])`
    for (const by of [maker, rotated]) {
      assert.deepEqual(summary(await again(by)), replay)
      await set([web])
      assert.deepEqual(summary(await again(by)), [403, 'ACCESS_DENIED', undefined])
      assert.equal((await create(headers, { name: 'Twice' }, by, '/projects')).body.code, 'IDEMPOTENCY_KEY_REUSED')
      await set([web, first.body.data.id])
      assert.deepEqual(summary(await again(by)), replay)
    }
    const everywhere = await workgate.issueKey('everywhere')
    const everyones = await again(everywhere)
    assert.deepEqual(summary(await again(everywhere)), [201, everyones.body.data.id, 'true'])
  })

  test('is executed if the first was refused', async () => {
    const headers = fresh()
    assert.equal((await create(headers, { title: 'Once', parentId: id('task', 99) })).status, 400)
    assert.equal((await create(headers, { title: 'Once' })).status, 201)
  })

  test('may have another If-Match: after 412 it is executed, and after a success it is replayed', async () => {
    const headers = fresh()
    const { body, headers: made } = await create({})
    const path = `${tasks}/${body.data.id}/complete`
    const complete = (tag: string) => create({ ...headers, 'if-match': tag }, {}, key, path)
    await workgate.sql`update workgate.tasks set title = 'Changed' where id = ${body.data.id}`
    assert.equal((await complete(made['etag']!)).body.code, 'PRECONDITION_FAILED')
    const seen = await workgate.send(`GET ${tasks}/${body.data.id}`, { key })
    const first = await complete(seen.headers['etag']!)
    assert.deepEqual([first.status, first.headers['idempotency-replayed']], [200, undefined])
    for (const tag of [seen.headers['etag']!, first.headers['etag']!, made['etag']!]) {
      const again = await complete(tag)
      assert.deepEqual([replayable(again), again.headers['idempotency-replayed']], [replayable(first), 'true'])
    }
  })
})

test('a repeated request gets 409 while the first still runs, and then the first response', async () => {
  const headers = fresh()
  const replies: Promise<Reply>[] = []
  await whileLocked(workgate.sql, lockTasks(web), async () => {
    replies.push(create(headers))
    await untilBlocked(workgate.sql)
    for (const { status, body } of [await create(headers), await create(headers, undefined, await rotate('suite'))])
      assert.deepEqual([status, body.code], [409, 'IDEMPOTENCY_IN_PROGRESS'])
  })
  const [first] = await Promise.all(replies)
  assert.equal(first!.status, 201)
  assert.deepEqual(replayable(await create(headers)), replayable(first!))
})

describe('the keys of one chain of rotations', () => {
  test('replay the writes of each other, during the overlap and after it', async () => {
    const keys = [await workgate.issueKey('turning', { projects: [web] })]
    const written: [headers: Record<string, string>, first: Reply][] = []
    for (const overlap of ['1 hour', '1 hour', '0']) {
      const headers = fresh()
      written.push([headers, await create(headers, { title: 'Once' }, keys.at(-1)!)])
      keys.push(await rotate('turning', overlap))
    }
    const before = await count()
    const valid = keys.filter((_, n) => n !== 2)
    for (const by of valid) {
      for (const [headers, first] of written) {
        const again = await create(headers, { title: 'Once' }, by)
        assert.deepEqual([replayable(again), again.headers['idempotency-replayed']], [replayable(first), 'true'])
      }
    }
    assert.equal(await count(), before)
  })

  test('do not include a key that gets the name of a revoked one', async () => {
    const headers = fresh()
    await create(headers, undefined, await workgate.issueKey('renewed'))
    await workgate.sql`select workgate.revoke_key('renewed')`
    const reissued = await create(headers, undefined, await workgate.issueKey('renewed'))
    assert.deepEqual([reissued.status, reissued.headers['idempotency-replayed']], [201, undefined])
    assert.deepEqual(replayable(await create(headers, undefined, await rotate('renewed'))), replayable(reissued))
  })
})

test('responses are stored for a day, and then all removed, however many there are', async () => {
  const [old, young] = [fresh(), fresh()]
  await create(old)
  await create(young)
  await workgate.sql`
    update workgate.idempotency_records
    set created_at = now() - case when idempotency_key = ${old['idempotency-key']} then interval '25 hours' else '23 hours' end
    where idempotency_key in ${workgate.sql([old['idempotency-key'], young['idempotency-key']])}`
  await workgate.sql`
    insert into workgate.idempotency_records
    select gen_random_uuid(), 'k', 'r', n::text, 'x', 200, '{}', now() - interval '25 hours' from generate_series(1, 45000) n`
  const left = () =>
    workgate.sql`select from workgate.idempotency_records where created_at < now() - interval '24 hours' limit 1`
  // A service removes old responses when it starts.
  const other = await startArtifact(asService(workgate.url))
  try {
    await until('they are removed', async () => (await left()).length === 0)
    assert.equal((await create(young)).headers['idempotency-replayed'], 'true')
  } finally {
    await other.close()
  }
  assert.equal((await create(old)).headers['idempotency-replayed'], undefined)
})
