// Verification of several tasks in one request: tasks that do not exist yet, a hundred tasks, tasks and people outside the
// project, deletions, and what is refused.

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { until } from '../faults/fixtures/embedded.ts'
import { openInstance } from '../freshness/instances.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, web } from '../support/data.ts'
import { assertRefused } from '../support/refused.ts'
import { valuesOf } from '../support/values.ts'

const { workgate, sql, key, get } = await contractSuite({ data: 'basic', key: { name: 'reader' } })
const other = openInstance(workgate.url)
after(() => other.close())

const pathOf = (query: string, project = web) => `/projects/${project}/work-packets/verification?${query}`
const verify = async (query: string, project = web) => (await get(pathOf(query, project))).body.data
/** Asks the other instance, which waits, makes the changes one by one, and returns the response. */
async function waitFor(query: string, ...changes: (() => Promise<unknown>)[]) {
  const waiting = other.ask('GET', pathOf(`${query}&wait=30`), { authorization: `Bearer ${key}` })
  await until('it waits', () => other.metric('workgate_waiters') === 1)
  const began = performance.now()
  for (const change of changes) {
    assert.equal(other.metric('workgate_waiters'), 1, 'it still waits')
    await change()
  }
  const { body } = await waiting
  assert.ok(performance.now() - began < 15_000, 'the wait ends before half of its time is over')
  return JSON.parse(String(body)).data
}
const insert = (n: number, values: Record<string, string | number> = {}) =>
  sql`insert into workgate.tasks ${sql({ project_id: web, id: id('task', n), title: `Task ${n}`, ...values })}`
const complete = (ids: string[]) => sql`update workgate.tasks set state = 'completed' where id = any (${ids}::uuid[])`
const remove = (n: number) => sql`delete from workgate.tasks where id = ${id('task', n)}`

describe('a task that does not exist yet', { concurrency: false }, () => {
  // prettier-ignore
  const cases: [query: string, name: string, n: number, values?: Record<string, string | number>][] = [
    [`taskIds=${id('task', 10)}`,    id('task', 10),       10],
    ['taskIds=2011',                 '2011',               11,  { number: 2_011 }],
    ['taskIds=WEB-2012',             'WEB-2012',           12,  { number: 2_012 }],
    ['number=2013',                  '2013',               13,  { number: 2_013 }],
    ['externalId=acme/website%2314', 'acme/website#14',    14,  { external_id: 'acme/website#14' }],
  ]
  for (const [query, name, n, values] of cases) {
    test(`is awaited by ${query}`, async () => {
      const { verified, tasks } = await verify(`${query}&minVersion=1&lacksTag=x&state=open`)
      assert.equal(verified, false)
      assert.deepEqual(
        tasks.map(({ checks, ...task }: any) => ({
          ...task,
          checks: checks.map(({ actual, ok }: any) => [actual, ok]),
        })),
        [
          {
            name,
            taskId: null,
            verified: false,
            version: null,
            state: null,
            lastChange: null,
            deletion: null,
            checks: Array(3).fill([null, false]),
          },
        ],
      )
      const data = await waitFor(`${query}&minVersion=1`, () => insert(n, values))
      const [task] = data.tasks
      assert.deepEqual([data.verified, task.name, task.taskId, task.version], [true, name, id('task', n), 1])
      assert.deepEqual(task.checks[0].by, { channel: 'sql', actor: { role: 'workgate' } })
      const { by, at } = task.checks[0]
      assert.deepEqual(task.lastChange, { version: 1, by, at })
    })
  }
})

describe('a hundred tasks', { concurrency: false }, () => {
  const ids = Array.from({ length: 100 }, (_, n) => id('task', 1_000 + n))

  test('are verified when the last one is, or enough are', async () => {
    for (const n of ids.keys()) await insert(1_000 + n)
    const query = `taskIds=${ids.join()}&state=completed`
    const enough = waitFor(
      `${query}&minVerified=60`,
      () => complete(ids.slice(0, 59)),
      () => complete(ids.slice(0, 60)),
    )
    assert.deepEqual([(await enough).verified, (await enough).verifiedCount], [true, 60])
    const all = await waitFor(
      query,
      () => complete(ids.slice(60, 99)),
      () => sql`update workgate.tasks set title = 'x' where id = ${ids[99]!}`,
      () => complete(ids.slice(99)),
    )
    assert.deepEqual([all.verified, all.verifiedCount], [true, 100])
    assert.deepEqual(valuesOf(all.tasks, 'taskId'), ids)
    assert.ok(all.tasks.every(({ verified }: any) => verified))
  })

  test('are the most, in all parameters together', async () => {
    const { status, body } = await get(pathOf(`taskIds=${ids.join()}&number=1&state=open`))
    assert.deepEqual(
      [status, body.errors[0].name, body.errors[0].message],
      [400, 'taskIds', 'must be at most 100 tasks, with number and externalId'],
    )
  })
})

test('several tasks are sorted by number, each under the name that it was given', async () => {
  await insert(20, { number: 3_001, external_id: 'b' })
  await insert(21, { number: 3_000, external_id: 'a' })
  const data = await verify(`taskIds=WEB-3001,9999&number=1&externalId=a,c&state=open`)
  assert.deepEqual(
    data.tasks.map(({ name, verified }: any) => [name, verified]),
    [
      ['1', true],
      ['a', true],
      ['WEB-3001', true],
      ['9999', false],
      ['c', false],
    ],
  )
  assert.equal(data.verifiedCount, 3)
})

describe('a deleted task', { concurrency: false }, () => {
  test('ends the wait if the others are not enough', async () => {
    await insert(30)
    await insert(31)
    const query = `taskIds=${id('task', 30)},${id('task', 31)}&state=completed`
    const data = await waitFor(
      `${query}&minVerified=1`,
      () => remove(30),
      () => remove(31),
    )
    assert.deepEqual(
      data.tasks.map(({ verified, deletion }: any) => [verified, deletion.by.channel]),
      Array(2).fill([false, 'sql']),
    )
  })

  test('meets deleted=true, with the writer', async () => {
    await insert(32)
    const data = await waitFor(`taskIds=${id('task', 32)}&deleted=true`, () => remove(32))
    const [{ checks, deletion }] = data.tasks
    assert.deepEqual([data.verified, checks[0].by, checks[0].at], [true, deletion.by, deletion.deletedAt])
    await insert(32)
    assert.deepEqual((await verify(`taskIds=${id('task', 32)}&deleted=true`)).tasks[0].checks[0].actual, false)
  })
})

describe('an expectation on something outside the project is met as little as on nothing:', async () => {
  await sql`insert into workgate.tasks (project_id, id, title, external_id) values (${app}, ${id('task', 40)}, 'Elsewhere', 'elsewhere')`
  await sql`insert into workgate.documents (project_id, path, title, task_id, markdown) values (${app}, 'elsewhere.md', 'x', ${id('task', 40)}, 'x')`
  await sql`insert into workgate.tags (project_id, name) values (${app}, 'elsewhere')`
  // prettier-ignore
  const cases: [query: string, elsewhere: string, nowhere: string][] = [
    ['minVersion=1&taskIds=',          id('task', 40),          id('task', 99)],
    ['minVersion=1&taskIds=',          'APP-1',                 'APP-9'],
    ['minVersion=1&externalId=',       'elsewhere',             'nowhere'],
    ['taskIds=1&parentId=',            id('task', 40),          id('task', 99)],
    ['taskIds=1&parentId=',            'APP-1',                 'APP-9'],
    ['taskIds=1&boardId=',             id('board', 4),          id('board', 99)],
    ['taskIds=1&stageId=',             id('stage', 5),          id('stage', 99)],
    ['taskIds=1&documentPath=',        'elsewhere.md',          'nowhere.md'],
    ['taskIds=1&hasTag=',              'elsewhere',             'nowhere'],
    ...['assigneeId', 'hasWatcher', 'commentBy'].flatMap((name): [string, string, string][] => [
      [`taskIds=1&${name}=`, id('user', 5), id('user', 99)],
      [`taskIds=1&${name}=`, 'outsider@example.org', 'nobody@example.org'],
      [`taskIds=1&${name}=`, 'Outsider', 'Nobody'],
    ]),
  ]
  for (const [query, elsewhere, nowhere] of cases) {
    test(query + elsewhere, async () => {
      const [found, unknown] = [await verify(query + elsewhere), await verify(query + nowhere)]
      assert.equal(found.verified, false)
      assert.equal(JSON.stringify(found), JSON.stringify(unknown).replaceAll(nowhere, elsewhere))
    })
  }
})

describe('people', { concurrency: false }, () => {
  test('are found under a new name, which ends the wait', async () => {
    await sql`update workgate.tasks set assignee_id = ${id('user', 2)} where id = ${id('task', 2)}`
    const rename = () => sql`update workgate.users set name = 'Rear Admiral' where id = ${id('user', 2)}`
    assert.equal((await waitFor('taskIds=2&assigneeId=rear+admiral', rename)).verified, true)
  })

  test('of the same name are refused, and other names of them are not', async () => {
    await sql`update workgate.users set name = 'ADA Lovelace' where id = ${id('user', 4)}`
    for (const path of [
      pathOf('taskIds=1&state=open&hasWatcher=ada+lovelace'),
      `/projects/${web}/tasks/1/work-packet/verification?hasWatcher=ada+lovelace`,
    ]) {
      const { status, body } = await get(path)
      assert.deepEqual(
        [status, body.code, body.errors],
        [
          400,
          'VALIDATION_FAILED',
          [
            {
              in: 'query',
              name: 'hasWatcher',
              message: 'is the name of several users of this project; give an id or an e-mail address',
            },
          ],
        ],
      )
    }
    assert.equal((await get(pathOf('taskIds=1&hasWatcher=ada%40example.org'))).status, 200)
  })
})

// prettier-ignore
const refused: [query: string, name: string, message: RegExp][] = [
  ['state=open',                                   '?',                 /^Give at least one task: taskIds, number or externalId\.$/],
  ['taskIds=1',                                    '?',                 /^Give at least one expectation, such as state=completed\./],
  ['taskIds=x&state=open',                         'taskIds',           /^must be the id, number or reference of a task/],
  ['taskIds=1,2&state=open&minVerified=3',         'minVerified',       /^must be at most the number of tasks$/],
  ['taskIds=1&digest=x',                           'digest',            /^is unknown; valid names are /],
  ['taskIds=1&deleted=false',                      'deleted',           /^must be true$/],
  ['taskIds=1&dueDate=2026-02-30',                 'dueDate',           /^must be a date such as 2026-11-21, or none$/],
  ['taskIds=1&estimateSeconds=-1',                 'estimateSeconds',   /^must be a number of seconds, or none$/],
  ['taskIds=1&descriptionSha256=abc',              'descriptionSha256', /^must be 64 hex digits, or none$/],
  ['taskIds=1&fileSha256=none',                    'fileSha256',        /^must be 64 hex digits$/],
  ['taskIds=1&stageCategory=doing',                'stageCategory',     /^must be one of backlog, active, done, none$/],
  ['taskIds=1&hasTag=+',                           'hasTag',            /^must not be blank$/],
  [`taskIds=1&commentBy=${'a'.repeat(321)}`,       'commentBy',         /^must have at most 320 characters$/],
  ['taskIds=1&parentId=web-1',                     'parentId',          /^must be the id, number or reference of a task, or none$/],
  ['taskIds=1&minTimeSeconds=0',                   'minTimeSeconds',    /^must be an integer between 1 and 999999999999$/],
  ['taskIds=1&changedAfter=yesterday',             'changedAfter',      /^must be a time such as/],
]

describe('refused', () => {
  for (const [query, name, message] of refused) {
    test(`?${query.slice(0, 60)}`, async () => assertRefused(await get(pathOf(query)), name, message))
  }
})
