// The overview, the stages and the summary read tallies: they cost the same for any number of tasks.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Query } from '../../../src/db/statements/query.ts'
import type { Params } from '../../../src/db/statements/template.ts'
import { findOverview } from '../../../src/resources/analytics/get-overview.ts'
import { stages } from '../../../src/resources/boards/list-stages.ts'
import { projectSummaries } from '../../../src/resources/projects/summarize-projects.ts'
import { pageOf } from '../../support/api-statements.ts'
import { idOf, idSql as uuid, planSuite } from './plan-suite.ts'

const few = idOf('003', 1)
const many = idOf('003', 2)

// The same days, users and stages: 40 tasks in one project, 8,000 in another, and a hundred more projects.
const { explain, pagesRead } = await planSuite(
  `
    insert into workgate.projects (id, key, name) select ${uuid('003', 'n')}, 'P' || n, n from generate_series(1, 102) n;
    insert into workgate.boards (project_id, id, name) select id, id, 'x' from workgate.projects;
    insert into workgate.stages (project_id, id, board_id, name, category)
    select p.id, ${uuid('005', 'n')}, p.id, 'x', 'active' from workgate.projects p, generate_series(1, 4) n;
    select workgate.add_field('points', 'number');
    insert into workgate.tasks (project_id, id, number, title, board_id, stage_id, due_date, created_at, fields)
    select p.id, ${uuid('006', 'n')}, n, 'x', p.id, ${uuid('005', '1 + n % 4')}, current_date - n % 20, now() - n % 10 * interval '1 day', '{"points": 2.5}'
    from workgate.projects p cross join lateral generate_series(1, case p.id when '${many}' then 8000 else 40 end) n;
    insert into workgate.comments (project_id, task_id, body) select project_id, id, 'x' from workgate.tasks;
    select workgate.recount(id) from workgate.projects`,
  'vacuum analyze',
)

const projectScope: [name: string, statement: Query<unknown>, more: Params][] = [
  ['the overview', findOverview, { measure: null }],
  ['the overview with a measure', findOverview, { measure: 'points' }],
  ['the list of stages', ...pageOf(stages, {})],
]

describe('8,000 tasks require no more reads than 40:', () => {
  for (const [name, statement, more] of projectScope) {
    test(name, async () => {
      const [small, large] = [
        await pagesRead(statement, { ...more, projectId: few }),
        await pagesRead(statement, { ...more, projectId: many }),
      ]
      assert.ok(large <= small * 1.3 + 10, `${large} database pages, compared with ${small}`)
    })
  }
})

describe('the summary', () => {
  const [statement, params] = pageOf(projectSummaries, { allProjects: true, limit: 10 })

  test('of all projects reads the tallies by kind, and the last index entry per project and table', async () => {
    const plan = await explain(statement, params)
    assert.equal(plan.match(/Index Only Scan using tallies_by_kind/g)?.length, 2, plan)
    assert.doesNotMatch(plan, /(Scan on|using tallies_pkey on) tallies/, plan)
    for (const table of ['tasks', 'comments'])
      assert.match(plan, new RegExp(`Limit\\n *-> +Index (Only )?Scan Backward using ${table}_by_updated_at`), plan)
  })

  test('of one project reads a small part of the pages that the summary of all reads', async () => {
    const one = await pagesRead(statement, { ...params, allProjects: null, projectIds: [few] })
    const all = await pagesRead(statement, params)
    assert.ok(one * 10 < all, `${one} database pages, compared with ${all}`)
  })

  test('builds responses only for the rows of the page', async () => {
    const plan = await explain(statement, params, 'analyze, costs off, timing off')
    const loops = new Set([...plan.matchAll(/loops=(\d+)/g)].map(([, n]) => Number(n)))
    // 11: a page and the row after it. 102: the projects. 2: the time spans.
    assert.deepEqual([...loops].sort((a, b) => a - b), [1, 2, 11, 102], plan) // prettier-ignore
  })
})
