// POST /projects/:projectId/tasks/:taskId/complete

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { id, missing, old, post, web } from '../support/writes.ts'

const { workgate, key } = await contractSuite({ data: 'basic', key: { name: 'writer' } })

const complete = (taskId: string, headers = {}, body?: unknown) =>
  post(workgate, key, `/projects/${web}/tasks/${taskId}/complete`, body, headers)
const create = async (body: object = {}) =>
  (await post(workgate, key, `/projects/${web}/tasks`, { title: 'Do it', ...body })).body.data
const history = async (taskId: string) =>
  [...(await workgate.sql`select version::int, channel, actor, changes from workgate.task_history where task_id = ${taskId} order by version`)] // prettier-ignore

describe('completing a task', () => {
  test('sets state and time, moves to the first done stage, and is in the history with the key', async () => {
    const task = await create()
    const { status, headers, body } = await complete(task.id)
    assert.equal(status, 200)
    assert.deepEqual(body.data, {
      ...task,
      state: 'completed',
      stageId: id('stage', 3),
      completedAt: body.data.updatedAt,
      updatedAt: body.data.updatedAt,
      version: 2,
    })
    assert.match(headers['etag']!, /^"[^"]+"$/)
    assert.deepEqual((await workgate.send(`GET /projects/${web}/tasks/${task.id}`, { key })).body.data, body.data)
    assert.deepEqual((await history(task.id))[1], {
      version: 2,
      channel: 'api',
      actor: { keyId: key.slice(3, 15), name: 'writer' },
      changes: {
        state: { from: 'open', to: 'completed' },
        stageId: { from: id('stage', 1), to: id('stage', 3) },
        completedAt: { from: null, to: body.data.completedAt },
      },
    })
  })

  test('a second time changes nothing and returns the same response', async () => {
    const task = await create()
    const first = await complete(task.id)
    for (const body of [undefined, {}]) {
      const { status, text, headers } = await complete(task.id, {}, body)
      assert.deepEqual([status, text, headers['etag']], [200, first.text, first.headers['etag']])
    }
    assert.equal((await history(task.id)).length, 2)
  })

  test('on a board without a done stage does not move it', async () => {
    const task = await create({ stageId: id('stage', 4) })
    assert.deepEqual((await complete(task.id)).body.data.stageId, id('stage', 4))
  })

  test('that is open in a done stage does not move it', async () => {
    const [stage] = await workgate.sql`
      insert into workgate.stages (project_id, board_id, name, position, category)
      values (${web}, ${id('board', 1)}, 'Archive', 9, 'done') returning id`
    const task = await create()
    await workgate.sql`update workgate.tasks set stage_id = ${stage!['id']} where id = ${task.id}`
    assert.equal((await complete(task.id)).body.data.stageId, stage!['id'])
  })

  test('without a stage works', async () => {
    const [task] = await workgate.sql`insert into workgate.tasks (project_id, title) values (${web}, 'x') returning id`
    assert.equal((await complete(task!['id'])).body.data.state, 'completed')
  })
})

describe('completing is refused', () => {
  test('for a cancelled task, which stays cancelled', async () => {
    const task = await create()
    await workgate.sql`update workgate.tasks set state = 'cancelled' where id = ${task.id}`
    const { status, body } = await complete(task.id)
    assert.deepEqual([status, body.code], [409, 'TASK_CANCELLED'])
    assert.equal((await history(task.id)).length, 2)
  })

  test('for a task of an archived project', async () => {
    const [task] = await workgate.sql`insert into workgate.tasks (project_id, title) values (${old}, 'x') returning id`
    const { status, body } = await post(workgate, key, `/projects/${old}/tasks/${task!['id']}/complete`)
    assert.deepEqual([status, body.code], [409, 'PROJECT_ARCHIVED'])
  })

  test('for a task of another project, or one that does not exist', async () => {
    const [task] = await workgate.sql`insert into workgate.tasks (project_id, title) values (${old}, 'x') returning id`
    for (const taskId of [task!['id'], missing, 'nonsense', '%00']) {
      const { status, body } = await complete(taskId)
      assert.deepEqual([status, body.code], [404, 'NOT_FOUND'], taskId)
    }
  })
})

describe('If-Match', () => {
  test('accepts the ETag of any response with the current task', async () => {
    const made = await post(workgate, key, `/projects/${web}/tasks`, { title: 'x' })
    const path = `/projects/${web}/tasks/${made.body.data.id}`
    const plain = await workgate.send(`GET ${path}`, { key })
    const full = await workgate.send(`GET ${path}?include=tags,watchers`, { key })
    for (const tag of [
      made.headers['etag'],
      plain.headers['etag'],
      full.headers['etag'],
      '*',
      `"other", ${plain.headers['etag']}`,
    ]) {
      const task = await create()
      assert.equal(
        (await complete(task.id, { 'if-match': tag })).status,
        tag === '*' ? 200 : 412,
        'an ETag of another task',
      )
      await workgate.sql`update workgate.tasks set state = 'open' where id = ${made.body.data.id}`
    }
    assert.equal((await complete(made.body.data.id, { 'if-match': `"x", ${full.headers['etag']}` })).status, 200)
    assert.equal((await complete(made.body.data.id, { 'if-match': full.headers['etag'] })).status, 412)
  })

  test('a task that was changed by SQL is not completed', async () => {
    const { headers, body } = await post(workgate, key, `/projects/${web}/tasks`, { title: 'x' })
    await workgate.sql`update workgate.tasks set title = 'y' where id = ${body.data.id}`
    const { status, body: problem } = await complete(body.data.id, { 'if-match': headers['etag'] })
    assert.deepEqual([status, problem.code], [412, 'PRECONDITION_FAILED'])
    assert.equal((await history(body.data.id)).length, 2)
  })

  test('a task whose tag was renamed is not completed', async () => {
    const { headers, body } = await post(workgate, key, `/projects/${web}/tasks`, { title: 'x', tags: ['before'] })
    await workgate.sql`update workgate.tags set name = 'after' where name = 'before'`
    const { status, body: problem } = await complete(body.data.id, { 'if-match': headers['etag'] })
    assert.deepEqual([status, problem.code], [412, 'PRECONDITION_FAILED'])
    const { headers: renamed } = await workgate.send(`GET /projects/${web}/tasks/${body.data.id}`, { key })
    assert.equal((await complete(body.data.id, { 'if-match': renamed['etag'] })).status, 200)
  })

  for (const tag of ['W/"abc"', '""', '"nonsense"']) {
    test(`${tag} matches nothing`, async () => {
      assert.equal((await complete(id('task', 2), { 'if-match': tag })).status, 412)
    })
  }

  for (const tag of ['abc', '"a', '"a" "b"', '*, "a"']) {
    test(`${tag} is refused, and the error names the header`, async () => {
      const { status, body } = await complete(id('task', 2), { 'if-match': tag })
      assert.deepEqual([status, body.errors?.[0]?.in, body.errors?.[0]?.name], [400, 'header', 'If-Match'])
    })
  }
})
