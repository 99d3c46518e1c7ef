// Lists across projects read a few rows of each project: the cost grows with the projects in scope, not with their rows.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { tasks, tasksAcrossProjects } from '../../../src/resources/tasks/list-tasks.ts'
import { timeEntriesAcrossProjects } from '../../../src/resources/time-entries/list-time-entries.ts'
import type { Params, Value } from '../../../src/db/statements/template.ts'
import { idOf, idSql, planSuite } from './plan-suite.ts'

const each = 100
const fewRows = 60
const manyRows = 900
const at = (n: string) => `timestamp '2026-01-01' + (${n}) * interval '1 minute'`

// Projects 1 to 100 have many rows each, 101 to 200 have few. Their rows interleave. Rows of different projects have the
// same ids.
const {
  pageAfter,
  explainPage: explain,
  pagesReadOf,
} = await planSuite(
  `
    insert into workgate.users (id, name, email) select ${idSql('001', 'n')}, n, n || '@example.org' from generate_series(1, 10) n;
    insert into workgate.projects (id, key, name) select ${idSql('003', 'n')}, 'P' || n, n from generate_series(1, ${2 * each}) n;
    insert into workgate.project_members (project_id, user_id) select p.id, u.id from workgate.projects p, workgate.users u;
    insert into workgate.boards (project_id, id, name) select id, ${idSql('004', '1')}, 'x' from workgate.projects;
    insert into workgate.tasks (project_id, id, number, title, description, assignee_id, board_id, due_date, created_at, updated_at)
    select
      ${idSql('003', 'p')}, ${idSql('006', 'n')}, n, case when n % 50 = 0 then 'rare ' else '' end || 'title', 'text',
      ${idSql('001', '1 + n % 10')}, ${idSql('004', '1')}, case when n % 3 > 0 then date '2026-01-01' + n % 300 end,
      ${at('n * 7 + p % 7')}, ${at(`n * 7919 % 900 * 7 + p % 7`)}
    from generate_series(1, ${2 * each}) p, generate_series(1, case when p <= ${each} then ${manyRows} else ${fewRows} end) n;
    insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at, ended_at, updated_at)
    select project_id, id, id, assignee_id, '2026-01-01', created_at, created_at, updated_at from workgate.tasks;`,
  'vacuum analyze',
)

const lists: Record<Name, ListDefinition> = { tasks: tasksAcrossProjects, 'time entries': timeEntriesAcrossProjects }
type Name = 'tasks' | 'time entries'

const projectsFrom = (first: number) => Array.from({ length: each }, (_, n) => idOf('003', first + n))
const [many, few] = [projectsFrom(1), projectsFrom(each + 1)]

const paramsOf = (projectIds: readonly string[] | null, more: Params): Params => ({
  ...(projectIds ? { projectIds } : { allProjects: true }),
  firstRows: 8,
  ...more,
})

const oneUser: Value = [idOf('001', 3)]
// prettier-ignore
const requests: [claim: string, name: Name, more: Params][] = [
  ...['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'dueDate', '-dueDate'].map((sort) => [`tasks by ${sort}`, 'tasks', { sort }] as [string, Name, Params]),
  ...['startedAt', '-startedAt', 'updatedAt', '-updatedAt'].map((sort) => [`time entries by ${sort}`, 'time entries', { sort }] as [string, Name, Params]),
  ['tasks of an assignee',              'tasks',        { assigneeId: oneUser }],
  ['open tasks',                        'tasks',        { state: ['open'] }],
  ['tasks of a board',                  'tasks',        { boardId: [idOf('004', 1)] }],
  ['tasks that changed',                'tasks',        { sort: 'updatedAt', updatedAfter: '2026-01-02' }],
  ['tasks due in a range',              'tasks',        { sort: 'dueDate', dueAfter: '2026-01-05', dueBefore: '2026-10-01' }],
  ['time entries of a user',            'time entries', { userId: oneUser }],
  ['time entries that changed',         'time entries', { sort: 'updatedAt', updatedAfter: '2026-01-02' }],
]

describe(`${each} projects with ${manyRows} rows each require hardly more reads than with ${fewRows}:`, () => {
  for (const [claim, name, more] of requests) {
    test(claim, async () => {
      const [small, large] = [
        await pagesReadOf(lists[name], paramsOf(few, more)),
        await pagesReadOf(lists[name], paramsOf(many, more)),
      ]
      // A larger index has one more level, and the rows of a project are on different pages.
      assert.ok(large <= small * 2.5 + 20, `${large} database pages, compared with ${small}`)
      assert.ok(large < each * 16, `${large} database pages`)
    })

    test(`${claim}: a page 300 rows deep reads hardly more than the first`, async () => {
      const params = paramsOf(many, more)
      const first = await pagesReadOf(lists[name], params)
      const deep = await pagesReadOf(lists[name], await pageAfter(300, lists[name], params))
      assert.ok(deep <= first * 1.3 + 20, `${deep} database pages, compared with ${first}`)
    })
  }
})

describe('the plan', () => {
  for (const [claim, name, more] of requests) {
    test(`${claim}: reads rows of each project in the order of an index, and no other rows`, async () => {
      const plan = await explain(lists[name], paramsOf(null, more), 'analyze, costs off, timing off')
      // The rows of two indexes are merged; those of the second are few.
      assert.equal(plan.match(/Sort \(actual/g)?.length, 2, plan)
      assert.doesNotMatch(plan, /Seq Scan|Bitmap|Rows Removed/, plan)
      const read = [
        ...plan.matchAll(
          /Index (?:Only )?Scan(?![^\n]*tasks_of_several_assignees)[^\n]* on t[^\n]*rows=([\d.]+) loops=(\d+)/g,
        ),
      ]
      assert.equal(read.length, 2, plan)
      const [firstRows, page] = read.map(([, rows, loops]) => Number(rows) * Number(loops))
      assert.ok(firstRows! <= 2 * each * 8, plan)
      // Of up to 51 projects, only those whose first rows are all on the page are read further.
      assert.ok(page! <= 51 * 8, plan)
    })
  }

  test('for projects by key reads the same rows as by id', async () => {
    const options = 'analyze, costs off, timing off'
    const projectKeys = few.map((_, n) => `P${each + 1 + n}`)
    const byId = await explain(tasksAcrossProjects, paramsOf(few, {}), options)
    const byKey = await explain(tasksAcrossProjects, paramsOf([], { projectKeys, reach: few }), options)
    assert.deepEqual(rowsOfTasks(byKey), rowsOfTasks(byId), byKey)
  })

  test('for one project is the plan of its own list', async () => {
    const projectId = idOf('003', 1)
    for (const more of [{}, { assigneeId: oneUser }, { sort: 'dueDate' }, { q: 'rare' }]) {
      const own = await explain(tasks, { projectId, ...more })
      const across = await explain(tasksAcrossProjects, { projectId, ...more })
      assert.equal(nodesIn(across), nodesIn(own), across)
    }
  })

  test('of a search reads only rows that contain the words', async () => {
    for (const [q, found] of [
      ['rare', (each * manyRows) / 50 + each],
      ['absent', 0],
    ] as const) {
      const plan = await explain(tasksAcrossProjects, paramsOf(null, { q }), 'analyze, costs off, timing off')
      const [, rows, loops] = /Bitmap Index Scan on tasks_by_terms \(actual rows=([\d.]+) loops=(\d+)/.exec(plan) ?? []
      assert.equal(Number(loops), 2 * each, plan)
      assert.ok(Math.abs(Number(rows) * Number(loops) - found) <= 2 * each, plan)
      assert.doesNotMatch(plan, /BitmapAnd|Seq Scan on tasks/, plan)
    }
  })

  test('builds items only for the rows of the page', async () => {
    const more = { includeTags: true, includeWatchers: true }
    const plan = await explain(tasksAcrossProjects, paramsOf(many, more), 'analyze, costs off, timing off')
    const loops = [...plan.matchAll(/Aggregate \(actual rows=1(?:\.00)? loops=(\d+)\)/g)].map(([, n]) => Number(n))
    assert.equal(Math.max(...loops), 51, plan)
  })
})

const rowsOfTasks = (plan: string) => plan.match(/Scan[^\n]* on tasks[^\n]*\(actual [^\n]*/g)

/**
 * The nodes of a plan, without conditions and sort keys: those of a list across projects also name the project. In
 * alphabetical order: the key of the project is looked up once or with each row, and so before the rows or after them.
 */
const nodesIn = (plan: string) =>
  plan
    .split('\n')
    .filter((line) => /->|^\w/.test(line))
    .map((line) => line.trim())
    .sort()
    .join('\n')
