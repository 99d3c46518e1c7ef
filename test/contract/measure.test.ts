// Analytics with "measure": the sums of an own field, computed by hand. test/analytics compares them with random rows.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compactTallies } from '../support/compact-tallies.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { app, id, missing, web } from '../support/data.ts'
import { inDays, onOneDay, projectOf } from '../support/flow.ts'
import { assertRefused } from '../support/refused.ts'

const { workgate, get } = await contractSuite({ data: 'basic' })
const { sql } = workgate

await sql`select
  workgate.add_field('points', 'number'), workgate.add_field('cost', 'number', ${web}), workgate.add_field('note', 'text'),
  workgate.add_field('ofApp', 'number', ${app})`

const ask = async (project: string, path: string) => {
  const { status, body, text } = await get(`/projects/${project}/analytics/${path}`)
  assert.equal(status, 200, text)
  return body.data
}

const [ada, grace] = [id('user', 1), id('user', 2)]
/** A project with these tasks, which are members' of Ada and Grace. */
async function projectWith(tasks: Record<string, unknown>[]): Promise<string> {
  const project = await projectOf(sql, [])
  await sql`insert into workgate.project_members ${sql([ada, grace].map((user_id) => ({ project_id: project, user_id })))}`
  for (const task of tasks)
    await sql`insert into workgate.tasks ${sql({ project_id: project, title: 'x', ...task } as any)}`
  return project
}
const sums = (total: number, open: number, completed: number, cancelled: number) => ({
  total,
  open,
  completed,
  cancelled,
})

describe('the overview with a measure', () => {
  test('has sums instead of numbers of tasks', () =>
    onOneDay(async () => {
      const project = await projectWith([
        { fields: { points: 0.1 }, priority: 'high', assignee_id: ada, due_date: inDays(-1), estimate_seconds: 60, created_at: inDays(-9) },
        { fields: { points: 0.2, note: 'x' }, priority: 'high', type: 'bug', assignee_ids: [ada, grace], due_date: inDays(-1) },
        { fields: { points: 5 }, state: 'completed', type: 'bug' },
        { fields: { points: 1_000_000_000 }, state: 'cancelled', assignee_id: grace, cancelled_at: inDays(-9) },
        { fields: { points: 0 }, type: 'epic' },
        { fields: { note: 'without points' }, type: 'story' },
        {},
      ]) // prettier-ignore
      for (const isCompacted of [false, true]) {
        if (isCompacted) await compactTallies(sql, project)
        const { lastActivityAt: _, counts: __, ...data } = await ask(project, 'overview?measure=points')
        const none = sums(0, 0, 0, 0)
        assert.deepEqual(data, {
          measure: 'points',
          // Those of all projects: each name once.
          fields: [{ name: 'note', type: 'text' }, { name: 'points', type: 'number' }],
          tasks: { ...sums(1_000_000_005.3, 0.3, 5, 1_000_000_000), overdue: 0.3, unassigned: 5 },
          progress: 0.9434,
          byStage: [{ stageId: null, boardId: null, name: null, category: null, ...sums(1_000_000_005.3, 0.3, 5, 1_000_000_000) }],
          byPriority: [
            { priority: 'none', ...sums(1_000_000_005, 0, 5, 1_000_000_000) },
            { priority: 'low', ...none },
            { priority: 'medium', ...none },
            { priority: 'high', ...sums(0.3, 0.3, 0, 0) },
            { priority: 'urgent', ...none },
          ],
          byAssignee: {
            items: [
              { assigneeId: grace, name: 'grace Hopper', ...sums(1_000_000_000.2, 0.2, 0, 1_000_000_000), overdue: 0.2 },
              { assigneeId: null, name: null, ...sums(5, 0, 5, 0), overdue: 0 },
              { assigneeId: ada, name: 'Ada Lovelace', ...sums(0.3, 0.3, 0, 0), overdue: 0.3 },
            ],
            other: { assignees: 0, ...none, overdue: 0 },
          },
          byType: {
            items: [
              { type: null, ...sums(1_000_000_000.1, 0.1, 0, 1_000_000_000) },
              { type: 'bug', ...sums(5.2, 0.2, 5, 0) },
            ],
            other: { types: 0, ...none },
          },
          time: { totalSeconds: 0, billableSeconds: 0, estimateSeconds: 60, estimatedTaskSeconds: 0 },
          createdLast7Days: 1_000_000_005.2,
          completedLast7Days: 5,
        }) // prettier-ignore
      }
    }))

  test('lists an assignee of whose sums only the one of overdue tasks is not 0', async () => {
    const project = await projectWith([
      { fields: { points: -1 }, assignee_id: ada, due_date: inDays(-1) },
      { fields: { points: 1 }, assignee_id: ada },
    ])
    for (const isCompacted of [false, true]) {
      if (isCompacted) await compactTallies(sql, project)
      const { byAssignee } = await ask(project, 'overview?measure=points')
      assert.deepEqual(byAssignee.items, [{ assigneeId: ada, name: 'Ada Lovelace', ...sums(0, 0, 0, 0), overdue: -1 }])
    }
  })

  test('lists assignees and types whose sums are negative, or cancel out in different states, but not those that are 0', async () => {
    const project = await projectWith([
      { fields: { points: -2 }, assignee_id: ada, type: 'bug' },
      { fields: { points: 3 }, type: 'epic' },
      { fields: { points: -3 }, state: 'completed', type: 'epic' },
      { fields: { points: 7 }, assignee_id: grace, type: 'story' },
    ])
    for (const points of [-7, 0]) {
      if (points) await sql`insert into workgate.tasks ${sql({ project_id: project, title: 'x', assignee_id: grace, type: 'story', fields: { points } })}`
      else await sql`delete from workgate.tasks where project_id = ${project} and assignee_id = ${grace}`
      await compactTallies(sql, project)
      const { tasks, progress, byAssignee, byType } = await ask(project, 'overview?measure=points')
      assert.deepEqual(tasks, { ...sums(-2, 1, -3, 0), overdue: 0, unassigned: 0 })
      assert.equal(progress, null)
      assert.deepEqual(byAssignee.items.map((item: any) => [item.assigneeId, item.total]), [[null, 0], [ada, -2]])
      assert.deepEqual(byType.items.map((item: any) => [item.type, item.total, item.open]), [['epic', 0, 3], ['bug', -2, -2]])
    } // prettier-ignore
  })

  test('counts tasks without one', async () => {
    const project = await projectWith([{ fields: { points: 5 } }])
    const { measure, tasks } = await ask(project, 'overview')
    assert.deepEqual([measure, tasks.total], [null, 1])
  })

  test('takes a field that is declared for the project, or for all, even without values', async () => {
    for (const name of ['cost', 'points']) assert.equal((await ask(web, `overview?measure=${name}`)).tasks.total, 0)
  })
})

describe('the progress with a measure', () => {
  const done = (day: number, points: number, type?: string) => ({
    created_at: inDays(-60), state: 'completed', completed_at: inDays(day), fields: { points }, ...(type && { type }),
  }) // prettier-ignore

  test('sums what was created, completed and cancelled, but counts reopened tasks and lead times', () =>
    onOneDay(async () => {
      const project = await projectWith([
        { created_at: inDays(-3), fields: { points: 2.5 } },
        { created_at: inDays(-3), fields: { points: 0.25 }, state: 'completed', completed_at: inDays(-1) },
        { created_at: inDays(-3), fields: { points: 8 }, state: 'completed', completed_at: inDays(-1), type: 'epic' },
        { created_at: inDays(-2), fields: { points: 1.0001 }, state: 'cancelled', cancelled_at: inDays(-1) },
        { created_at: inDays(-2), state: 'completed', completed_at: inDays(-2) },
      ])
      const data = await ask(project, `progress?measure=points&leaveOutType=epic&from=${inDays(-3)}&to=${inDays(0)}`)
      const line = (start: number, created: number, completed: number, cancelled: number, scope: number, done: number, remaining: number) =>
        ({ start: inDays(start), end: inDays(start + 1), created, completed, cancelled, reopened: 0, scope, done, remaining }) // prettier-ignore
      assert.equal(data.measure, 'points')
      assert.deepEqual(data.series, [
        line(-3, 2.75, 0, 0, 2.75, 0, 2.75),
        line(-2, 1.0001, 0, 0, 3.7501, 0, 3.7501),
        line(-1, 0, 0.25, 1.0001, 2.75, 0.25, 2.5),
      ])
      assert.equal(data.leadTime.count, 2)
      assert.equal(data.leadTime.meanSeconds, 86_400)
      assert.equal(data.throughputPerWeek, 0.58)
    }))

  test('forecasts when the sum is done', () =>
    onOneDay(async () => {
      const days = Array.from({ length: 20 }, (_, n) => n - 20)
      const project = await projectWith([...days.map((day) => done(day, 2.5)), { fields: { points: 11 } }, {}])
      for (const interval of ['day', 'week']) {
        const query = `from=${inDays(-20)}&to=${inDays(1)}&interval=${interval}`
        const { forecast, forecastReason } = await ask(project, `progress?measure=points&${query}`)
        const date = inDays(5)
        assert.deepEqual([forecast, forecastReason], [{ remaining: 11, p50Date: date, p85Date: date, p95Date: date }, null]) // prettier-ignore
        assert.equal((await ask(project, `progress?${query}`)).forecast.remaining, 2)
      }
    }))

  test('has no forecast if few tasks were completed, whatever their sum, or the rest is not above 0', () =>
    onOneDay(async () => {
      const query = `progress?measure=points&from=${inDays(-30)}`
      const few = await projectWith([...[-9, -8, -7, -6].map((day) => done(day, 100)), { fields: { points: 1 } }])
      assert.equal((await ask(few, query)).forecastReason, 'too_few_completions')
      const negative = await projectWith([...[-9, -8, -7, -6, -5].map((day) => done(day, 100)), { fields: { points: -1 } }])
      assert.equal((await ask(negative, query)).forecastReason, 'nothing_remaining')
    })) // prettier-ignore
})

// prettier-ignore
const refused: [claim: string, project: string, query: string, message: RegExp][] = [
  ['an unknown field',                 web, 'measure=other',                 /^is not an own field of this project with the type number$/],
  ['a field of the type text',         web, 'measure=note',                  /^is not an own field of this project with the type number$/],
  ['a field of another project',       web, 'measure=ofApp',                 /^is not an own field of this project with the type number$/],
  ['a name that no field can have',    web, 'measure=state+of+points',       /^must be a letter in lower case, then letters and digits, up to 48$/],
  ['an empty name',                    web, 'measure=',                      /^must be a letter in lower case/],
  ['a repeated parameter',             web, 'measure=points&measure=points', /is given more than once/],
]

for (const report of ['overview', 'progress'])
  describe(`${report} refuses`, () => {
    for (const [claim, project, query, message] of refused)
      test(claim, async () => assertRefused(await get(`/projects/${project}/analytics/${report}?${query}`), 'measure', message))

    test('an unknown project, before the field', async () =>
      assert.equal((await get(`/projects/${missing}/analytics/${report}?measure=other`)).status, 404))
  }) // prettier-ignore
