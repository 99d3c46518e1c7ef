// While clients write concurrently, the four analytics endpoints match the rows: after each round every figure is
// compared with a plain computation over all rows, and with the lists. While the clients write, the figures of each
// response must add up.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { contractSuite } from '../support/contract-suite.ts'
import { rounds } from '../support/environment.ts'
import { inPlaceOf } from '../support/places.ts'
import { chooser } from '../support/random.ts'
import { post } from '../support/writes.ts'
import { openClient, race, write, type Tally } from './concurrent-writers.ts'
import { addsUp, summaryAddsUp } from './compare.ts'
import { progressQuery, timeQuery } from './moments.ts'
import { operations } from './row-operations.ts'
import { verifier, pathOf, withQuery } from './verify.ts'
import { hidden, insertWorld, large, permanent, small, userIds } from './analytics-world.ts'

const roundCount = rounds(1, 4)
const writers = 5
const transactionsEach = 14
const racesEach = 25
const requestsEach = 15

const choice = chooser(8128)
const { below, chance, pick, times } = choice
const tally: Tally = new Map()
const keys = { all: '', some: '' }
const { workgate } = await contractSuite({ environment: { LOG_LEVEL: 'error' } })

async function writeByApi(round: number) {
  const send = async (name: string, path: string, body?: unknown) => {
    const { status, text } = await post(workgate, pick([keys.all, keys.some]), path, body)
    // The project or the task may have been deleted meanwhile.
    assert.ok([200, 201, 404, 409, 410].includes(status), `${path}: ${text}`)
    if (status < 300) tally.set(name, 1 + (tally.get(name) ?? 0))
  }
  for (let n = 0; n < requestsEach; n++) {
    const project = pick([large, small])
    await send('create a task through the API', `/projects/${project}/tasks`, { title: 'Asked', estimateSeconds: 600 })
    const [open] = await workgate.sql`
      select id from workgate.tasks
      where project_id = ${project} and state = 'open' order by id desc offset ${below(9)} limit 1`
    if (open) await send('complete a task through the API', `/projects/${project}/tasks/${open['id']}/complete`)
  }
  await send('create a project through the API', '/projects', { name: `Round ${round}` })
}

/** Sends requests while others write. Projects other than the permanent ones may be deleted at any time. */
async function read(until: { over: boolean }) {
  while (!until.over) {
    const others = await workgate.sql`select id from workgate.projects where id <> all (${permanent}) limit 3`
    const project = pick([...permanent, ...permanent, ...others.map(({ id }) => id as string)])
    const name = pick(Object.keys(addsUp))
    const query = name === 'progress' ? progressQuery(choice) : name === 'time' ? timeQuery(choice, userIds) : {}
    const path = withQuery(pathOf(project, name), query)
    const { status, text, body } = await workgate.send(`GET ${path}`, { key: keys.all })
    if (status === 404 && !permanent.includes(project)) continue
    assert.equal(status, 200, `${path}\n${text}`)
    if (body.data.measure == null) addsUp[name]!(body.data, path)
    if (chance(0.2)) summaryAddsUp(await verify.ask('/projects/summary?limit=200'), 'summary')
    await sleep(below(30))
  }
}

/** Recounts and compacts the tallies while others write: there is never a difference. */
async function recount(until: { over: boolean }) {
  while (!until.over) {
    const project = pick(permanent)
    try {
      const wrong = await inPlaceOf(workgate.sql, project, `select * from workgate.recount('${project}')`)
      assert.deepEqual(wrong, [], `recount of ${project} during writes`)
    } catch (error) {
      // recount reads several tables, and truncate locks them in another order.
      if ((error as { code?: string }).code !== '40P01') throw error
    }
    await sleep(below(200))
  }
}

async function writeRound(round: number) {
  const until = { over: false }
  const seed = round * 100
  const writing = times(writers, async (n) => {
    const client = openClient(workgate.url)
    const finishes = n === 0 && round > roundCount - 2
    await write(client, chooser(seed + n), transactionsEach, tally, finishes)
    await client.end()
  })
  const racing = times(2, async (n) => {
    const [left, right] = [openClient(workgate.url), openClient(workgate.url)]
    const choice = chooser(seed + 50 + n)
    for (let at = 0; at < racesEach; at++) await race(left, right, choice, tally)
    await Promise.all([left.end(), right.end()])
  })
  const writes = Promise.allSettled([...writing, ...racing, writeByApi(round)]).finally(() => (until.over = true))
  const ends = await Promise.all([writes, Promise.allSettled([read(until), recount(until)])])
  for (const end of ends.flat()) if (end.status === 'rejected') throw end.reason
}

await insertWorld(workgate.sql)
keys.all = await workgate.issueKey('all')
keys.some = await workgate.issueKey('some', {
  projects: [large, small],
  operations: ['create_project', 'create_task', 'complete_task'],
})
const verify = verifier(workgate, keys, choice)

test('the figures match rows that were loaded in bulk', async () => {
  await verify.compareAll()
  await verify.recountAll(false)
})

test('percentiles of lead times are whole seconds', async () => {
  const { data } = await verify.ask(`${pathOf(large, 'progress')}?from=2025-01-01&to=2027-12-31`)
  const { p50Seconds, p85Seconds, p95Seconds } = data.leadTime
  const whole = [p50Seconds, p85Seconds, p95Seconds].map(Math.round)
  assert.deepEqual([p50Seconds, p85Seconds, p95Seconds], whole)
})

const untried = () => {
  const names = [...Object.keys(operations), 'race', 'rollback', 'truncate', 'delete a project']
  const requests = [
    'create a task through the API',
    'complete a task through the API',
    'create a project through the API',
  ]
  return [...names, ...requests].filter((name) => !tally.has(name))
}
const conflicts = () => (tally.get('40001') ?? 0) + (tally.get('40P01') ?? 0)

test('the figures match the rows after each round of concurrent writes', async () => {
  // Rounds are random, so they continue until every operation and a conflict occurred.
  for (let round = 1; round <= roundCount || (round < 20 && (untried().length > 0 || conflicts() === 0)); round++) {
    await writeRound(round)
    await verify.compareAll()
    await verify.recountAll(false)
  }
})

test('the figures stay the same when recount compacts the tallies', async () => {
  await verify.recountAll(true)
  await verify.compareAll()
  await verify.recountAll(false)
})

test('every operation was committed, and rollbacks and conflicts occurred', () => {
  assert.deepEqual(untried(), [])
  assert.ok(conflicts() > 0, 'no transactions conflicted')
})

test('a key for other projects is refused with 403', async () => {
  for (const name of Object.keys(addsUp)) {
    const { status } = await workgate.send(`GET ${pathOf(hidden, name)}`, { key: keys.some })
    assert.equal(status, 403, name)
  }
})
