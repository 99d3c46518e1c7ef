// Keys of projects, and numbers and references of tasks, work wherever an id does, and follow every change at once.

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { api } from '../support/workgate.ts'

const statements = { checks: 0, others: 0 }
const { workgate, sql, get, post } = await contractSuite({
  data: 'strangers',
  target: 'process',
  changeDatabase: (db) => ({
    ...db,
    run(text, ...rest) {
      if (/\bfound\b|"projectFound"/.test(text)) statements.others++
      return db.run(text, ...rest)
    },
    freshnessChecks: {
      run(...statement) {
        statements.checks++
        return db.freshnessChecks.run(...statement)
      },
    },
  }),
})
const narrow = await workgate.issueKey('web', { projects: [web] })
const counts = { skip: run().citus && 'statements on the nodes of a cluster are not counted' }

const one = id('task', 1)
const rename = (project: string, key: string) => sql`update workgate.projects set key = ${key} where id = ${project}`
const found = async (path: string, by?: string) => {
  const { status, body } = await get(path, by)
  return status === 200 ? (body.data.id as string) : status
}
beforeEach(async () => {
  await rename(web, 'TMP')
  await rename(app, 'APP')
  await rename(web, 'WEB')
})

describe('the next request sees', () => {
  test('a project with another key, and none with the former', async () => {
    assert.deepEqual([await found('/projects/WEB'), await found('/projects/SITE')], [web, 404])
    await rename(web, 'SITE')
    assert.deepEqual([await found('/projects/WEB'), await found('/projects/SITE')], [404, web])
    assert.deepEqual([await found('/projects/WEB', narrow), await found('/projects/SITE', narrow)], [403, web])
  })

  test('a task with another number', async () => {
    assert.deepEqual([await found('/projects/WEB/tasks/3'), await found('/projects/WEB/tasks/7')], [id('task', 3), 404])
    await sql`update workgate.tasks set number = 7 where project_id = ${web} and number = 3`
    assert.deepEqual([await found('/projects/WEB/tasks/3'), await found('/projects/WEB/tasks/7')], [404, id('task', 3)])
    await sql`update workgate.tasks set number = 3 where project_id = ${web} and number = 7`
  })

  test('the references of tasks with the new key of their project, under a new ETag', async () => {
    const paths = [
      `/projects/${web}/tasks/${one}`,
      `/projects/${web}/tasks`,
      `/projects/${web}/tasks/${one}/work-packet`,
    ]
    const before = await Promise.all(paths.map((path) => get(path)))
    await rename(web, 'SITE')
    const after = await Promise.all(paths.map((path) => get(path)))
    for (const [n, { text, headers }] of after.entries()) {
      assert.equal(text.match(/"reference":"WEB-/), null)
      assert.equal(text.match(/"reference":"SITE-/g)!.length, before[n]!.text.match(/"reference":"WEB-/g)!.length)
      assert.notEqual(headers['etag'], before[n]!.headers['etag'])
    }
    assert.notEqual(after[2]!.body.data.digest, before[2]!.body.data.digest)
  })
})

test('a key in capitals is not confused with a part of a path', async () => {
  const [summary] = await sql`insert into workgate.projects (key, name) values ('SUMMARY', 'Summary') returning id`
  assert.equal(await found('/projects/SUMMARY'), summary!['id'])
  assert.ok(Array.isArray((await get('/projects/summary')).body.data))
})

describe('a request by name', () => {
  test('takes one check and one statement, and shares the cached response with the id', counts, async () => {
    await sql`update workgate.tasks set title = 'Once' where id = ${one}`
    const paths = ['/projects/WEB/tasks/WEB-1', '/projects/WEB/tasks/1', `/projects/${web}/tasks/${one}`]
    const before = { ...statements }
    for (const path of [...paths, ...paths]) assert.equal((await get(path)).body.data.title, 'Once')
    assert.deepEqual(statements, { checks: before.checks + 6, others: before.others + 1 })
  })

  test('takes one check if it is refused, whether or not a project has the key', counts, async () => {
    const before = { ...statements }
    for (const key of ['APP', 'NONE', 'APP', 'NONE']) {
      assert.equal(await found(`/projects/${key}/tasks/1`, narrow), 403)
    }
    assert.deepEqual(statements, { checks: before.checks + 4, others: before.others })
  })

  test('is logged with ids, and without names if it is refused', async () => {
    const pathOf = async (by?: string) => {
      const { headers } = await get('/projects/WEB/tasks/WEB-1', by)
      return (await workgate.logged(headers['x-request-id']))['path']
    }
    assert.equal(await pathOf(), `${api}/projects/${web}/tasks/${one}`)
    assert.equal(await pathOf(await workgate.issueKey('app', { projects: [app] })), `${api}/projects/…/tasks/…`)
  })

  test('gets a cursor that also continues the list by id', async () => {
    const first = (await get('/projects/WEB/tasks?sort=number&limit=1')).body
    for (const project of ['WEB', web]) {
      const path = `/projects/${project}/tasks?sort=number&limit=1&cursor=${first.meta.nextCursor}`
      assert.equal((await get(path)).body.data[0].reference, 'WEB-2')
    }
  })

  test('creates a task in the project, and Location contains ids', async () => {
    const { status, headers, body } = await post('/projects/WEB/tasks', { title: 'By name' }, {}, narrow)
    assert.deepEqual([status, body.data.projectId], [201, web])
    assert.equal(headers['location'], `${api}/projects/${web}/tasks/${body.data.id}`)
  })

  test('is the same write for an Idempotency-Key as by id', async () => {
    const headers = { 'idempotency-key': 'create-by-name' }
    const first = await post('/projects/WEB/tasks', { title: 'Once' }, headers)
    const again = await post(`/projects/${web}/tasks`, { title: 'Once' }, headers)
    assert.deepEqual([again.text, again.headers['idempotency-replayed']], [first.text, 'true'])
    const { reference, number, id: taskId } = first.body.data
    for (const [n, task] of [reference, number, taskId].entries()) {
      const path = `/projects/${n === 1 ? web : 'WEB'}/tasks/${task}/complete`
      const reply = await post(path, {}, { 'idempotency-key': 'complete-by-name' })
      assert.deepEqual([reply.status, reply.headers['idempotency-replayed']], [200, n > 0 ? 'true' : undefined])
    }
    const other = await post('/projects/WEB/tasks/2/complete', {}, { 'idempotency-key': 'complete-by-name' })
    assert.equal(other.body.code, 'IDEMPOTENCY_KEY_REUSED')
    await rename(web, 'TMP')
    await rename(app, 'WEB')
    const elsewhere = await post('/projects/WEB/tasks', { title: 'Once' }, headers)
    assert.deepEqual([elsewhere.status, elsewhere.body.data.projectId], [201, app])
  })

  test('completes a task only if it matches If-Match, whatever the key of the project', async () => {
    const { number } = (await post('/projects/WEB/tasks', { title: 'Conditional' })).body.data
    const { headers } = await get(`/projects/WEB/tasks/${number}`)
    const path = `/projects/SITE/tasks/SITE-${number}/complete`
    await rename(web, 'SITE')
    assert.equal((await post(path, {}, { 'if-match': '"00000000.1.0"' })).status, 412)
    assert.equal((await post(path, {}, { 'if-match': headers['etag']! })).status, 200)
  })

  test('waits for a task, which it keeps when the project gets another key', async () => {
    const { number, id: taskId } = (await post('/projects/WEB/tasks', { title: 'Watched' })).body.data
    const path = `/projects/WEB/tasks/WEB-${number}/work-packet/verification?state=completed&wait=30`
    const waiting = get(path, narrow)
    await get(`/projects/WEB/tasks/${number}/work-packet/verification?state=completed&wait=0.2`)
    await rename(web, 'SITE')
    await sql`update workgate.tasks set state = 'completed' where project_id = ${web} and id = ${taskId}`
    const { status, body } = await waiting
    assert.deepEqual([status, body.data.taskId, body.data.verified], [200, taskId, true])
  })
})

// prettier-ignore
const parents: [parent: string, id: string | undefined][] = [
  ['1',                            one],
  ['WEB-2',                        id('task', 2)],
  [one.toUpperCase(),              one],
  ['APP-1',                        undefined],
  ['NONE-1',                       undefined],
  ['99',                           undefined],
  ['WEB-9999999999999999',         undefined],
  [id('task', 90),                 undefined],
]

describe('the parent of a new task:', () => {
  for (const [parentId, found] of parents) {
    test(`${parentId} is ${found ? 'a task of the project' : 'refused with 400'}`, async () => {
      const { status, body } = await post('/projects/WEB/tasks', { title: 'Child', parentId }, {}, narrow)
      if (found) return assert.deepEqual([status, body.data.parentId], [201, found])
      assert.deepEqual(
        [status, body.errors],
        [400, [{ in: 'body', name: 'parentId', message: 'does not exist in this project' }]],
      )
      return
    })
  }

  for (const parentId of ['web-1', '0', '01', 'WEB-', 'WEB', '-1', 1]) {
    test(`${JSON.stringify(parentId)} is not a name`, async () => {
      const { status, body } = await post('/projects/WEB/tasks', { title: 'Child', parentId })
      const message = 'must be the id, number or reference of a task'
      assert.deepEqual([status, body.errors], [400, [{ in: 'body', name: 'parentId', message }]])
    })
  }
})
