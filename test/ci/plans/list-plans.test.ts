// Lists walk their indexes on every page, and the setting that keeps their plans good is in effect.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Params } from '../../../src/db/statements/template.ts'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { boards } from '../../../src/resources/boards/list-boards.ts'
import { stages } from '../../../src/resources/boards/list-stages.ts'
import { users } from '../../../src/resources/people/list-users.ts'
import { projects } from '../../../src/resources/projects/list-projects.ts'
import { tasks } from '../../../src/resources/tasks/list-tasks.ts'
import { fieldIndex } from './plan-choice.ts'
import { idOf as id, idSql as uuid, planSuite } from './plan-suite.ts'

const project = id('003', 1)
const taskCount = 10_000

const {
  db,
  pageAfter,
  explainPage: explain,
  pagesReadOf,
} = await planSuite(`
    insert into workgate.projects (id, key, name, created_at, updated_at)
    select ${uuid('003', 'n')}, 'P' || n, 'Name ' || n, timestamp '2026-01-01' + n * interval '1 minute', '2026-01-01'
    from generate_series(1, 5000) n;
    insert into workgate.boards (project_id, name, position) select p.id, 'Board ' || n, n from workgate.projects p, generate_series(1, 2) n;
    insert into workgate.boards (project_id, id, name, position) select '${project}', ${uuid('004', 'n')}, 'Board ' || n, n from generate_series(3, 3000) n;
    insert into workgate.stages (project_id, id, board_id, name, category, position)
    select project_id, id, id, 'x', 'done', position from workgate.boards;
    insert into workgate.users (id, name, email) select ${uuid('001', 'n')}, 'User ' || n, n || '@example.org' from generate_series(1, 20000) n;
    insert into workgate.project_members (project_id, user_id)
    select ${uuid('003', 'p')}, ${uuid('001', 'n')}
    from generate_series(1, 4) p cross join lateral generate_series(1, case when p = 1 then 20 else 5000 end) n;

    -- The same tasks in four projects, fewer in three of them. Each optional property is missing from some tasks.
    insert into workgate.tasks (
      project_id, id, number, title, description, state, priority, type, board_id, stage_id, parent_id, assignee_id, creator_id,
      due_date, completed_at, cancelled_at, external_id, fields, created_at, updated_at)
    select
      ${uuid('003', 'p')}, ${uuid('006', 'n')}, n, case when n % 1000 = 1 then 'rare ' else '' end || 'word' || n % 10 || case when p > 1 then ' other' else '' end, 'common some' || n % 200,
      state, (enum_range(null::workgate.priority))[1 + n % 5], case when n % 6 > 0 then 'type ' || n % 6 end, board_id, board_id,
      case when n % 3 = 0 then ${uuid('006', 'n % 7 + 1')} end,
      case when n % 4 > 0 then ${uuid('001', 'n % 20 + 1')} end,
      case when n % 5 > 0 then ${uuid('001', 'n % 20 + 1')} end,
      case when n % 6 > 0 then date '2024-01-01' + n * 31 % 3000 end,
      case when state = 'completed' then timestamp '2026-02-01' + n * 7919 % ${taskCount} * interval '1 minute' end,
      case when state = 'cancelled' then timestamp '2026-02-01' end,
      case when n % 2 = 0 then 'acme/website#' || n end,
      case when n % 6 > 0 then jsonb_build_object('size', n % 6, 'sprint', 'Sprint ' || n % 6) end,
      timestamp '2026-01-01' + n / 3 * interval '1 minute', timestamp '2026-01-01' + n * 7919 % ${taskCount} * interval '1 minute'
    from generate_series(1, 4) p
    cross join lateral generate_series(1, case when p = 1 then ${taskCount} else 2000 end) n
    cross join lateral (
      select
        (array['open', 'completed', 'completed', 'cancelled'])[1 + n * 17 % 4] as state,
        case when p = 1 and n % 7 > 0 then ${uuid('004', '3 + n % 5')} end as board_id
    ) s;
    insert into workgate.fields (name, type) values ('size', 'number'), ('sprint', 'text');
    ${['size', 'sprint'].map(fieldIndex).join(';')};
    select workgate.recount('${project}');
    insert into workgate.tally_deltas select id, 'comments', '-infinity', '', '', 0, 0 from workgate.projects;`)

const ofProject = { projectId: project }
const all = { allProjects: true }
const position = { afterId: project }

// prettier-ignore
const walks: [claim: string, list: ListDefinition, params: Params, index: RegExp][] = [
  ['projects by createdAt, from the top',  projects, { ...all, sort: '-createdAt' },                                                /Scan Backward using projects_by_created_at/],
  ['projects by createdAt, deep',          projects, { ...all, ...position, sort: '-createdAt', after: '2026-01-02T00:00:00.000Z' }, /Scan Backward using projects_by_created_at.*Index Cond: \(ROW/s],
  ['projects by name, deep',               projects, { ...all, ...position, sort: 'name', after: 'name 4' },                         /Scan using projects_by_name.*Index Cond: \(ROW/s],
  ['projects by updatedAt, deep',          projects, { ...all, ...position, sort: 'updatedAt', after: '2026-01-01T00:00:00.000Z' },  /Scan using projects_by_updated_at.*Index Cond: \(ROW/s],
  ['projects in a range of creation',      projects, { ...all, sort: '-createdAt', createdAfter: '2026-01-02T00:00:00Z' },           /projects_by_created_at.*Index Cond: .*created_at/s],
  ['one project',                          projects, { ...all, sort: null, id: project, limit: 1 },                          /projects_pkey.*Index Cond: \(id/s],
  ['boards by position, deep',             boards,   { ...ofProject, ...position, sort: 'position', after: '100' },                          /Scan using boards_by_position.*Index Cond: \(\(project_id.*ROW/s],
  ['boards by name, deep',                 boards,   { ...ofProject, ...position, sort: '-name', after: 'board 4' },                         /Scan Backward using boards_by_name.*Index Cond: \(\(project_id.*ROW/s],
  ['boards that are not archived',         boards,   { ...ofProject, sort: 'position', archived: false },                                    /Scan using boards_by_position/],
  ['stages by position, deep',             stages,   { ...ofProject, ...position, sort: '-position', after: '1000' },                        /Scan Backward using stages_by_position.*Index Cond: \(\(project_id.*ROW/s],
]

describe('plans', () => {
  for (const [claim, list, params, index] of walks) {
    test(`${claim}: walks its index, without a sort or a sequential scan`, async () => {
      const plan = await explain(list, params)
      assert.match(plan, index)
      assert.doesNotMatch(plan, /Sort|Seq Scan|IS NULL/, plan)
    })
  }

  test('a search of projects uses its index', async () => {
    const plan = await explain(projects, { ...all, sort: '-createdAt', q: 'name 4711' })
    assert.match(plan, /Bitmap Index Scan on projects_by_terms/)
  })

  test('users of a project are found by the project, without reading all users', async () => {
    const plan = await explain(users, ofProject)
    assert.doesNotMatch(plan, /Seq Scan/, plan)
  })

  // The tests above would pass without this setting: project_id alone keeps the generic plan good.
  test('plans are made for the actual values: plan_cache_mode is force_custom_plan', async () => {
    const [row] = await db.run<{ plan_cache_mode: string }>('show plan_cache_mode')
    assert.equal(row!.plan_cache_mode, 'force_custom_plan')
  })

  test('no statement uses parallel workers: max_parallel_workers_per_gather is 0', async () => {
    const [row] = await db.run<{ max_parallel_workers_per_gather: string }>('show max_parallel_workers_per_gather')
    assert.equal(row!.max_parallel_workers_per_gather, '0')
  })
})

const board = id('004', 5)
const user = id('001', 10)
const bothWays = (name: string) => [name, `-${name}`]

// prettier-ignore
const taskWalks: [claim: string, params: Params, sorts: string[], index: string][] = [
  ['all',                           {},                                                        bothWays('createdAt'),   'tasks_by_created_at'],
  ['all',                           {},                                                        bothWays('updatedAt'),   'tasks_by_updated_at'],
  ['all',                           {},                                                        ['dueDate'],             'tasks_by_due_date'],
  ['all',                           {},                                                        ['-dueDate'],            'tasks_by_due_date_backward'],
  ['all',                           {},                                                        bothWays('priority'),    'tasks_by_priority'],
  ['all',                           {},                                                        bothWays('number'),      'tasks_number_taken'],
  ['all',                           {},                                                        ['completedAt'],         'tasks_by_completed_at'],
  ['all',                           {},                                                        ['-completedAt'],        'tasks_by_completed_at_backward'],
  ['in a state',                    { state: ['cancelled'] },                                  bothWays('createdAt'),   'tasks_by_state'],
  ['in a stage',                    { stageId: [board] },                                      bothWays('createdAt'),   'tasks_by_stage'],
  ['on a board',                    { boardId: [board] },                                      bothWays('createdAt'),   'tasks_by_board'],
  ['with an assignee',              { assigneeId: [user] },                                    bothWays('createdAt'),   'tasks_by_assignee'],
  ['without an assignee',           { assigneeId: ['none'] },                                  bothWays('createdAt'),   'tasks_without_assignee'],
  ['by a creator',                  { creatorId: [user] },                                     bothWays('createdAt'),   'tasks_by_creator'],
  ['with a priority',               { priority: ['urgent'] },                                  bothWays('createdAt'),   'tasks_of_priority'],
  ['of a type',                     { type: ['type 2'] },                                      bothWays('createdAt'),   'tasks_by_type'],
  ['with a parent',                 { parentId: [id('006', 5)] },                              bothWays('createdAt'),   'tasks_by_parent'],
  ['with a parent, by its number',  { parentId: ['5'] },                                       bothWays('createdAt'),   'tasks_by_parent'],
  ['with a parent, by its reference', { parentId: ['P1-5'] },                                  bothWays('createdAt'),   'tasks_by_parent'],
  ['without a parent',              { parentId: ['none'] },                                    bothWays('createdAt'),   'tasks_without_parent'],
  ['open',                          { state: ['open'] },                                       ['dueDate'],             'tasks_open_by_due_date'],
  ['overdue',                       { overdue: true },                                         ['dueDate'],             'tasks_open_by_due_date'],
  ['created in a range',            { createdAfter: '2026-01-02', createdBefore: '2026-01-04' }, bothWays('createdAt'),   'tasks_by_created_at'],
  ['updated in a range',            { updatedAfter: '2026-01-02', updatedBefore: '2026-01-04' }, bothWays('updatedAt'),   'tasks_by_updated_at'],
  ['due in a range',                { dueAfter: '2026-01-02', dueBefore: '2029-01-01' },         ['dueDate'],             'tasks_by_due_date'],
  ['due in a range',                { dueAfter: '2026-01-02', dueBefore: '2029-01-01' },         ['-dueDate'],            'tasks_by_due_date_backward'],
  ['completed in a range',          { completedAfter: '2026-02-02', completedBefore: '2026-02-04' }, ['completedAt'],   'tasks_by_completed_at'],
  ['completed in a range',          { completedAfter: '2026-02-02', completedBefore: '2026-02-04' }, ['-completedAt'],  'tasks_by_completed_at_backward'],
]

describe('plans of tasks', () => {
  for (const [claim, filters, sorts, index] of taskWalks) {
    for (const sort of sorts) {
      test(`${claim} by ${sort}: walks ${index}, from the top and from the middle`, async () => {
        const params = { ...ofProject, ...filters, sort }
        const columns = Object.keys(filters)
          .filter((name) => /After|Before/.test(name))
          .map((name) => (name.endsWith('After') ? '>= ' : '< '))
        for (const [page, cursor] of [
          [params, []],
          [await pageAfter(400, tasks, params), [/ROW\(|number [<>]/]],
        ] as const) {
          const plan = await explain(tasks, page)
          const direction = sort.startsWith('-') ? ' Backward' : ''
          const [, cond] =
            new RegExp(`Index Scan${direction} using ${index} on tasks t_\\d\n +Index Cond: (.*)`).exec(plan) ?? []
          assert.ok(cond, plan)
          for (const part of ['project_id = ', ...columns, ...cursor]) assert.match(cond, new RegExp(part), plan)
          // The rows of two indexes are merged.
          assert.doesNotMatch(plan.replace(/Merge Append\n +Sort Key/, ''), /Sort|Seq Scan|IS NULL/, plan)
        }
      })
    }
  }

  for (const [name, value] of [
    ['sprint', 'Sprint 2'],
    ['size', '2'],
  ] as const)
    test(`with the own field ${name}: walks its index, and looks for no lists, in the order of lists`, async () => {
      for (const sort of bothWays('createdAt')) {
        const params = { ...ofProject, fields: { [name]: [value] } as never, sort }
        for (const page of [params, await pageAfter(400, tasks, params)]) {
          const plan = await explain(tasks, page, 'analyze, costs off, timing off')
          const walk = new RegExp(
            `"\\*SELECT\\* 1" \\(actual(?:(?!Sort)[^])*?Index Scan (?:Backward )?using tasks_by_field_${name} on tasks t_\\d \\(actual rows=51`,
          )
          assert.match(plan, walk)
          assert.match(plan, /One-Time Filter[^]*? on tasks t_\d \(never executed\)/)
        }
      }
    })

  for (const sort of ['createdAt', 'updatedAt', 'dueDate', 'priority', 'number', 'completedAt'].flatMap(bothWays)) {
    test(`by ${sort}: a page 6,000 rows deep reads no more than the first`, async () => {
      const params = { ...ofProject, sort }
      const first = await pagesReadOf(tasks, params)
      const deep = await pagesReadOf(tasks, await pageAfter(6_000, tasks, params))
      assert.ok(deep <= first * 1.2 + 6, `${deep} database pages, compared with ${first}`)
    })
  }

  test('one task is found by its id, its number or its external id', async () => {
    const byId = await explain(tasks, { ...ofProject, id: id('006', 5), sort: null })
    assert.match(byId, /Index Scan using tasks_pkey on tasks t_1\n +Index Cond: \(\(project_id = .* AND \(id = /)
    assert.doesNotMatch(byId, /Sort|Seq Scan|IS NULL/, byId)
    for (const filter of [{ number: ['5'] }, { reference: ['P1-5'] }, { reference: ['P1-5', 'P1-6'] }]) {
      const byNumber = await explain(tasks, { ...ofProject, ...filter })
      assert.match(byNumber, /tasks_number_taken on tasks t_1\n +Index Cond: \(\(project_id = .* AND \(number = /)
      assert.doesNotMatch(byNumber, /Seq Scan/, byNumber)
    }
    const byExternalId = await explain(tasks, { ...ofProject, externalId: ['acme/website#6', 'acme/website#8'] })
    assert.match(byExternalId, /tasks_external_id_taken on tasks t_1\n +Index Cond: /)
    assert.doesNotMatch(byExternalId, /Seq Scan/, byExternalId)
  })

  // Other projects contain the same words.
  for (const [what, q, own] of [
    ['a rare word', 'rare', taskCount / 1000],
    ['two words', 'rare WORD1', taskCount / 1000],
    ['a word only in other projects', 'other', 0],
  ] as const) {
    test(`a search for ${what} uses the index and reads only tasks of its project`, async () => {
      for (const sort of ['-createdAt', 'dueDate']) {
        const plan = await explain(tasks, { ...ofProject, sort, q }, 'analyze, costs off, timing off')
        const [, rows] = /Bitmap Index Scan on tasks_by_terms \(actual rows=(\d+)/.exec(plan) ?? []
        assert.equal(Number(rows), own, plan)
        assert.match(plan, /project_id = /)
        assert.doesNotMatch(plan, /Seq Scan/, plan)
      }
    })
  }

  for (const sort of ['createdAt', 'updatedAt', 'dueDate', 'priority', 'number', 'completedAt'].flatMap(bothWays)) {
    for (const q of ['common', 'common WORD']) {
      test(`a search for ${q} by ${sort}: walks the index of the sort until the page is full`, async () => {
        const plan = await explain(tasks, { ...ofProject, sort, q }, 'analyze, costs off, timing off')
        const [, rows] = /Index Scan (?:Backward )?using tasks_\w+ on tasks t_1 \(actual rows=(\d+)/.exec(plan) ?? []
        assert.equal(Number(rows), 51, plan)
        assert.doesNotMatch(plan, /Rows Removed|Sort|Bitmap|Seq Scan/, plan)
      })
    }
  }

  test('the responses of tasks are built only for the rows of the page', async () => {
    const params = { ...ofProject, q: 'some7', includeTags: true, includeWatchers: true }
    const plan = await explain(tasks, params, 'analyze, costs off, timing off')
    const loops = [...plan.matchAll(/Aggregate \(actual rows=1(?:\.00)? loops=(\d+)\)/g)].map(([, n]) => Number(n))
    assert.deepEqual(loops, [1, 51, 51], plan)
    assert.doesNotMatch(await explain(tasks, { ...ofProject, q: 'some7' }), /tags|watchers/)
  })
})
