// One key sends many costly requests at once: the requests of another key succeed.

import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { test } from 'node:test'
import { recordAttack } from '../../support/figures.ts'
import { api, issueKey } from '../../support/workgate.ts'
import { ask } from './ask.ts'
import { assertBounded, describeDelay } from './delays.ts'
import { prepare, project, startPostgres, startService } from './stage.ts'

const connections = 60
const lists = 200

test(`costly searches on ${connections} connections of one key delay another key little`, async (t) => {
  const server = await startPostgres(t)
  const { sql, key: greedy } = await prepare(t, server.url('postgres'))
  await sql`
    insert into workgate.tasks (project_id, title, state)
    select ${project}, 'some words ' || n, 'open' from generate_series(1, 20000) n`
  await sql`analyze workgate.tasks`
  const victim = await issueKey(sql, 'victim')
  const service = await startService(t, { DATABASE_URL: server.url('postgres') })
  const tasks = `${service.url}${api}/projects/${project}/tasks`
  let requests = 0
  // Every request is different, so none is served from the cache.
  const different = () =>
    `updatedAfter=2020-01-01T00:00:00.${String(++requests % 1000).padStart(3, '0')}Z&limit=${(requests % 50) + 1}`

  /** Lists tasks with the key of the victim, one request at a time. Returns the times in milliseconds. */
  async function listTasks(count: number): Promise<number[]> {
    const agent = new Agent({ keepAlive: true })
    const times: number[] = []
    for (let n = 0; n < count; n++) {
      const began = performance.now()
      const { status, body } = await ask(`${tasks}?${different()}`, { key: victim, agent })
      assert.equal(status, 200, JSON.stringify(body))
      times.push(performance.now() - began)
    }
    agent.destroy()
    return times
  }

  await listTasks(lists / 2)
  const alone = await listTasks(lists / 2)
  let isOver = false
  const statuses: Record<number, number> = {}
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const search = async () => {
    while (!isOver) {
      const { status } = await ask(`${tasks}?q=some%20words&sort=-dueDate&${different()}`, { key: greedy, agent })
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const greedySearches = Promise.all(Array.from({ length: connections }, search))
  const attacked = await listTasks(lists).finally(() => (isOver = true))
  await greedySearches
  agent.destroy()
  alone.push(...(await listTasks(lists / 2)))
  recordAttack(
    `Costly searches on ${connections} connections of one key`,
    'the key may use 2 of 10 database connections while another key is active; requests of others succeed',
    { 'requests of another key': `${attacked.length}, all 200`, ...describeDelay(attacked, alone) },
  )
  assertBounded(attacked, alone)
  assert.ok(statuses[200]! > 0, JSON.stringify(statuses))
})
