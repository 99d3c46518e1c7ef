// Writes that the database cannot execute get 503, and write nothing, then or later. Statements aborted by a deadlock
// are retried.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { id, web } from '../support/data.ts'
import { run } from '../support/environment.ts'
import { lockTasks, untilBlocked, whileLocked } from '../support/locks.ts'
import { post } from '../support/writes.ts'
import { withSql, type Reply } from '../support/workgate.ts'
import { until } from './fixtures/embedded.ts'

const { workgate, key } = await contractSuite({
  data: 'basic',
  key: { name: 'writer' },
  environment: { STATEMENT_TIMEOUT_MS: '4000', DATABASE_POOL: '2' },
  target: 'process',
})

const tasks = `/projects/${web}/tasks`
const create = (title: string, more = {}) => post(workgate, key, tasks, { title, ...more }, { 'idempotency-key': title.replaceAll(' ', '-') }) // prettier-ignore
const rowsOf = async (title: string) => (await workgate.sql`select from workgate.tasks where title = ${title}`).length

function assertUnavailable({ status, headers, body }: Reply) {
  assert.deepEqual([status, body.code, headers['retry-after']], [503, 'UNAVAILABLE', '1'])
}

/** Changes a setting of the database for new connections. Uses another database, whose connections stay unaffected. */
async function setForAll(setting: string) {
  const name = new URL(workgate.url).pathname.slice(1)
  await withSql(run().server, async (admin) => {
    await admin.unsafe(`alter database ${name} ${setting}`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name} and application_name like 'workgate%'`
  })
  // Twice, because there are two connections and each may have to fail first.
  for (let n = 0; n < 2; n++) await until('reading works', async () => (await reading()) === 200)
}

const reading = async () => (await workgate.send(`GET /projects/${web}`, { key })).status

describe('a write gets 503 and writes nothing', () => {
  test('while the database is read-only; reads succeed, and so do writes once it is writable', async () => {
    await setForAll('set default_transaction_read_only = on')
    assertUnavailable(await create('read only'))
    assert.equal(await reading(), 200)
    assertUnavailable(await post(workgate, key, `${tasks}/${id('task', 1)}/complete`))
    await setForAll('reset default_transaction_read_only')
    assert.equal((await create('read only')).status, 201)
    assert.equal(await rowsOf('read only'), 1)
  })

  test('when it waits for a lock for a quarter of the statement timeout', async () => {
    await whileLocked(workgate.sql, lockTasks(web), async () => assertUnavailable(await create('locked')))
    assert.equal(await rowsOf('locked'), 0)
    assert.equal((await create('locked')).status, 201)
  })

  test('when its connection is terminated while it runs', async () => {
    await whileLocked(workgate.sql, lockTasks(web), async () => {
      const creating = create('ended')
      await until('the write waits', async () => {
        const ended = await workgate.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`
        return ended.length > 0
      })
      assertUnavailable(await creating)
    })
    assert.equal(await rowsOf('ended'), 0)
  })
})

test('a write aborted by a deadlock with another writer is retried', async () => {
  // PostgreSQL checks for a deadlock once per wait: here after the other writer has joined, and before the statement
  // timeout.
  await setForAll(`set deadlock_timeout = '600ms'`)
  const other = await workgate.sql.reserve()
  await other`set deadlock_timeout = '10min'`
  await other`begin`
  await other`select from workgate.project_members where project_id = ${web} and user_id = ${id('user', 2)} for update`
  const creating = create('deadlock', { assigneeId: id('user', 2) })
  await untilBlocked(workgate.sql)
  // The new task holds the counter and waits for the member; this one holds the member and waits for the counter.
  await other`insert into workgate.tasks (project_id, title) values (${web}, 'the other one')`
  await other`commit`
  other.release()
  assert.equal((await creating).status, 201)
  assert.deepEqual([await rowsOf('deadlock'), await rowsOf('the other one')], [1, 1])
})

test('a read aborted by a deadlock is retried', async () => {
  await setForAll(`set deadlock_timeout = '600ms'`)
  const other = await workgate.sql.reserve()
  await other`set deadlock_timeout = '10min'`
  await other`begin`
  await other`lock table workgate.users in access exclusive mode`
  const reading = workgate.send(`GET /projects/${web}/users`, { key })
  await untilBlocked(workgate.sql)
  const held = await workgate.sql`
    select from pg_locks where relation = 'workgate.project_members'::regclass`
  assert.ok(held.length > 0)
  // The read holds the members and waits for the users; this one holds the users and waits for the members.
  await other`lock table workgate.project_members in access exclusive mode`
  await other`commit`
  other.release()
  assert.equal((await reading).status, 200)
})
