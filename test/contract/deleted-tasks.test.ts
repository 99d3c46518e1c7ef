// Receipts: every path that names a deleted task says when and by whom it was deleted, as long as the journal knows it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { routes } from '../../src/routes.ts'
import { app, id, missing, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { inTurn, onServers } from '../support/places.ts'

const { get, post, key, sql, issueKey } = await contractSuite({ data: 'basic' })
const narrow = await issueKey('narrow', { projects: [app] })

/** All routes with a task in the path. */
const taskRoutes = routes.filter(([, path]) => path.includes(':taskId'))
const fill = (path: string, task: string, projectId: string) =>
  path.replace(':projectId', projectId).replace(':taskId', task) +
  (path.endsWith('/verification') ? '?minVersion=1' : '')
const pathsOf = (task: string, projectId: string = web) =>
  taskRoutes.flatMap(([method, path]) => (method === 'GET' ? [fill(path, task, projectId)] : []))
const verificationOf = (task: string, projectId: string = web) =>
  `/projects/${projectId}/tasks/${task}/work-packet/verification?deleted=true`
/** The responses of all routes, writes included. */
const askAll = (task: string, projectId: string = web, as = key) =>
  Promise.all(
    taskRoutes.map(([method, path]) =>
      method === 'GET' ? get(fill(path, task, projectId), as) : post(fill(path, task, projectId), undefined, {}, as),
    ),
  )
const insert = (taskId: string, number: number, projectId: string = web) =>
  `insert into workgate.tasks (project_id, id, number, title) values ('${projectId}', '${taskId}', ${number}, 'x')`
const rename = (taskId: string) => `update workgate.tasks set title = 'y' where id = '${taskId}'`
const remove = (taskId: string) => `delete from workgate.tasks where id = '${taskId}'`
const move = (taskId: string, n: number) =>
  `update workgate.tasks set id = '${id('task', n + 20)}' where id = '${taskId}'`
const change = (...statements: string[]) => inTurn(sql, ...statements)
const now = async () => (await sql`select workgate.iso(clock_timestamp()::timestamptz(3)) as now`)[0]!['now'] as string

async function create(n: number) {
  const taskId = id('task', n)
  await change(insert(taskId, n), rename(taskId))
  for (const path of pathsOf(taskId)) assert.equal((await get(path)).status, 200)
  return taskId
}

const bySql = { channel: 'sql', actor: { role: 'workgate' } }

// prettier-ignore
const receipts: [claim: string, statements: (taskId: string, n: number) => string[], by: object, version: number][] = [
  ['deleted by SQL',                     (t) => [remove(t)], bySql, 2],
  ['deleted by a writer with a name',    (t) => ["set local workgate.channel = 'import'", "set local workgate.actor = 'nightly job'", remove(t)], { channel: 'import', actor: { name: 'nightly job' } }, 2],
  ['deleted after a change',             (t) => [`update workgate.tasks set title = 'z' where id = '${t}'`, remove(t)], bySql, 3],
  ['deleted by replication',             (t) => ['set local session_replication_role = replica', remove(t)], bySql, 2],
  ['that got another id',                (t, n) => [`delete from workgate.task_history where task_id = '${t}'`, move(t, n)], bySql, 2],
  ['that got another id by replication', (t, n) => ['set local session_replication_role = replica', move(t, n)], bySql, 2],
  ['deleted twice',                      (t, n) => [remove(t), insert(t, n), remove(t)], bySql, 1],
]

describe('410 for a task', { concurrency: false }, () => {
  for (const [index, [claim, statements, by, version]] of receipts.entries()) {
    const skip = run().citus && claim.endsWith('by replication') && 'Citus has no logical replication into its tables'
    test(claim, { skip }, async () => {
      const number = 20 + index
      const taskId = await create(number)
      const before = await now()
      await change(...statements(taskId, number))
      const after = await now()
      // A task that only got another id keeps its number.
      const names = claim.includes('another id') ? [taskId] : [taskId, `${number}`, `WEB-${number}`]
      const responses = await Promise.all(names.map((name) => askAll(name)))
      const ofSeveral = await get(`/projects/${web}/work-packets/verification?deleted=true&taskIds=${names.join()}`)
      const receipts = (ofSeveral.body.data.tasks as { deletion: { taskId: string } | null }[]).map(
        (task) => task.deletion,
      )
      assert.deepEqual(receipts.map((receipt) => receipt?.taskId), names.map(() => taskId)) // prettier-ignore
      for (const { status, body } of responses.flat()) {
        assert.deepEqual([status, body.code], [410, 'TASK_DELETED'])
        const { deletedAt, ...deletion } = body.deletion
        assert.deepEqual(deletion, { taskId, by, number, version })
        assert.ok(before <= deletedAt && deletedAt <= after, deletedAt)
        assert.equal(
          body.detail,
          `Task ${number} was deleted at ${deletedAt} (channel ${(by as typeof bySql).channel}).`,
        )
      }
    })
  }
})

// prettier-ignore
const others: [claim: string, statements: (taskId: string, n: number) => string[], expected: [status: number, detail?: string], key?: string][] = [
  ['a task that was created again',               (t, n) => [remove(t), insert(t, n)], [200]],
  ['a task whose deletion was rolled back',       (t) => [`do $$ begin ${remove(t)}; raise exception 'x'; exception when others then null; end $$`], [200]],
  ['a task of a project outside the scope',       (t) => [remove(t)], [403, 'The project is outside the scope of the API key.'], narrow],
]

describe('no 410 for', { concurrency: false }, () => {
  for (const [index, [claim, statements, expected, key]] of others.entries()) {
    test(claim, async () => {
      const taskId = await create(60 + index)
      await change(...statements(taskId, 60 + index))
      for (const path of pathsOf(taskId)) {
        const { status, body } = await get(path, key)
        assert.deepEqual([status, body.detail].slice(0, expected.length), expected)
      }
    })
  }

  test('a task that was deleted in another project', async () => {
    const taskId = id('task', 69)
    await change(insert(taskId, 69, app), remove(taskId))
    for (const { status } of await askAll(taskId)) assert.equal(status, 404)
    for (const { status } of await askAll(taskId, app)) assert.equal(status, 410)
  })

  test('the number of a deleted task that another task has got, or in the reference of another project', async () => {
    await change(remove(await create(70)), insert(id('task', 72), 70))
    for (const path of ['70', 'WEB-70'].flatMap((name) => pathsOf(name))) assert.equal((await get(path)).status, 200)
    await change(remove(id('task', 72)))
    for (const { status } of await askAll('APP-70')) assert.equal(status, 404)
  })

  test('a key of another project, which sees no difference between a deleted task and an unknown one', async () => {
    const taskId = await create(71)
    await change(remove(taskId))
    const responses = async (task: string, project: string) =>
      (await askAll(task, project, narrow)).map(({ status, body }) => ({ status, ...body, requestId: '' }))
    for (const project of [web, app])
      assert.deepEqual(await responses(taskId, project), await responses(missing, project))
  })
})

test('the response follows each change at once, until the journal forgets the deletion', async () => {
  const taskId = await create(80)
  const statuses = async () => {
    const found = []
    for (const path of pathsOf(taskId)) found.push((await get(path)).status)
    // Every path has the same status.
    return [...new Set(found)]
  }
  for (let round = 0; round < 2; round++) {
    await change(remove(taskId))
    for (let request = 0; request < 2; request++) assert.deepEqual(await statuses(), [410])
    await change(insert(taskId, 80))
    for (let request = 0; request < 2; request++) assert.deepEqual(await statuses(), [200])
  }
  await change(remove(taskId))
  await onServers(sql, `update workgate.journal set at = now() - interval '31 days'`)
  assert.deepEqual(await statuses(), [410])
  // Transactions of other databases can delay it.
  while ((await onServers(sql, `select from workgate.journal where id = '${taskId}'`)).length > 0)
    await onServers(sql, `select workgate.drop_old_entries('30 days', 1000)`)
  assert.deepEqual(await statuses(), [404])
})

test('a task that was created again is not deleted, whatever is expected of it', async () => {
  const taskId = await create(85)
  const ofDeleted = async (project: string) => {
    const { status, body } = await get(verificationOf(taskId, project))
    const { verified, version, state } = body.data ?? {}
    return [status, verified, version, state]
  }
  await change(remove(taskId))
  assert.deepEqual(await ofDeleted(web), [200, true, 2, null])
  await change(insert(taskId, 85))
  assert.deepEqual(await ofDeleted(web), [200, false, 1, 'open'])
})

test('of a deleted project, the tasks get 404 like the project', async () => {
  const taskId = id('task', 90)
  await change(insert(taskId, 90, app), remove(taskId), `delete from workgate.projects where id = '${app}'`)
  for (const path of [...pathsOf(taskId, app), verificationOf(taskId, app)]) {
    const { status, body } = await get(path)
    assert.deepEqual([status, body.detail], [404, 'No such project.'])
  }
  for (const { status } of await askAll(taskId, app)) assert.equal(status, 404)
})
