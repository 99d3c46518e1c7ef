// A project that has a source gets its tasks only from there: the API does not create or complete them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, missing, web } from '../support/data.ts'
import { lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import type { Reply } from '../support/workgate.ts'

const { sql, get, post } = await contractSuite({ data: 'basic' })
const address = 'https://git.example/ann/web'
const addSource = (project: string) =>
  sql`insert into workgate.sources (project_id, tool, address, namespace) values (${project}, 'gitea', ${address}, 'x')`
const tasks = `/projects/${web}/tasks`
const complete = (task: string, headers = {}) => post(`${tasks}/${task}/complete`, undefined, headers)
const once = (key: string) => ({ 'idempotency-key': key })

const made = await post(tasks, { title: 'Made before' }, once('before'))
const completed = await complete(made.body.data.id, once('completed'))
assert.deepEqual([made.status, completed.status], [201, 200])
await addSource(web)

function assertSynced({ status, body }: Reply) {
  assert.deepEqual([status, body.code, body.externalUrl], [409, 'PROJECT_SYNCED', address])
}

test('tasks are not created or completed, and the error says where the project is', async () => {
  const before = await sql`select id, version from workgate.tasks order by id`
  assertSynced(await post(tasks, { title: 'New', tags: ['new'], watcherIds: [id('user', 1)] }))
  assertSynced(await post(tasks, { title: 'New' }, once('new')))
  assertSynced(await complete(id('task', 1)))
  assertSynced(await complete(id('task', 1), { ...once('complete'), 'if-match': '"x"' }))
  assert.deepEqual(await sql`select id, version from workgate.tasks order by id`, before)
})

test('this precedes what is wrong with the task, and follows an invalid body and a project that does not exist', async () => {
  assertSynced(await post(tasks, { title: 'New', stageId: missing }))
  assertSynced(await complete(missing))
  assert.equal((await post(tasks, {})).body.code, 'VALIDATION_FAILED')
  assert.equal((await post(`/projects/${missing}/tasks`, { title: 'New' })).body.code, 'NOT_FOUND')
})

test('an earlier response is repeated, and its key is not used for another request', async () => {
  for (const [again, first] of [
    [await post(tasks, { title: 'Made before' }, once('before')), made],
    [await complete(made.body.data.id, once('completed')), completed],
  ] as const) {
    assert.deepEqual([again.status, again.text], [first.status, first.text])
    assert.equal(again.headers['idempotency-replayed'], 'true')
  }
  assert.equal((await post(tasks, { title: 'Other' }, once('before'))).body.code, 'IDEMPOTENCY_KEY_REUSED')
})

test('other projects, new projects and reads are not affected', async () => {
  assert.equal((await post(`/projects/${app}/tasks`, { title: 'New' })).status, 201)
  const { status, body } = await post('/projects', { name: 'New' })
  assert.equal(status, 201)
  assert.equal((await post(`/projects/${body.data.id}/tasks`, { title: 'New' })).status, 201)
  assert.equal((await get(tasks)).status, 200)
})

test('a source that is added while a task is being created refuses it', async () => {
  let created: Promise<Reply> | undefined
  await whileLocked(sql, lockTasks(app), async () => {
    created = post(`/projects/${app}/tasks`, { title: 'During' })
    await untilBlocked(sql)
    await addSource(app)
  })
  assertSynced((await created)!)
  assert.equal((await sql`select from workgate.tasks where title = 'During'`).length, 0)
})
