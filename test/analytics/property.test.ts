// Whatever clients do at the same time, the four endpoints of analytics say what the rows say: after each round
// everything is compared with a plain computation of all rows, and with what the lists give. While the clients write,
// each answer must add up in itself.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { chooser } from '../support/random.ts'
import { openWorkgate, post, type Workgate } from '../support/writes.ts'
import { openClient, race, write, type Tally } from './clients.ts'
import { addsUp, compareProgress, summaryAddsUp } from './compare.ts'
import { overviewFigures, progressFigures, timeFigures, type Figure } from './figures.ts'
import { range } from './moments.ts'
import { operations } from './operations.ts'
import { overviewOf, summaryOf, totalsOf, type SummaryQuery } from './oracle.ts'
import { today } from './oracle-days.ts'
import { progressOf, timeIn, type ProgressQuery, type TimeQuery } from './oracle-ranges.ts'
import { projectsIn, readTables, sum, type Project, type Row } from './oracle-rows.ts'
import { hidden, insertWorld, large, lasting, small, userIds } from './world.ts'

const rounds = 5
const writers = 5
const transactionsEach = 14
const racesEach = 25
const rangesEach = 4

const choice = chooser(8128)
const { below, chance, pick, some, times } = choice
const tally: Tally = new Map()
const gone = new Set<string>()
let workgate: Workgate
let keyForAll: string
let keyForSome: string

before(async () => {
  workgate = await openWorkgate({ LOG_LEVEL: 'error' })
  await insertWorld(workgate.sql)
  keyForAll = await workgate.issueKey('all')
  const operations = ['create_project', 'create_task', 'complete_task']
  keyForSome = await workgate.issueKey('some', { projects: [large, small], operations })
})
after(() => workgate.close())

// Asking

const pathOf = (project: string, name: string) => `/projects/${project}/analytics/${name}`
const withQuery = (path: string, query: object) => `${path}?${new URLSearchParams(query as Record<string, string>)}`

async function ask(path: string, key = keyForAll): Promise<Row> {
  const { status, text, body } = await workgate.send(`GET ${path}`, { key })
  assert.equal(status, 200, `${path}\n${text}`)
  return body
}

const progressQuery = (): ProgressQuery => ({
  ...range(choice),
  ...(chance(0.8) && { interval: pick(['day', 'week', 'month'] as const) }),
})
const timeQuery = (): TimeQuery => ({
  ...range(choice),
  ...(chance(0.8) && { groupBy: pick(['user', 'task', 'task', 'day', 'week', 'month'] as const) }),
  ...(chance(0.3) && { billable: pick(['true', 'false'] as const) }),
  ...(chance(0.3) && { userId: [...new Set([pick(userIds), ...some(userIds, 5)])].join(',') }),
})

// While they write

async function writeByApi(round: number) {
  const task = { title: 'By request', estimateSeconds: 600, priority: 'high' }
  const send = async (name: string, path: string, body?: unknown) => {
    const { status, text } = await post(workgate, pick([keyForAll, keyForSome]), path, body)
    assert.ok([200, 201, 403, 404, 409].includes(status), `${path}: ${text}`)
    if (status < 300) tally.set(name, 1 + (tally.get(name) ?? 0))
  }
  for (let n = 0; n < 15; n++) {
    const project = pick([large, small])
    await send('create a task by request', `/projects/${project}/tasks`, task)
    const [open] = await workgate.sql`
      select id from workgate.tasks where project_id = ${project} and state = 'open' order by id desc offset ${below(9)} limit 1`
    if (open) await send('complete a task by request', `/projects/${project}/tasks/${open['id']}/complete`)
  }
  await send('create a project by request', '/projects', { name: `Round ${round}`, ownerId: pick(userIds) })
}

/** Projects may come and go under it. */
async function readMeanwhile(until: { over: boolean }) {
  let answers = 0
  while (!until.over) {
    const others = await workgate.sql`select id from workgate.projects where id <> all (${lasting}) limit 3`
    const project = pick([...lasting, ...lasting, ...others.map(({ id }) => id as string)])
    const name = pick(Object.keys(addsUp))
    const query = name === 'progress' ? progressQuery() : name === 'time' ? timeQuery() : {}
    const path = withQuery(pathOf(project, name), query)
    const { status, text, body } = await workgate.send(`GET ${path}`, { key: keyForAll })
    if (status === 404 && !lasting.includes(project)) continue
    assert.equal(status, 200, `${path}\n${text}`)
    addsUp[name]!(body.data, path)
    if (chance(0.2)) summaryAddsUp(await ask('/projects/summary?limit=200'), 'summary')
    answers++
  }
  assert.ok(answers > 0)
}

async function writeRound(round: number) {
  const until = { over: false }
  const reading = readMeanwhile(until)
  const clients = times(writers + 4, () => openClient(workgate.url))
  const seed = round * 100
  const racers = [0, 1].map(async (n) => {
    const [left, right] = clients.splice(-2) as [typeof workgate.sql, typeof workgate.sql]
    const choice = chooser(seed + 50 + n)
    for (let at = 0; at < racesEach; at++) await race(left, right, choice, tally)
    await Promise.all([left.end(), right.end()])
  })
  const writing = clients.map(async (client, n) => {
    await write(client, chooser(seed + n), transactionsEach, tally, n === 0 && round % 2 === 0)
    await client.end()
  })
  try {
    await Promise.all([...writing, ...racers, writeByApi(round)])
  } finally {
    until.over = true
    await reading
  }
}

// When they are done

async function compareProject(id: string, project: Project, day: string) {
  const overview = await ask(pathOf(id, 'overview'))
  assert.deepEqual(overview, { data: overviewOf(project, day) }, `overview of ${id}`)
  addsUp['overview']!(overview['data'], `overview of ${id}`)
  const sampled = id === small || (id === large && chance(0.5))
  if (sampled) await compareWithLists(id, overviewFigures(choice, overview['data'], day))
  for (const query of times(rangesEach, progressQuery)) {
    const path = withQuery(pathOf(id, 'progress'), query)
    const progress = await ask(path)
    compareProgress(progress['data'], progressOf(project, query, day), day, path)
    addsUp['progress']!(progress['data'], path)
    assert.deepEqual(await ask(path), progress, `${path}, asked again`)
    if (sampled) await compareWithLists(id, progressFigures(choice, progress['data']))
  }
  for (const query of times(rangesEach, timeQuery)) {
    const path = withQuery(pathOf(id, 'time'), query)
    const time = await ask(path)
    assert.deepEqual(time, { data: timeIn(project, query, day) }, path)
    if (sampled) await compareWithLists(id, timeFigures(choice, time['data']))
  }
}

async function compareWithLists(project: string, figures: Figure[]) {
  for (const { says, list, of } of figures) {
    const rows: Row[] = []
    let cursor: string | null = null
    do {
      const path = `/projects/${project}/${list}${list.includes('?') ? '&' : '?'}limit=200`
      const { data, meta } = await ask(cursor === null ? path : `${path}&cursor=${cursor}`)
      rows.push(...data)
      cursor = meta.nextCursor
    } while (cursor !== null)
    assert.equal(says, of ? sum(rows.map(of)) : rows.length, `${list} of ${project}`)
  }
}

async function compareSummary(projects: Project[], key: string, day: string) {
  const totals = totalsOf(projects, day)
  const queries: SummaryQuery[] = [
    {},
    ...['lastActivityAt', 'name', '-name'].map((sort) => ({ sort })),
    { status: 'archived' },
    { status: 'active', q: pick(['alp', 'Two', 'round', 'nothing']) },
  ]
  for (const query of queries) {
    const expected = summaryOf(projects, query, day)
    const found: Row[] = []
    const limit = Math.max(1, below(expected.length))
    let cursor: string | null = null
    do {
      const page = await ask(withQuery('/projects/summary', { ...query, limit, ...(cursor && { cursor }) }), key)
      assert.deepEqual(page['totals'], totals, JSON.stringify(query))
      cursor = page['meta'].nextCursor
      assert.deepEqual(page['meta'], { limit, nextCursor: cursor, hasMore: cursor !== null }, JSON.stringify(query))
      found.push(...page['data'])
    } while (cursor !== null)
    assert.deepEqual(found, expected, JSON.stringify(query))
  }
}

async function compareAll() {
  const day = today()
  const projects = projectsIn(await readTables(workgate.sql))
  for (const [id, project] of projects) if (lasting.includes(id) || chance(0.3)) await compareProject(id, project, day)
  await compareSummary([...projects.values()], keyForAll, day)
  const [reach] = await workgate.sql`select project_ids from workgate.api_keys where name = 'some'`
  const reached = reach!['project_ids'].flatMap((id: string) => projects.get(id) ?? [])
  await compareSummary(reached, keyForSome, day)
  for (const id of projects.keys()) gone.add(id)
  for (const id of gone) assert.deepEqual([...(await workgate.sql`select * from workgate.recount(${id})`)], [], id)
}

/** What is overdue, and what the last days are, changes at midnight: then it is compared on the new day. */
async function compareOnOneDay() {
  const day = today()
  await compareAll().catch(async (error: unknown) => {
    if (day === today()) throw error
    await compareAll()
  })
}

test('the figures of rows that were loaded at once are what the rows say', compareOnOneDay)

for (let round = 1; round <= rounds; round++) {
  test(`the figures are what the rows say after round ${round} of clients writing at the same time`, async () => {
    await writeRound(round)
    await compareOnOneDay()
  })
}

test('every operation was committed somewhere, and both sides of races, rollbacks and refusals happened', () => {
  const names = [...Object.keys(operations), 'race', 'rollback', 'truncate', 'delete a project']
  const requests = ['create a task by request', 'complete a task by request', 'create a project by request']
  assert.deepEqual(
    [...names, ...requests].filter((name) => !tally.has(name)),
    [],
  )
  assert.ok((tally.get('40001') ?? 0) + (tally.get('40P01') ?? 0) > 0, 'nobody stood in the way of another')
})

test('a key for other projects reaches nothing', async () => {
  for (const name of Object.keys(addsUp)) {
    const { status } = await workgate.send(`GET ${pathOf(hidden, name)}`, { key: keyForSome })
    assert.equal(status, 403, name)
  }
})
