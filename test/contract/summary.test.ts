// The summary of projects: figures computed by hand, its order, and the projects that each key sees.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compactTallies } from '../support/compact-tallies.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'
import { inPlaces } from '../support/places.ts'

const { workgate } = await contractSuite({ data: 'strangers' })
const keys: Record<string, string> = {}
const deleted = id('project', 4)

const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)
const get = (search = '', key = 'all') => workgate.send(`GET /projects/summary${search}`, { key: keys[key] })

const task = (project_id: string, n: number, state: string, due_date: string | null) => ({
  project_id,
  id: id('task', n),
  title: 'x',
  state,
  due_date,
  completed_at: state === 'completed' ? '2026-03-01' : null,
})
await workgate.sql`insert into workgate.tasks ${workgate.sql([
  task(web, 4, 'completed', '2020-01-01'),
  task(web, 5, 'cancelled', null),
  task(web, 6, 'open', day(-1)),
  task(app, 91, 'completed', null),
  task(app, 92, 'open', day(0)),
])}`
await workgate.sql.unsafe(`
  insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at, updated_at)
  values ('${app}', '${id('task', 90)}', '${id('user', 5)}', '2026-04-01', '2026-04-01T10:00Z', '2026-04-01T10:10Z', '2026-04-02')`)
await inPlaces(
  workgate.sql,
  `alter table workgate.tasks disable trigger user;
  update workgate.tasks set updated_at = '2026-04-01';
  alter table workgate.tasks enable trigger user`,
)
keys['all'] = await workgate.issueKey('all')
keys['two'] = await workgate.issueKey('two', { projects: [app, old] })
await workgate.sql`insert into workgate.projects (id, key, name) values (${deleted}, 'GONE', 'Gone')`
await workgate.sql`insert into workgate.tasks (project_id, title) values (${deleted}, 'x')`
keys['deleted'] = await workgate.issueKey('deleted', { projects: [app, deleted] })
await workgate.sql`delete from workgate.projects where id = ${deleted}`
keys['none'] = await workgate.issueKey('none', { projects: [] })
keys['idle'] = await workgate.issueKey('idle', { operations: [] })

const counts = (total: number, open: number, completed: number, cancelled: number, overdue: number) => ({
  total,
  open,
  completed,
  cancelled,
  overdue,
})
const time = (totalSeconds: number, billableSeconds: number) => ({ totalSeconds, billableSeconds })

// prettier-ignore
const items = {
  web: {
    projectId: web, key: 'WEB', name: 'Web site', status: 'active', dueDate: '2026-12-31',
    tasks: counts(6, 4, 1, 1, 1), progress: 0.2, time: time(12_630, 5_430), lastActivityAt: '2026-04-05T00:00:00.000Z',
  },
  app: {
    projectId: app, key: 'APP', name: 'app for phones', status: 'active', dueDate: null,
    tasks: counts(3, 2, 1, 0, 0), progress: 0.3333, time: time(600, 0), lastActivityAt: '2026-04-04T00:00:00.000Z',
  },
  old: {
    projectId: old, key: 'OLD', name: 'Zeta', status: 'archived', dueDate: null,
    tasks: counts(0, 0, 0, 0, 0), progress: null, time: time(0, 0), lastActivityAt: '2025-06-01T00:00:00.000Z',
  },
}
// prettier-ignore
const totals = {
  all:     { projects: 3, tasks: counts(9, 6, 2, 1, 1), progress: 0.25,   time: time(13_230, 5_430), lastActivityAt: '2026-04-05T00:00:00.000Z' },
  two:     { projects: 2, tasks: counts(3, 2, 1, 0, 0), progress: 0.3333, time: time(600, 0),        lastActivityAt: '2026-04-04T00:00:00.000Z' },
  deleted: { projects: 1, tasks: counts(3, 2, 1, 0, 0), progress: 0.3333, time: time(600, 0),        lastActivityAt: '2026-04-04T00:00:00.000Z' },
  none:    { projects: 0, tasks: counts(0, 0, 0, 0, 0), progress: null,   time: time(0, 0),          lastActivityAt: null },
}

// prettier-ignore
const visible: [key: keyof typeof totals, data: object[]][] = [
  ['all',     [items.web, items.app, items.old]],
  ['two',     [items.app, items.old]],
  ['deleted', [items.app]],
  ['none',    []],
]

describe('the projects of a key', () => {
  for (const [key, data] of visible) {
    test(`the key "${key}" gets only its projects, with totals over them`, async () => {
      const { status, body } = await get('', key)
      assert.equal(status, 200)
      const meta = { limit: 50, nextCursor: null, hasMore: false }
      assert.deepEqual(body, { data, meta, totals: totals[key] })
      assert.deepEqual(Object.keys(body), ['data', 'meta', 'totals'])
    })
  }

  test('the figures equal those of the overviews', async () => {
    for (const { projectId, tasks, progress, time, lastActivityAt } of (await get()).body.data) {
      const path = `GET /projects/${projectId}/analytics/overview`
      const { data } = (await workgate.send(path, { key: keys['all'] })).body
      const { unassigned: _, ...others } = data.tasks
      const { totalSeconds, billableSeconds } = data.time
      assert.deepEqual([others, data.progress, data.lastActivityAt], [tasks, progress, lastActivityAt])
      assert.deepEqual({ totalSeconds, billableSeconds }, time)
    }
  })

  test('the figures are the same after the tallies are compacted', async () => {
    const before = (await get()).body
    for (const project of [web, app]) {
      await compactTallies(workgate.sql, project)
      assert.deepEqual([...(await workgate.sql`select from workgate.tally_deltas where project_id = ${project}`)], [])
    }
    assert.deepEqual((await get()).body, before)
  })
})

// prettier-ignore
const found: [claim: string, search: string, names: string][] = [
  ['by last activity, newest first, by default',     '',                            'Web site, app for phones, Zeta'],
  ['by name, case-insensitively',                    '?sort=name',                  'app for phones, Web site, Zeta'],
  ['q finds a word of the name',                     '?q=PHON',                     'app for phones'],
  ['q finds the key',                                '?q=web',                      'Web site'],
  ['q finds a word of the description',              '?q=public',                   'Web site'],
  ['active at or after a time',                      '?updatedAfter=2026-04-04',    'Web site, app for phones'],
  ['active at exactly this time',                    '?updatedAfter=2026-04-05T00:00:00Z', 'Web site'],
  ['active after a time, to the millisecond',        '?updatedAfter=2026-04-05T00:00:00.001Z', ''],
]

describe('filters and sorts', () => {
  for (const [claim, search, names] of found) {
    test(`${claim}, with totals over all projects`, async () => {
      const { status, body } = await get(search)
      assert.equal(status, 200, JSON.stringify(body))
      const listed = body.data.map((item: { name: string }) => item.name)
      assert.deepEqual(listed, names === '' ? [] : names.split(', '))
      assert.deepEqual(body.totals, totals.all)
    })
  }

  test('a change by SQL is in the next response', async () => {
    const since = `?updatedAfter=${day(-1)}`
    assert.deepEqual((await get(since)).body.data, [])
    await workgate.sql`insert into workgate.tasks (project_id, title, due_date) values (${old}, 'x', ${day(-40)})`
    assert.deepEqual((await get(since)).body.data, [(await get()).body.data[0]])
    const [first] = (await get()).body.data
    assert.deepEqual([first.projectId, first.tasks], [old, counts(1, 1, 0, 0, 1)])
    await workgate.sql`delete from workgate.tasks where project_id = ${old}`
    assert.deepEqual((await get()).body.totals, totals.all)
  })
})

// prettier-ignore
const refused: [search: string, name: string][] = [
  ['?limit=0',                  'limit'],
  ['?limit=201',                'limit'],
  ['?sort=createdAt',           'sort'],
  ['?status=open',              'status'],
  ['?q=',                       'q'],
  ['?createdAfter=2026-01-01',  'createdAfter'],
  ['?updatedAfter=yesterday',   'updatedAfter'],
  ['?updatedBefore=2026-01-01', 'updatedBefore'],
  ['?cursor=x',                 'cursor'],
]

describe('refused', () => {
  for (const [search, name] of refused) {
    test(search, async () => {
      const { status, body } = await get(search)
      assert.deepEqual([status, body.errors[0].name], [400, name])
    })
  }
})

// prettier-ignore
const paths: [request: string, key: string, status: number, code?: string][] = [
  ['HEAD /projects/summary',        'all',  200],
  ['GET /projects/summary/',        'none', 200],
  ['OPTIONS /projects/summary',     'none', 204],
  ['POST /projects/summary',        'all',  405, 'METHOD_NOT_ALLOWED'],
  ['POST /projects/summary',        'idle', 405, 'METHOD_NOT_ALLOWED'],
  ['GET /projects/SUMMARY',         'all',  404, 'NOT_FOUND'],
  ['GET /projects/SUMMARY',         'two',  403, 'ACCESS_DENIED'],
  ['GET /projects/%73ummary',       'all',  404, 'NOT_FOUND'],
  ['GET /projects/summaryx',        'two',  403, 'ACCESS_DENIED'],
  ['GET /projects/summary/tasks',   'two',  403, 'ACCESS_DENIED'],
  ['GET /projects/summary/summary', 'two',  403, 'ACCESS_DENIED'],
]

describe('summary is not a project id', () => {
  for (const [request, key, status, code] of paths) {
    test(`${request} with the key "${key}" gets ${status}`, async () => {
      const reply = await workgate.send(request, { key: keys[key] })
      assert.deepEqual([reply.status, reply.body?.code], [status, code])
      if (status === 405 || status === 204) assert.equal(reply.headers['allow'], 'GET, HEAD, OPTIONS')
    })
  }
})
