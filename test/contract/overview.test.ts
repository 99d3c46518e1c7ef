// The overview of a project: each figure is compared with one computed by hand. test/analytics compares it with lists.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compactTallies } from '../support/compact-tallies.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, old, web } from '../support/data.ts'
import { inPlaces, onServers } from '../support/places.ts'

const { workgate, get } = await contractSuite({ data: 'strangers' })

const overview = async (project = web) => (await get(`/projects/${project}/analytics/overview`)).body.data
const day = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)

const empty = {
  state: 'open',
  stage_id: null,
  assignee_id: null,
  priority: 'none',
  type: null,
  estimate_seconds: null,
  due_date: null,
  completed_at: null,
  created_at: day(0),
}
const tasks = (total: number, open: number, completed: number, cancelled: number) => ({
  total,
  open,
  completed,
  cancelled,
})
const stage = (n: number, board: number, name: string, category: string) => ({
  stageId: id('stage', n),
  boardId: id('board', board),
  name,
  category,
})

// In addition to the three open tasks of Web, which were created today.
await workgate.sql`insert into workgate.tasks ${workgate.sql(
  [
    { id: id('task', 4), state: 'completed', stage_id: id('stage', 3), assignee_id: id('user', 1), priority: 'high', type: 'bug', estimate_seconds: 3600, created_at: day(-10), completed_at: day(-6) },
    { id: id('task', 5), state: 'completed', stage_id: id('stage', 3), assignee_id: id('user', 1), priority: 'high', type: 'bug', created_at: day(-10), completed_at: `${day(-7)}T23:59:59.999Z` },
    { id: id('task', 6), state: 'cancelled', stage_id: id('stage', 2), assignee_id: id('user', 2), priority: 'urgent', type: 'epic', created_at: day(-6), due_date: day(-5) },
    { id: id('task', 7), assignee_id: id('user', 2), priority: 'low', estimate_seconds: 1800, created_at: `${day(-7)}T23:59:59.999Z`, due_date: day(-1) },
    { id: id('task', 8), assignee_id: id('user', 3), priority: 'medium', due_date: day(0) },
    { id: id('task', 9), state: 'completed', completed_at: day(0), created_at: day(1), due_date: '2020-01-01' },
  ].map((task) => ({ ...empty, ...task, project_id: web, title: 'x' })),
)}` // prettier-ignore
await workgate.sql`insert into workgate.time_entries ${workgate.sql(
  [
    { task_id: id('task', 4), started_at: '2026-04-01T10:00Z', ended_at: '2026-04-01T10:10Z', billable: false },
    { task_id: id('task', 7), started_at: '2026-04-01T10:00Z', ended_at: '2026-04-01T10:05Z', billable: true },
    { task_id: id('task', 4), started_at: '2026-04-01T11:00Z', ended_at: null, billable: true },
  ].map((entry) => ({ ...entry, project_id: web, user_id: id('user', 1), spent_on: '2026-04-01' })),
)}`

describe('the overview', () => {
  test('has every figure', async () => {
    const { lastActivityAt, ...figures } = await overview()
    assert.match(lastActivityAt, /Z$/)
    assert.deepEqual(figures, {
      measure: null,
      fields: [],
      tasks: { ...tasks(9, 5, 3, 1), overdue: 1, unassigned: 4 },
      progress: 0.375,
      byStage: [
        { ...stage(1, 1, 'To do', 'backlog'), ...tasks(2, 2, 0, 0) },
        { ...stage(2, 1, 'Doing', 'active'), ...tasks(2, 1, 0, 1) },
        { ...stage(3, 1, 'Done', 'done'), ...tasks(2, 0, 2, 0) },
        { ...stage(4, 3, 'Ideas', 'backlog'), ...tasks(0, 0, 0, 0) },
        { stageId: null, boardId: null, name: null, category: null, ...tasks(3, 2, 1, 0) },
      ],
      byPriority: [
        { priority: 'none', ...tasks(4, 3, 1, 0) },
        { priority: 'low', ...tasks(1, 1, 0, 0) },
        { priority: 'medium', ...tasks(1, 1, 0, 0) },
        { priority: 'high', ...tasks(2, 0, 2, 0) },
        { priority: 'urgent', ...tasks(1, 0, 0, 1) },
      ],
      byAssignee: {
        items: [
          { assigneeId: null, name: null, ...tasks(4, 3, 1, 0), overdue: 0 },
          { assigneeId: id('user', 1), name: 'Ada Lovelace', ...tasks(2, 0, 2, 0), overdue: 0 },
          { assigneeId: id('user', 2), name: 'grace Hopper', ...tasks(2, 1, 0, 1), overdue: 1 },
          { assigneeId: id('user', 3), name: 'Ångström, Anders', ...tasks(1, 1, 0, 0), overdue: 0 },
        ],
        other: { assignees: 0, ...tasks(0, 0, 0, 0), overdue: 0 },
      },
      byType: {
        items: [
          { type: null, ...tasks(6, 5, 1, 0) },
          { type: 'bug', ...tasks(2, 0, 2, 0) },
          { type: 'epic', ...tasks(1, 0, 0, 1) },
        ],
        other: { types: 0, ...tasks(0, 0, 0, 0) },
      },
      counts: { boards: 3, users: 4, teams: 2, comments: 3, documents: 5 },
      time: { totalSeconds: 13_530, billableSeconds: 5_730, estimateSeconds: 5_400, estimatedTaskSeconds: 900 },
      createdLast7Days: 5,
      completedLast7Days: 2,
    })
  })

  test('contains zeros and nulls for an empty project', async () => {
    const zero = tasks(0, 0, 0, 0)
    assert.deepEqual(await overview(old), {
      measure: null,
      fields: [],
      tasks: { ...zero, overdue: 0, unassigned: 0 },
      progress: null,
      byStage: [],
      byPriority: ['none', 'low', 'medium', 'high', 'urgent'].map((priority) => ({ priority, ...zero })),
      byAssignee: { items: [], other: { assignees: 0, ...zero, overdue: 0 } },
      byType: { items: [], other: { types: 0, ...zero } },
      counts: { boards: 0, users: 0, teams: 0, comments: 0, documents: 0 },
      time: { totalSeconds: 0, billableSeconds: 0, estimateSeconds: 0, estimatedTaskSeconds: 0 },
      createdLast7Days: 0,
      completedLast7Days: 0,
      lastActivityAt: '2025-06-01T00:00:00.000Z',
    })
  })

  test('contains nothing of other projects', async () => {
    const { tasks, counts, time } = await overview(app)
    assert.deepEqual(tasks, { total: 1, open: 1, completed: 0, cancelled: 0, overdue: 0, unassigned: 1 })
    assert.deepEqual(counts, { boards: 1, users: 1, teams: 1, comments: 2, documents: 1 })
    assert.deepEqual(time, { totalSeconds: 0, billableSeconds: 0, estimateSeconds: 0, estimatedTaskSeconds: 0 })
  })

  test('is the same after its tallies are compacted, and shows nothing of deleted rows', async () => {
    const compact = async (project: string) => {
      await compactTallies(workgate.sql, project)
      assert.deepEqual([...(await workgate.sql`select from workgate.tally_deltas where project_id = ${project}`)], [])
    }
    const [{ byStage, ...others }, ofOld] = [await overview(), await overview(old)]
    await workgate.sql`insert into workgate.tasks ${workgate.sql([
      { project_id: web, id: id('task', 10), title: 'x', stage_id: id('stage', 4), assignee_id: id('user', 4) },
      { project_id: old, id: id('task', 10), title: 'x', stage_id: null, assignee_id: null },
    ])}`
    for (const project of [web, old]) await compact(project)
    await workgate.sql`delete from workgate.tasks where id = ${id('task', 10)}`
    for (const project of [web, old]) await compact(project)
    assert.deepEqual(await overview(), { byStage, ...others })
    assert.deepEqual(await overview(old), ofOld)
    await workgate.sql`delete from workgate.stages where id = ${id('stage', 4)}`
    const remaining = byStage.filter(({ stageId }: any) => stageId !== id('stage', 4))
    assert.deepEqual(await overview(), { byStage: remaining, ...others })
  })
})

test('lastActivityAt is the newest change of the project, a task, comment, time entry or document', async () => {
  // Later than all existing times, and each later than the one before.
  for (const [n, table] of ['projects', 'tasks', 'comments', 'time_entries', 'documents'].entries()) {
    const moment = `2099-01-0${n + 1}T00:00:00.000Z`
    await inPlaces(
      workgate.sql,
      `alter table workgate.${table} disable trigger user;
      update workgate.${table} set updated_at = '${moment}' where '${old}' <> ${table === 'projects' ? 'id' : 'project_id'};
      alter table workgate.${table} enable trigger user`,
    )
    await onServers(workgate.sql, 'select workgate.touch()')
    assert.equal((await overview()).lastActivityAt, moment, table)
  }
  assert.equal((await overview(old)).lastActivityAt, '2025-06-01T00:00:00.000Z')
})

describe('assignees', () => {
  test('beyond the first 50 are added up under "other"; ties are ordered by id', async () => {
    await workgate.sql.unsafe(`
      insert into workgate.users (id, name, email)
      select ('00000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid, 'User ' || n, n || '@example.org' from generate_series(101, 153) n;
      insert into workgate.project_members (project_id, user_id) select '${old}', id from workgate.users where name like 'User%';
      insert into workgate.tasks (project_id, title, assignee_id, state)
      select '${old}', 'x', user_id, state
      from workgate.project_members, unnest('{open,cancelled}'::text[]) state where project_id = '${old}';
      insert into workgate.tasks (project_id, title, assignee_id) values ('${old}', 'x', '${id('user', 153)}');
      update workgate.tasks set due_date = '2026-01-01' where assignee_id in ('${id('user', 151)}', '${id('user', 153)}');
      insert into workgate.tasks (project_id, title) select '${old}', 'x' from generate_series(1, 2)`)
    const { items, other } = (await overview(old)).byAssignee
    assert.deepEqual(
      items.map((item: any) => item.assigneeId),
      [153, ...Array.from({ length: 49 }, (_, n) => 101 + n)].map((n) => id('user', n)),
    )
    assert.deepEqual(items[0], { assigneeId: id('user', 153), name: 'User 153', ...tasks(3, 2, 0, 1), overdue: 2 })
    // 150, 151, 152, and the unassigned tasks, which come last among those with two.
    assert.deepEqual(other, { assignees: 4, ...tasks(8, 5, 0, 3), overdue: 1 })
  })
})

test('takes no range', async () => {
  const { status, body } = await get(`/projects/${web}/analytics/overview?from=2026-01-01`)
  assert.deepEqual([status, body.errors[0].name], [400, 'from'])
})

test('analytics without a report are not found', async () =>
  assert.equal((await get(`/projects/${web}/analytics`)).status, 404))
