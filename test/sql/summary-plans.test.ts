// What counts is not counted: overview, stages and summary cost the same however many tasks there are.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openDatabase, type Database } from '../../src/db/database.ts'
import { bind, prepare, type Params, type Statement } from '../../src/db/query.ts'
import { pageQuery } from '../../src/api/lists/list.ts'
import { stages } from '../../src/resources/boards/list-stages.ts'
import { projectSummaries } from '../../src/resources/projects/summarize-projects.ts'
import { id } from '../support/data.ts'
import { freshDatabase } from '../support/workgate.ts'
import overview from '../../sql/analytics/overview.sql'

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Database

const few = id('project', 1)
const many = id('project', 2)

before(async () => {
  database = await freshDatabase()
  db = openDatabase({ target: { url: database.url }, poolSize: 1, statementTimeoutMs: 30_000 })
  // The same days, users and stages: 40 tasks in one project, 8,000 in another, and a hundred more projects.
  const uuid = (kind: string, n: string) => `('00000000-0000-7000-8${kind}-' || lpad((${n})::text, 12, '0'))::uuid`
  await database.sql.unsafe(`
    insert into workgate.projects (id, key, name) select ${uuid('003', 'n')}, 'P' || n, n from generate_series(1, 102) n;
    insert into workgate.boards (project_id, id, name) select id, id, 'x' from workgate.projects;
    insert into workgate.stages (project_id, id, board_id, name, category)
    select p.id, ${uuid('005', 'n')}, p.id, 'x', 'active' from workgate.projects p, generate_series(1, 4) n;
    insert into workgate.tasks (project_id, id, number, title, stage_id, due_date, created_at)
    select p.id, ${uuid('006', 'n')}, n, 'x', ${uuid('005', '1 + n % 4')}, current_date - n % 20, now() - n % 10 * interval '1 day'
    from workgate.projects p cross join lateral generate_series(1, case p.id when '${many}' then 8000 else 40 end) n;
    insert into workgate.comments (project_id, task_id, body) select project_id, id, 'x' from workgate.tasks;
    do $$ begin perform workgate.compact_tallies(id) from workgate.projects; end $$;
  `)
  await database.sql.unsafe('vacuum analyze')
})
after(async () => {
  await db.close()
  await database.drop()
})

async function explain({ text, names }: Statement, params: Params, options: string): Promise<string> {
  const plan = await db.run<{ 'QUERY PLAN': string }>(`explain (${options}) ${text}`, bind({ text, names }, params))
  return plan.map((line) => line['QUERY PLAN']).join('\n')
}

async function pagesRead(statement: Statement, params: Params): Promise<number> {
  await explain(statement, params, 'analyze')
  const [read] = /(?<=Buffers: shared ).*/.exec(await explain(statement, params, 'analyze, buffers, costs off')) ?? []
  assert.ok(read)
  return [...read.matchAll(/(?:hit|read)=(\d+)/g)].reduce((sum, [, pages]) => sum + Number(pages), 0)
}

const ofStages = {
  boardId: null,
  category: null,
  sort: 'position',
  after: null,
  afterId: null,
  limit: 50,
}
const projectScope: [name: string, statement: Statement, more: Params][] = [
  ['the overview', prepare(overview), {}],
  ['the list of stages', pageQuery(stages).statement, ofStages],
]

describe('of 8,000 tasks no more is read than of 40', () => {
  for (const [name, statement, more] of projectScope) {
    test(name, async () => {
      const [small, large] = [
        await pagesRead(statement, { ...more, projectId: few }),
        await pagesRead(statement, { ...more, projectId: many }),
      ]
      assert.ok(large <= small * 1.3 + 10, `${large} pages of the database against ${small}`)
    })
  }
})

describe('the summary', () => {
  const { statement } = pageQuery(projectSummaries)
  // prettier-ignore
  const params = {
    projectId: null, allProjects: true, projectIds: [], status: null, q: null, after: null, afterId: null,
    sort: '-lastActivityAt',
    limit: 10,
  }

  test('of all projects reads the tallies along their kind and the end of an index for each table of a project', async () => {
    const plan = await explain(statement, params, 'costs off')
    assert.equal(plan.match(/Index Only Scan using tallies_by_kind/g)?.length, 2, plan)
    assert.doesNotMatch(plan, /(Scan on|using tallies_pkey on) tallies/, plan)
    for (const table of ['tasks', 'comments'])
      assert.match(plan, new RegExp(`Limit\\n *-> +Index (Only )?Scan Backward using ${table}_by_updated_at`), plan)
  })

  test('of one project reads a small part of what that of all reads', async () => {
    const one = await pagesRead(statement, { ...params, allProjects: false, projectIds: [few] })
    const all = await pagesRead(statement, params)
    assert.ok(one * 10 < all, `${one} pages of the database against ${all}`)
  })

  test('puts together what is shown for the rows of the page alone', async () => {
    const plan = await explain(statement, params, 'analyze, costs off, timing off')
    const loops = new Set([...plan.matchAll(/loops=(\d+)/g)].map(([, n]) => Number(n)))
    // The row that shows that there are more, the projects, the spans of time.
    assert.deepEqual([...loops].sort((a, b) => a - b), [1, 2, 11, 102], plan) // prettier-ignore
  })
})
