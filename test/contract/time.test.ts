// The time of a project: figures computed by hand. test/analytics compares random ranges with the list of time entries.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old } from '../support/data.ts'
import { assertRefused } from '../support/refused.ts'

const { workgate, key } = await contractSuite({ data: 'basic' })

const newYear = id('project', 11)
const crowd = id('project', 14)
const recent = id('project', 15)
const [ada, grace, zoe] = [id('user', 1), id('user', 2), id('user', 4)]
const [alpha, beta, gamma, delta] = [id('task', 11), id('task', 12), id('task', 13), id('task', 14)]

const projects = [newYear, crowd, recent]
await workgate.sql`insert into workgate.projects ${workgate.sql(projects.map((id, n) => ({ id, key: `P${n}`, name: `P${n}` })))}`

type Entry = [task: string | null, user: string, spentOn: string, seconds: number | null, billable?: boolean]

async function insertTasks(project: string, tasks: object[]) {
  await workgate.sql`insert into workgate.tasks ${workgate.sql(tasks.map((task) => ({ project_id: project, ...task })))}`
}

async function insertEntries(project: string, entries: Entry[]) {
  // Entries can start on any day: only the day that the time was spent on counts.
  const rows = entries.map(([task_id, user_id, spent_on, seconds, billable = false]) => ({
    project_id: project,
    task_id,
    user_id,
    spent_on,
    started_at: '2000-01-01T00:00:00Z',
    ended_at: seconds === null ? null : new Date(Date.parse('2000-01-01') + seconds * 1000).toISOString(),
    billable,
  }))
  await workgate.sql`insert into workgate.time_entries ${workgate.sql(rows)}`
}

async function time(project: string, query: string) {
  const { status, body, text } = await workgate.send(`GET /projects/${project}/analytics/time?${query}`, { key })
  assert.equal(status, 200, text)
  return body.data
}

interface Figures {
  totalSeconds: number
  billableSeconds: number
  entries: number
}

const figures = ({ totalSeconds, billableSeconds, entries }: Figures) => [totalSeconds, billableSeconds, entries]
const zeros = { rows: 0, totalSeconds: 0, billableSeconds: 0, entries: 0 }

function assertSumsUp({ rows, other, totals }: { rows: Figures[]; other: Figures; totals: Figures }) {
  const sum = (field: keyof Figures) => [...rows, other].reduce((sum, row) => sum + row[field], 0)
  assert.deepEqual([sum('totalSeconds'), sum('billableSeconds'), sum('entries')], figures(totals))
}

describe('around a new year', () => {
  before(async () => {
    await insertTasks(newYear, [
      { id: alpha, title: 'Alpha', state: 'completed', completed_at: '2026-12-30T12:00Z', estimate_seconds: 3600 },
      { id: beta, title: 'Beta', state: 'completed', completed_at: '2027-01-10T12:00Z', estimate_seconds: 7200 },
      { id: gamma, title: 'Gamma', state: 'completed', completed_at: '2027-01-02T12:00Z', estimate_seconds: null },
    ])
    await insertEntries(newYear, [
      [alpha, grace, '2026-01-01', 340, true],
      [alpha, ada, '2026-12-27', 60, true],
      [alpha, grace, '2026-12-28', 3600, true],
      [gamma, grace, '2027-01-02', null, true],
      [beta, ada, '2027-01-03', 1800],
      [beta, zoe, '2027-01-04', 7200],
      [gamma, ada, '2027-01-04', 1800, true],
      [beta, ada, '2027-01-05', null],
    ])
    await insertTasks(app, [{ id: alpha, title: 'Same id, other project' }])
    await insertEntries(app, [[alpha, ada, '2027-01-01', 60, true]])
  })

  const range = 'from=2026-12-27&to=2027-01-05'
  const all = [14460, 5460, 5]

  // prettier-ignore
  const cases: [claim: string, query: string, rows: [key: string, name: string, totalSeconds: number, billableSeconds: number, entries: number][], totals: number[], running: number][] = [
    ['users, sorted by time',         range,                     [[zoe, 'Zoë Q', 7200, 0, 1], [ada, 'Ada Lovelace', 3660, 1860, 3], [grace, 'grace Hopper', 3600, 3600, 1]], all, 1],
    ['tasks, sorted by time',         `${range}&groupBy=task`,   [[beta, 'Beta', 9000, 0, 2], [alpha, 'Alpha', 3660, 3660, 2], [gamma, 'Gamma', 1800, 1800, 1]], all, 1],
    ['days, including empty ones',    'groupBy=day&from=2027-01-01&to=2027-01-05', [['2027-01-01', '2027-01-01', 0, 0, 0], ['2027-01-02', '2027-01-02', 0, 0, 0], ['2027-01-03', '2027-01-03', 1800, 0, 1], ['2027-01-04', '2027-01-04', 9000, 1800, 2]], [10800, 1800, 3], 1],
    ['weeks begin on Monday and have ISO 8601 names; the first is clipped', `${range}&groupBy=week`, [['2026-12-27', '2026-W52', 60, 60, 1], ['2026-12-28', '2026-W53', 5400, 3600, 2], ['2027-01-04', '2027-W01', 9000, 1800, 2]], all, 1],
    ['a range from January 1 can start in a week of the year before', 'groupBy=week&from=2027-01-01&to=2027-01-04', [['2027-01-01', '2026-W53', 1800, 0, 1]], [1800, 0, 1], 1],
    ['months, clipped at both ends',  `${range}&groupBy=month`,  [['2026-12-27', '2026-12', 3660, 3660, 2], ['2027-01-01', '2027-01', 10800, 1800, 3]], all, 1],
    ['users, billable',               `${range}&billable=true`,  [[grace, 'grace Hopper', 3600, 3600, 1], [ada, 'Ada Lovelace', 1860, 1860, 2]], [5460, 5460, 3], 1],
    ['users, not billable',           `${range}&billable=false`, [[zoe, 'Zoë Q', 7200, 0, 1], [ada, 'Ada Lovelace', 1800, 0, 1]], [9000, 0, 2], 0],
    ['tasks, not billable',           `${range}&billable=false&groupBy=task`, [[beta, 'Beta', 9000, 0, 2]], [9000, 0, 2], 0],
    ['months, billable',              `${range}&billable=true&groupBy=month`, [['2026-12-27', '2026-12', 3660, 3660, 2], ['2027-01-01', '2027-01', 1800, 1800, 1]], [5460, 5460, 3], 1],
    ['one user',                      `${range}&userId=${ada}`,  [[ada, 'Ada Lovelace', 3660, 1860, 3]], [3660, 1860, 3], 0],
    ['tasks of several users',        `${range}&userId=${zoe},${grace}&groupBy=task`, [[beta, 'Beta', 7200, 0, 1], [alpha, 'Alpha', 3600, 3600, 1]], [10800, 3600, 2], 1],
    ['weeks of a user',               `${range}&userId=${ada}&groupBy=week`, [['2026-12-27', '2026-W52', 60, 60, 1], ['2026-12-28', '2026-W53', 1800, 0, 1], ['2027-01-04', '2027-W01', 1800, 1800, 1]], [3660, 1860, 3], 0],
    ['months, billable, of users',    `${range}&userId=${grace},${ada}&groupBy=month&billable=true`, [['2026-12-27', '2026-12', 3660, 3660, 2], ['2027-01-01', '2027-01', 1800, 1800, 1]], [5460, 5460, 3], 1],
    ['running entries of users, not billable', `from=2027-01-02&to=2027-01-06&userId=${grace},${ada}&groupBy=month&billable=false`, [['2027-01-02', '2027-01', 1800, 0, 1]], [1800, 0, 1], 1],
    ['a user of another project has no time', `${range}&userId=${id('user', 5)}`, [], [0, 0, 0], 0],
    ['an unknown user has no time in any month', `${range}&groupBy=month&userId=${id('user', 99)}`, [['2026-12-27', '2026-12', 0, 0, 0], ['2027-01-01', '2027-01', 0, 0, 0]], [0, 0, 0], 0],
  ]

  for (const [claim, query, rows, totals, running] of cases) {
    test(claim, async () => {
      const data = await time(newYear, query)
      assert.deepEqual(
        data.rows.map((row: any) => [row.key, row.name, ...figures(row)]),
        rows,
      )
      assert.deepEqual(data.other, zeros)
      assert.deepEqual(figures(data.totals), totals)
      assert.equal(data.running, running)
      assertSumsUp(data)
    })
  }

  test('the response echoes the parameters, and has no other fields', async () => {
    const parameters = `${range}&groupBy=month&billable=false&userId=${zoe},${ada}`
    const { rows, other, totals, running: _, estimateVsActual, ...echo } = await time(newYear, parameters)
    const billable = { billable: false, userId: [ada, zoe] }
    assert.deepEqual(echo, { from: '2026-12-27', to: '2027-01-05', groupBy: 'month', ...billable })
    assert.deepEqual(Object.keys(rows[0]), ['key', 'name', 'totalSeconds', 'billableSeconds', 'entries'])
    assert.deepEqual(Object.keys(other), ['rows', 'totalSeconds', 'billableSeconds', 'entries'])
    assert.deepEqual(Object.keys(totals), ['totalSeconds', 'billableSeconds', 'entries'])
    assert.deepEqual(Object.keys(estimateVsActual), ['estimatedSeconds', 'actualSeconds', 'ratio', 'tasks'])
  })

  // prettier-ignore
  const estimates: [claim: string, query: string, expected: [estimated: number, actual: number, ratio: number | null, tasks: number]][] = [
    ['of completed tasks, with all time ever tracked on them',  range,                                        [3600, 4000, 1.1111, 1]],
    ['of tasks completed on any day of the range',              'from=2026-12-30&to=2027-01-11&groupBy=week', [10800, 13000, 1.2037, 2]],
    ['do not depend on billable and userId',                    `${range}&billable=false&userId=${zoe}`,      [3600, 4000, 1.1111, 1]],
    ['are zero if the completed tasks have no estimate',        'from=2027-01-02&to=2027-01-03',              [0, 0, null, 0]],
  ]

  for (const [claim, query, expected] of estimates) {
    test(`estimates ${claim}`, async () => {
      const [estimatedSeconds, actualSeconds, ratio, tasks] = expected
      const { estimateVsActual } = await time(newYear, query)
      assert.deepEqual(estimateVsActual, { estimatedSeconds, actualSeconds, ratio, tasks })
    })
  }

  test('a user whose entries were all deleted is in no row', async () => {
    await insertEntries(newYear, [[beta, grace, '2027-02-01', 60]])
    const query = 'from=2027-02-01&to=2027-02-02'
    assert.equal((await time(newYear, query)).rows.length, 1)
    await workgate.sql`delete from workgate.time_entries where spent_on = '2027-02-01'`
    assert.deepEqual((await time(newYear, query)).rows, [])
  })
})

describe('time that belongs to no task', () => {
  const range = 'from=2027-03-01&to=2027-03-02&groupBy=task'
  before(async () => {
    await insertTasks(newYear, [{ id: delta, title: 'Delta', estimate_seconds: 60 }])
    await insertEntries(newYear, [
      [delta, ada, '2027-03-01', 600],
      [null, ada, '2027-03-01', 200, true],
      [null, grace, '2027-03-01', 400],
      [null, grace, '2027-03-01', null],
    ])
  })

  test('is a row without a key and a name, after the task with as many seconds', async () => {
    const { rows, totals, running } = await time(newYear, range)
    assert.deepEqual(
      rows.map((row: any) => [row.key, row.name, ...figures(row)]),
      [
        [delta, 'Delta', 600, 0, 1],
        [null, null, 600, 200, 2],
      ],
    )
    assert.deepEqual([figures(totals), running], [[1200, 200, 3], 1])
  })

  test('is counted in the overview, but not on a task', async () => {
    const before = (await workgate.send(`GET /projects/${newYear}/analytics/overview`, { key })).body.data.time
    await insertEntries(newYear, [[null, ada, '2027-03-02', 50]])
    const after = (await workgate.send(`GET /projects/${newYear}/analytics/overview`, { key })).body.data.time
    assert.deepEqual(after, { ...before, totalSeconds: before.totalSeconds + 50 })
  })

  // prettier-ignore
  const lists: [query: string, taskIds: (string | null)[]][] = [
    ['taskId=none',              [null, null, null]],
    [`taskId=none,${delta}`,     [delta, null, null, null]],
    [`taskId=${delta}`,          [delta]],
    ['taskId=none&running=true', [null]],
    [`taskId=none&userId=${ada}`, [null]],
  ]
  for (const [query, taskIds] of lists)
    for (const path of [`/projects/${newYear}/time-entries?`, `/time-entries?projectId=${newYear}&`])
      test(`GET ${path}${query}`, async () => {
        const day = 'spentAfter=2027-03-01&spentBefore=2027-03-02'
        const { body, text } = await workgate.send(`GET ${path}${query}&${day}`, { key })
        assert.deepEqual(body.data?.map((entry: any) => entry.taskId).sort(), taskIds, text)
      })
})

describe('more rows than the limit', () => {
  before(async () => {
    const tasks = Array.from({ length: 503 }, (_, n) => id('task', n + 1))
    await insertTasks(
      crowd,
      tasks.map((id, n) => ({ id, title: `Task ${n + 1}` })),
    )
    // The first ten have ten seconds each.
    await insertEntries(
      crowd,
      tasks.map((task, n) => [task, ada, '2026-06-01', Math.max(n + 1, 10), n === 8]),
    )
  })

  test('the 500 with the most time are shown, ties by id, and the others are added up', async () => {
    const data = await time(crowd, 'from=2026-06-01&to=2026-06-02&groupBy=task')
    const most = Array.from({ length: 493 }, (_, n) => 503 - n)
    assert.deepEqual(
      data.rows.map((row: any) => row.key),
      [...most, 1, 2, 3, 4, 5, 6, 7].map((n) => id('task', n)),
    )
    assert.deepEqual(data.other, { rows: 3, totalSeconds: 30, billableSeconds: 10, entries: 3 })
    assertSumsUp(data)
  })

  test('all days are shown, however many', async () => {
    const data = await time(crowd, 'from=2026-01-01&to=2029-01-05&groupBy=day')
    assert.equal(data.rows.length, 1_100)
    assert.deepEqual(data.other, zeros)
    assertSumsUp(data)
  })
})

describe('a project without time', () => {
  for (const groupBy of ['user', 'task', 'day', 'week', 'month']) {
    test(`by ${groupBy} has zeros`, async () => {
      const { rows, other, totals, running, estimateVsActual } = await time(
        old,
        `groupBy=${groupBy}&from=2026-01-05&to=2026-01-06`,
      )
      const name = { day: '2026-01-05', week: '2026-W02', month: '2026-01' }[groupBy]
      const { rows: _, ...nothing } = zeros
      assert.deepEqual(rows, name === undefined ? [] : [{ key: '2026-01-05', name, ...nothing }])
      assert.deepEqual([other, totals, running], [zeros, nothing, 0])
      assert.deepEqual(estimateVsActual, { estimatedSeconds: 0, actualSeconds: 0, ratio: null, tasks: 0 })
    })
  }
})

test('the default is the last 30 days including today, by user', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await insertTasks(recent, [{ id: alpha, title: 'Recent' }])
  await insertEntries(recent, [
    [alpha, ada, day(-30), 1],
    [alpha, ada, day(-29), 10],
    [alpha, ada, day(0), 100],
    [alpha, ada, day(1), 1000],
  ])
  const { from, to, groupBy, billable, userId, totals } = await time(recent, '')
  assert.deepEqual([from, to, groupBy], [day(-29), day(1), 'user'])
  assert.deepEqual([billable, userId, totals.totalSeconds], [null, null, 110])
})

// prettier-ignore
const refused: [name: string, query: string][] = [
  ['from',     'from=2026-02-30'],
  ['from',     'from=2026-01-01T00:00:00Z'],
  ['from',     'from=9999-01-01'],
  ['to',       'to=tomorrow'],
  ['to',       'from=2026-01-02&to=2026-01-02'],
  ['groupBy',  'groupBy=year'],
  ['groupBy',  'groupBy='],
  ['groupBy',  'groupBy=day&from=2026-01-01&to=2029-01-06'],
  ['groupBy',  'groupBy=month&from=1900-01-01&to=1999-01-01'],
  ['timezone', 'timezone=UTC'],
  ['billable', 'billable=yes'],
  ['userId',   'userId=ada'],
  ['userId',   'userId=none'],
  ['taskId',   `taskId=${alpha}`],
]

for (const [name, query] of refused) {
  test(`${query} is refused, and the error names ${name}`, async () =>
    assertRefused(await workgate.send(`GET /projects/${newYear}/analytics/time?${query}`, { key }), name))
}
