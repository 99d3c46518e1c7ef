// A worker that is killed or hangs: only requests about its projects get 503, until it starts again.

import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { succeeds, until } from '../../faults/fixtures/embedded.ts'
import { onServer, portOf, startCitus } from '../../support/citus.ts'
import { run } from '../../support/environment.ts'
import { atEnd } from '../../support/suite-database.ts'
import { suspend } from '../../support/server.ts'
import { api, command, issueKey } from '../../support/workgate.ts'
import { startWithMetrics } from '../faults/stage.ts'

const cluster = await startCitus(run().postgresBin!)
atEnd(cluster.remove)
const { coordinator, workers } = cluster
const database = 'faults'
const DATABASE_URL = coordinator.url(database)

await cluster.createDatabase(database)
const { code, err } = await command(['distribute', '--shards', '4'], { DATABASE_URL })
assert.equal(code, 0, err)
const [lost, others, key] = await onServer(coordinator, database, async (sql) => {
  await sql`insert into workgate.projects (key, name) select 'P' || n::text, 'Project' from generate_series(10, 29) n`
  await sql`insert into workgate.tasks (project_id, title) select id, 'Task' from workgate.projects`
  const projects = await sql<{ id: string; port: number }[]>`
    select id, nodeport as port
    from workgate.projects
    join citus_shards on shardid = get_shard_id_for_distribution_column('workgate.tasks', id)`
  const on = (isLost: boolean) =>
    projects.filter(({ port }) => (port === portOf(workers[0]!)) === isLost).map(({ id }) => id)
  return [
    on(true),
    on(false),
    await issueKey(sql, 'reader', { operations: ['create_task', 'create_project'] }),
  ] as const
})
const [gone, there] = [lost[0]!, others[0]!]

async function start(t: TestContext, settings: Record<string, string> = {}) {
  const { service, metric } = await startWithMetrics(t, { DATABASE_URL, ...settings })
  const send = async (line: string) => {
    const [method, path] = line.split(' ') as [string, string]
    const body =
      method === 'POST' ? JSON.stringify(path === '/projects' ? { name: 'New' } : { title: 'New' }) : undefined
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
    const url = path === '/readyz' ? `${service.url}${path}` : `${service.url}${api}${path}`
    return (await fetch(url, { method, headers, ...(body && { body }) })).status
  }
  /** By the metrics: whether each server is used, the coordinator first. */
  const usable = async () => {
    const values = await metric('workgate_node_usable')
    return cluster.servers.map((server) => values[new URL(server.url(database)).host])
  }
  return { send, usable }
}

const about = (project: string) => [
  `GET /projects/${project}`,
  `GET /projects/${project}/tasks`,
  `GET /projects/${project}/analytics/overview`,
  `GET /projects/${project}/changes`,
  `POST /projects/${project}/tasks`,
]
const aboutAll = ['GET /projects', 'GET /projects/summary', 'GET /tasks', 'GET /changes', 'POST /projects']

async function expect(send: (line: string) => Promise<number>, states: Record<string, readonly string[]>) {
  const lines = Object.values(states).flat()
  const statuses = await Promise.all(lines.map(send))
  const found: Record<string, string[]> = {}
  for (const [n, line] of lines.entries()) {
    const status = statuses[n]!
    const state = status === 503 ? 'unavailable' : status < 300 ? 'available' : String(status)
    ;(found[state] ??= []).push(line)
  }
  assert.deepEqual(found, states)
}
const all = { available: [...about(gone), ...about(there), ...aboutAll, 'GET /readyz'] }
const withoutOne = { unavailable: [...about(gone), ...aboutAll], available: [...about(there), 'GET /readyz'] }

test('a worker is killed: only its projects are not available until it starts again', async (t) => {
  const { send } = await start(t)
  await expect(send, all)
  for (let times = 0; times < 2; times++) {
    await workers[0]!.stop('SIGKILL')
    await expect(send, withoutOne)
    await until('it starts', () => succeeds(workers[0]!.start()))
    await until('its projects are available', async () => (await send(`GET /projects/${gone}/tasks`)) === 200)
    await until('all projects are available', async () => (await send('GET /tasks')) === 200)
    await expect(send, all)
  }
})

test('projects are created although a worker has closed the connections of the coordinator', async (t) => {
  const { send } = await start(t)
  const createMany = () => Promise.all(Array.from({ length: 20 }, () => send('POST /projects')))
  await createMany()
  for (let times = 0; times < 5; times++) {
    const closed = await onServer(
      workers[0]!,
      database,
      (sql) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'citus_internal%'`,
    )
    assert.ok(closed.length > 1)
    assert.deepEqual(new Set(await createMany()), new Set([201]))
  }
})

test('a worker hangs: only its projects are not available until it responds again', async (t) => {
  const { send, usable } = await start(t, { STATEMENT_TIMEOUT_MS: '2000' })
  await expect(send, all)
  const resume = await suspend(workers[0]!)
  try {
    // Those of others do not wait for it.
    const waiting = Promise.all(Array.from({ length: 50 }, () => send(`GET /projects/${gone}/tasks`)))
    await expect(send, withoutOne)
    assert.deepEqual([...new Set(await waiting)], [503])
    await until('the metrics show it', async () => isDeepStrictEqual(await usable(), [1, 0, 1]))
  } finally {
    resume()
  }
  await until('its projects are available', async () => (await send(`GET /projects/${gone}/tasks`)) === 200)
  await until('all projects are available', async () => (await send('GET /tasks')) === 200)
  await expect(send, all)
  await until('the metrics show it', async () => isDeepStrictEqual(await usable(), [1, 1, 1]))
})

test('a service starts while a worker is stopped', async (t) => {
  await workers[0]!.stop('SIGKILL')
  const { send } = await start(t)
  assert.equal(await send(`GET /projects/${there}/tasks`), 200)
  assert.equal(await send(`GET /projects/${gone}/tasks`), 503)
  await until('it starts', () => succeeds(workers[0]!.start()))
  await until('its projects are available', async () => (await send(`GET /projects/${gone}/tasks`)) === 200)
})

test('the coordinator is killed: nothing is available until it starts again', async (t) => {
  const { send } = await start(t)
  await coordinator.stop('SIGKILL')
  for (const line of [`GET /projects/${there}/tasks`, 'GET /tasks', 'GET /readyz'])
    assert.equal(await send(line), 503, line)
  await until('it starts', () => succeeds(coordinator.start()))
  for (const line of [`GET /projects/${there}/tasks`, 'GET /tasks', 'GET /readyz'])
    await until(`${line} is available`, async () => (await send(line)) === 200)
})
