// Verification of a task: each expectation alone, and long polls that wait until it is met.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, web } from '../support/data.ts'
import { assertRefused } from '../support/refused.ts'
import type { Reply } from '../support/workgate.ts'

const { workgate, key } = await contractSuite({
  data: 'basic',
  key: { name: 'reader' },
  environment: { MAX_WAITERS: '3' },
})
let digest: string

const full = id('task', 10)
const bare = id('task', 11)

const change = (statement: string) => workgate.sql.unsafe(statement)
const pathOf = (taskId: string, projectId = web) => `/projects/${projectId}/tasks/${taskId}/work-packet/verification`
const verify = (taskId: string, query: string, by = key, signal?: AbortSignal) =>
  workgate.send(`GET ${pathOf(taskId)}?${query}`, { key: by, ...(signal && { signal }) })

type Check = ReturnType<typeof check>
const check = (name: string, expected: unknown, actual: unknown, ok: boolean) => ({ name, expected, actual, ok })
/** Without the change, which is tested in expectations.test.ts. */
const briefly = (checks: Check[]) => checks.map(({ name, expected, actual, ok }) => check(name, expected, actual, ok))
const other = id('stage', 1)
const zeros = `sha256:${'0'.repeat(64)}`
const at = '2026-02-01T10:00:00.001Z'

// prettier-ignore
const checks: [taskId: string, query: string, check: Check][] = [
  [full, 'state=completed',                                      check('state', 'completed', 'completed', true)],
  [full, 'state=open',                                           check('state', 'open', 'completed', false)],
  [full, `stageId=${id('stage', 3).toUpperCase()}`,              check('stageId', id('stage', 3), id('stage', 3), true)],
  [full, `stageId=${other}`,                                     check('stageId', other, id('stage', 3), false)],
  [full, 'stageId=none',                                         check('stageId', 'none', id('stage', 3), false)],
  [bare, 'stageId=none',                                         check('stageId', 'none', null, true)],
  [bare, `stageId=${other}`,                                     check('stageId', other, null, false)],
  [full, `assigneeId=${id('user', 2)}`,                          check('assigneeId', id('user', 2), id('user', 2), true)],
  [full, `assigneeId=${id('user', 1)}`,                          check('assigneeId', id('user', 1), id('user', 2), false)],
  [bare, 'assigneeId=none',                                      check('assigneeId', 'none', null, true)],
  [full, 'priority=high',                                        check('priority', 'high', 'high', true)],
  [full, 'priority=none',                                        check('priority', 'none', 'high', false)],
  [bare, 'priority=none',                                        check('priority', 'none', 'none', true)],
  [full, 'minVersion=1',                                         check('minVersion', 1, 2, true)],
  [full, 'minVersion=2',                                         check('minVersion', 2, 2, true)],
  [full, 'minVersion=3',                                         check('minVersion', 3, 2, false)],
  [full, `completedAfter=${at}`,                                 check('completedAfter', at, at, true)],
  [full, 'completedAfter=2026-02-01T12:00:00.001%2B02:00',       check('completedAfter', '2026-02-01T10:00:00.001Z', at, true)],
  [full, 'completedAfter=2026-02-01T10:00:00.0010001Z',          check('completedAfter', '2026-02-01T10:00:00.002Z', at, false)],
  [full, 'completedAfter=2026-02-01T10:00:00.002Z',              check('completedAfter', '2026-02-01T10:00:00.002Z', at, false)],
  [full, 'completedAfter=2026-02-01',                            check('completedAfter', '2026-02-01T00:00:00.000Z', at, true)],
  [full, 'completedAfter=2026-02-02',                            check('completedAfter', '2026-02-02T00:00:00.000Z', at, false)],
  [bare, 'completedAfter=2026-02-01',                            check('completedAfter', '2026-02-01T00:00:00.000Z', null, false)],
]

await change(`
  insert into workgate.tasks (project_id, id, title, stage_id, assignee_id, priority, state, completed_at)
  values ('${web}', '${full}', 'Full', '${id('stage', 3)}', '${id('user', 2)}', 'high', 'completed', '2026-02-01T10:00:00.001Z');
  insert into workgate.tasks (project_id, id, title) values ('${web}', '${bare}', 'Bare');
  update workgate.tasks set title = 'Filled' where id = '${full}'`)
digest = (await workgate.send(`GET ${pathOf(full).replace('/verification', '')}`, { key })).body.data.digest

describe('one expectation', () => {
  for (const [taskId, query, expected] of checks) {
    test(`${query} of the ${taskId === full ? 'full' : 'bare'} task`, async () => {
      const { status, body } = await verify(taskId, query)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(briefly(body.data.checks), [expected])
      assert.equal(body.data.verified, expected.ok)
    })
  }

  test('a digest, in any case', async () => {
    for (const [given, ok] of [
      [digest, true],
      [`sha256:${digest.slice(7).toUpperCase()}`, true],
      [zeros, false],
    ] as const) {
      const { data } = (await verify(full, `digest=${given}`)).body
      assert.deepEqual([briefly(data.checks), data.verified], [[check('digest', ok ? digest : given, digest, ok)], ok])
    }
  })
})

test('the response has all checks, the state and the last change', async () => {
  const expected = `completedAfter=2026-01-01&minVersion=2&state=open&wait=0`
  const { data } = (await verify(full, expected)).body
  const { history } = (await workgate.send(`GET ${pathOf(full).replace('/verification', '')}`, { key })).body.data
  assert.deepEqual(
    { ...data, checks: briefly(data.checks) },
    {
      taskId: full,
      verified: false,
      checks: [
        check('state', 'open', 'completed', false),
        check('completedAfter', '2026-01-01T00:00:00.000Z', at, true),
        check('minVersion', 2, 2, true),
      ],
      version: 2,
      state: 'completed',
      digest,
      lastChange: history.items[0],
    },
  )
  assert.deepEqual(data.lastChange.changes, { title: { from: 'Full', to: 'Filled' } })
})

// prettier-ignore
const refused: [query: string, name: string, message: RegExp][] = [
  ['',                                    '?',              /^Give at least one expectation, such as state=completed\. See /],
  ['wait=1',                              '?',              /^Give at least one/],
  ['state=open,completed',                'state',          /^must be one of open, completed, cancelled$/],
  ['state=open&state=open',               'state',          /once/],
  [`stageId=${id('stage', 1)},none`,      'stageId',        /^must be a UUID/],
  ['minVersion=0',                        'minVersion',     /^must be an integer between 1 and 999999999999999$/],
  [`digest=${'0'.repeat(64)}`,            'digest',         /^must be sha256: followed by 64 hex digits$/],
  ['completedAfter=yesterday',            'completedAfter', /^must be a time such as/],
  ['state=open&wait=30.001',              'wait',           /^must be a number of seconds between 0 and 30, with up to three decimals$/],
  ['state=open&wait=1.0001',              'wait',           /^must be a number of seconds/],
  ['stateId=open',                        'stateId',        /did you mean/],
]

describe('refused', () => {
  for (const [query, name, message] of refused) {
    test(`?${query}`, async () => assertRefused(await verify(full, query), name, message))
  }
})

/** Sends a long poll with the maximum wait, so that only the change can end it, and then makes the change. */
async function waitForChange(
  query: string,
  statement: () => Promise<unknown>,
  by = key,
  taskId = bare,
): Promise<Reply> {
  let isOver = false
  const waiting = verify(taskId, `${query}&wait=30`, by).finally(() => (isOver = true))
  await letWatcherCheck()
  assert.ok(!isOver, 'the request waits')
  const began = performance.now()
  await statement()
  const reply = await waiting
  assert.ok(performance.now() - began < 15_000, 'the wait ends before half of its time is over')
  return reply
}

/** Gives the watcher time to check the task. */
const letWatcherCheck = () => verify(full, 'state=open&wait=0.15')

const update = (values: string) => () => change(`update workgate.tasks set ${values} where id = '${bare}'`)

// prettier-ignore
const waits: [query: string, statement: () => Promise<unknown>][] = [
  ['state=completed',               update(`state = 'completed'`)],
  ['state=open',                    update(`state = 'open'`)],
  [`stageId=${id('stage', 2)}`,     update(`stage_id = '${id('stage', 2)}'`)],
  ['stageId=none',                  update(`stage_id = null`)],
  [`assigneeId=${id('user', 1)}`,   update(`assignee_id = '${id('user', 1)}'`)],
  ['priority=urgent',               update(`priority = 'urgent'`)],
  ['completedAfter=2026-02-01',     update(`state = 'completed', completed_at = '2026-02-01'`)],
]

describe('waiting', { concurrency: false }, () => {
  for (const [query, statement] of waits) {
    test(`for ${query} ends with a change by SQL`, async () => {
      const { status, body } = await waitForChange(query, statement)
      assert.deepEqual([status, body.data.verified], [200, true])
      assert.equal(body.data.lastChange.channel, 'sql')
    })
  }

  test('for a version ends with the change that reaches it, whatever it changes', async () => {
    const { version } = (await verify(bare, 'minVersion=1')).body.data
    const { body } = await waitForChange(`minVersion=${version + 2}`, async () => {
      await update(`title = 'One'`)()
      await letWatcherCheck()
      await update(`title = 'Two'`)()
    })
    assert.deepEqual([body.data.verified, body.data.version], [true, version + 2])
    assert.deepEqual(body.data.lastChange.changes, { title: { from: 'One', to: 'Two' } })
  })

  test('for a digest ends with a change outside the row of the task', async () => {
    const before = (await verify(bare, 'minVersion=1')).body.data.digest
    await change(`insert into workgate.comments (project_id, task_id, body) values ('${web}', '${bare}', 'x')`)
    const { body } = await waitForChange(`digest=${before}`, () =>
      change(`delete from workgate.comments where task_id = '${bare}'`),
    )
    assert.deepEqual([body.data.verified, body.data.digest], [true, before])
  })

  test('for a version ends when a tag of the task is renamed', async () => {
    await change(`
      insert into workgate.tags (project_id, id, name) values ('${web}', '${bare}', 'old');
      insert into workgate.task_tags values ('${web}', '${bare}', '${bare}')`)
    const { version, digest } = (await verify(bare, 'minVersion=1')).body.data
    const { body } = await waitForChange(`minVersion=${version + 1}`, () =>
      change(`update workgate.tags set name = 'new' where id = '${bare}'`),
    )
    assert.deepEqual([body.data.verified, body.data.version], [true, version + 1])
    assert.deepEqual(body.data.lastChange.changes, { tags: { from: ['old'], to: ['new'] } })
    assert.notEqual(body.data.digest, digest)
    await change(`delete from workgate.tags where id = '${bare}'`)
  })

  test('for several expectations ends when all are met at once', async () => {
    const { body } = await waitForChange('priority=low&stageId=none', async () => {
      await update(`priority = 'low', stage_id = '${id('stage', 2)}'`)()
      await letWatcherCheck()
      await update(`stage_id = null`)()
    })
    assert.deepEqual([body.data.verified, body.data.checks.length], [true, 2])
  })

  test('ends with a write through the API, which the history then shows', async () => {
    const { body } = await waitForChange('state=cancelled', update(`state = 'cancelled', completed_at = null`))
    assert.equal(body.data.state, 'cancelled')
    await update(`state = 'open'`)()
    const { data } = (
      await waitForChange('state=completed', () =>
        workgate.send(`POST /projects/${web}/tasks/${bare}/complete`, { key }),
      )
    ).body
    assert.deepEqual(
      [data.verified, data.lastChange.channel, data.lastChange.actor],
      [true, 'api', { keyId: key.slice(3, 15), name: 'reader' }],
    )
  })

  test('does not begin if all expectations are met', async () => {
    const { body } = await verify(full, 'state=completed&wait=30')
    assert.equal(body.data.verified, true)
  })

  test('ends when the time is over, not before, with the state at that time', async () => {
    const began = performance.now()
    const waiting = verify(bare, 'state=cancelled&wait=2')
    await letWatcherCheck()
    await change(`update workgate.tasks set title = 'Meanwhile' where id = '${bare}'`)
    const { status, body } = await waiting
    assert.ok(performance.now() - began >= 2_000)
    assert.deepEqual([status, body.data.verified], [200, false])
    assert.deepEqual(body.data.lastChange.changes.title.to, 'Meanwhile')
    assert.equal(body.data.digest, (await verify(bare, 'minVersion=1')).body.data.digest)
  })

  test('works for HEAD', async () => {
    const { status } = await workgate.send(`HEAD ${pathOf(full)}?state=open&wait=0.1`, { key })
    assert.equal(status, 200)
  })

  // prettier-ignore
  const refusals: [what: string, statement: (name: string) => string, status: number, code: string][] = [
    ['revoked',                (name) => `select workgate.revoke_key('${name}')`,                                    401, 'KEY_REVOKED'],
    ['expired',                (name) => `update workgate.api_keys set expires_at = now() where name = '${name}'`,   401, 'KEY_EXPIRED'],
    ['denied the project',     (name) => `select workgate.set_key_projects('${name}', array['${app}']::uuid[])`,     403, 'ACCESS_DENIED'],
  ]
  for (const [what, statement, status, code] of refusals) {
    for (const [end, query, last] of [
      ['the change is made', 'priority=medium', update(`priority = 'medium'`)],
      ['the time is up', 'priority=low&wait=2', async () => {}],
      [
        'the task is deleted',
        'priority=low',
        () => change(`delete from workgate.tasks where id = '${id('task', 12)}'`),
      ],
    ] as const) {
      test(`with a key that is ${what} in the meantime gets ${status} when ${end}`, async () => {
        const name = `${what} ${end}`
        const narrow = await workgate.issueKey(name, { projects: [web] })
        await update(`priority = 'none'`)()
        await change(
          `insert into workgate.tasks (project_id, id, title) values ('${web}', '${id('task', 12)}', 'x') on conflict do nothing`,
        )
        const taskId = end === 'the task is deleted' ? id('task', 12) : bare
        const waiting = verify(taskId, query.includes('wait') ? query : `${query}&wait=30`, narrow)
        await letWatcherCheck()
        await change(statement(name))
        await last()
        const { body, status: answered } = await waiting
        assert.deepEqual([answered, body.code], [status, code])
      })
    }
  }

  for (const [query, claim] of [
    ['state=cancelled', 'a field of the task'],
    [`digest=${zeros}`, 'the digest'],
  ] as const) {
    test(`for ${claim} ends with 410 when the task is deleted`, async () => {
      const taskId = id('task', 13)
      await change(`insert into workgate.tasks (project_id, id, title) values ('${web}', '${taskId}', 'x')`)
      const gone = () => change(`delete from workgate.tasks where id = '${taskId}'`)
      const { status, body } = await waitForChange(query, gone, key, taskId)
      assert.deepEqual([status, body.code, body.deletion.taskId], [410, 'TASK_DELETED', taskId])
    })
  }

  test('ends when another task gets the id, at the same version', async () => {
    const taskId = id('task', 14)
    await change(`insert into workgate.tasks (project_id, id, title) values ('${web}', '${taskId}', 'x')`)
    const replace = () =>
      change(`
        delete from workgate.tasks where id = '${taskId}';
        insert into workgate.tasks (project_id, id, title, state, completed_at)
        values ('${web}', '${taskId}', 'y', 'completed', '2026-02-01')`)
    const { body } = await waitForChange('state=completed', replace, key, taskId)
    assert.deepEqual([body.data.verified, body.data.version], [true, 1])
  })

  test('is limited: a key that waits in half of the MAX_WAITERS places gets 503 until a waiting request ends', async () => {
    const client = new AbortController()
    const other = await workgate.issueKey('other')
    const third = await workgate.issueKey('third')
    const hold = async (by = key) => {
      const reply = await verify(bare, 'state=cancelled&wait=30', by, client.signal).catch(() => undefined)
      if (reply?.status === 503) await hold(by)
    }
    const isFull = async (by = key) => (await verify(bare, 'state=cancelled&wait=1', by)).status === 503
    const waits = [hold(), hold()]
    await until(isFull)
    assert.equal(await isFull(other), false, 'another key gets a place')
    waits.push(hold(other))
    await until(() => isFull(third))
    const { body, headers } = await verify(bare, 'state=cancelled&wait=30')
    assert.deepEqual([body.code, headers['retry-after']], ['UNAVAILABLE', '1'])
    assert.equal((await verify(bare, 'state=cancelled')).status, 200, 'a request that does not wait succeeds')
    const began = performance.now()
    client.abort()
    await Promise.all(waits)
    assert.ok(performance.now() - began < 15_000, 'the wait ends before half of its time is over')
    await until(async () => (await verify(bare, 'state=cancelled&wait=1')).status === 200)
  })
})

async function until(holds: () => Promise<boolean>) {
  for (let tries = 0; !(await holds()); tries++) assert.ok(tries < 1_000, 'the condition is met within 1,000 tries')
}

test('an expected own field that is not declared, or has an operator, is refused by its name', async () => {
  await workgate.sql`select workgate.add_field('ofApp', 'text', ${app})`
  // prettier-ignore
  const refused: [query: string, name: string, message: string][] = [
    ['fields.sprnt=A',                    'fields.sprnt',  'is not declared here; see /docs/own-fields'],
    ['state=open&fields.ofApp=A',         'fields.ofApp',  'is not declared here; see /docs/own-fields'],
    ['fields.size>=1',                    'fields.size>',  'must be fields.NAME of an own field, with ='],
    ['fields.size=1&fields.size=2',       'fields.size',   'is given more than once, but takes only one value'],
  ]
  for (const [query, name, message] of refused) {
    const { status, body } = await verify(full, query)
    assert.deepEqual([status, body.errors?.[0]], [400, { in: 'query', name, message }], query)
  }
})
