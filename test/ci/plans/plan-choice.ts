// The plans of every shape of a list's statement, compared: each filter and each pair of filters in each order, with values
// that most rows, a few rows and no rows have. A generic plan reads an index in its order and nothing else, so it is right
// for every value: it reads no more than a plan that is made for the value.

import assert from 'node:assert/strict'
import type { Plans } from '../../../src/db/pool/plan-settings.ts'
import createIndexSql from '../../../sql/fields/create-index.sql'
import { include, type Params, type Value } from '../../../src/db/statements/template.ts'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { boards } from '../../../src/resources/boards/list-boards.ts'
import { stages } from '../../../src/resources/boards/list-stages.ts'
import { comments } from '../../../src/resources/comments/list-comments.ts'
import { documents } from '../../../src/resources/documents/list-documents.ts'
import { files } from '../../../src/resources/files/list-files.ts'
import { users } from '../../../src/resources/people/list-users.ts'
import { projects } from '../../../src/resources/projects/list-projects.ts'
import { tasks } from '../../../src/resources/tasks/list-tasks.ts'
import { timeEntries } from '../../../src/resources/time-entries/list-time-entries.ts'
import { pageOf } from '../../support/api-statements.ts'
import { idOf, idSql as id, pagesIn, type planSuite } from './plan-suite.ts'

const rows = 6_000

/** In a transaction, as tests insert their rows. */
export const fieldIndex = (name: string) => include(createIndexSql, { name }).replace(' concurrently', '')

const at = (minutes: string) => `timestamp '2026-01-01' + (${minutes}) * interval '1 minute'`

/**
 * The first project is large. One row in 500 has another value than all others. All other projects are small, and their
 * rows have the frequent value, so statistics make it look as if hardly any row had another.
 */
export function rowsOf(projectCount: number, rareRows: 'some' | 'none') {
  const n = (rare: string, frequent: string) =>
    rareRows === 'some' ? `case when p.large and n % 500 = 0 then ${rare} else ${frequent} end` : frequent
  return `
  insert into workgate.users (id, name, email) select ${id('001', 'n')}, n, n || '@example.org' from generate_series(1, 3) n;
  insert into workgate.projects (id, key, name, created_at, updated_at)
  select ${id('003', 'n')}, 'P' || n, n, ${at('n')}, ${at('n')} from generate_series(1, ${projectCount}) n;
  create temp view places as
  select p.id as project_id, n, p.large
  from (select id, name = '1' as large from workgate.projects) p, generate_series(1, case when p.large then ${rows} else 3 end) n;
  insert into workgate.project_members (project_id, user_id) select id, ${id('001', '1')} from workgate.projects;
  insert into workgate.boards (project_id, id, name, position) select project_id, ${id('004', 'n')}, n, n from places p where n <= 3;
  insert into workgate.stages (project_id, id, board_id, name, category, position)
  select project_id, id, id, 'x', 'backlog', position from workgate.boards;
  insert into workgate.tasks (
    project_id, id, number, title, state, completed_at, priority, type, board_id, stage_id, parent_id, assignee_id, creator_id,
    due_date, external_id, fields, created_at, updated_at)
  select
    project_id, ${id('006', 'n')}, n, ${n("'rare'", "'common'")}, ${n("'completed'", "'open'")}, ${n(at('n'), 'null')}, ${n("'urgent'", "'none'")}::workgate.priority, ${n("'rare'", "'common'")},
    ${id('004', n('2', '1'))}, ${id('004', n('2', '1'))}, case when n > 2 then ${id('006', n('2', '1'))} end,
    ${id('001', n('2', '1'))}, ${id('001', n('2', '1'))}, date '2026-01-01' + n, 'acme/website#' || n, jsonb_build_object('size', ${n("'rare'", "'common'")}, 'points', ${n('1', '5')}),
    ${at('n')}, ${at(`n * 7919 % ${rows}`)}
  from places p;
  insert into workgate.fields (name, type) values ('size', 'text'), ('points', 'number');
  ${['size', 'points'].map(fieldIndex).join(';')};
  insert into workgate.comments (project_id, id, task_id, author_id, body, created_at, updated_at)
  select project_id, ${id('007', 'n')}, ${id('006', n('2', '1'))}, ${id('001', n('2', '1'))}, ${n("'rare'", "'common'")}, ${at('n')}, ${at(`n * 7919 % ${rows}`)}
  from places p;
  insert into workgate.files (project_id, id, task_id, comment_id, creator_id, name, mime_type, size_bytes, url, created_at, updated_at)
  select
    project_id, ${id('008', 'n')}, ${id('006', n('2', '1'))}, case when n % 3 > 0 then ${id('007', n('500', '1'))} end, ${id('001', n('2', '1'))},
    n, 'a/b', n, 'https://x.example/', ${at('n')}, ${at(`n * 7919 % ${rows}`)}
  from places p;
  insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at, ended_at, billable, created_at, updated_at)
  select
    project_id, ${id('009', 'n')}, ${id('006', n('2', '1'))}, ${id('001', n('2', '1'))}, date '2026-01-01' + n / 20, ${at('n')}, ${n('null', at('n + 1'))},
    ${n('true', 'false')}, ${at('n')}, ${at(`n * 7919 % ${rows}`)}
  from places p;
  insert into workgate.documents (project_id, id, path, title, markdown, task_id, author_id, created_at, updated_at)
  select
    project_id, ${id('00a', 'n')}, ${n("'rare/'", "'common/'")} || n, ${n("'rare '", "'common '")} || n, '', ${id('006', n('2', '1'))}, ${id('001', n('2', '1'))},
    ${at('n')}, ${at(`n * 7919 % ${rows}`)}
  from places p;
  drop view places`
}

export const idsOf = (kind: string): Value[] =>
  [1, 2, 9, 0].map((n) => (n ? [idOf(kind, n)] : [idOf(kind, 1), idOf(kind, 2)]))
/** A number or a reference is looked up in the project. */
// prettier-ignore
export const tasksOf: Value[] = [...idsOf('006'), ['1'], ['2'], ['P1-1'], ['P2-1'], ['99999'], ['1', 'P1-2', idOf('006', 9)]]
const hasNames = ({ taskId, parentId }: Params) =>
  [taskId, parentId].some((names) => Array.isArray(names) && names.some((name) => !/^none$|^.{36}$/.test(name)))
const readsByTask = /Index Cond: \(.*(task_id|parent_id) = /
export const from: Value[] = ['2020-01-01', '2026-01-02', '2030-01-01']
export const to: Value[] = ['2030-01-01', '2026-01-02', '2020-01-01']
export const flags: Value[] = [true, false]
export const words: Value[] = ['common', 'rare', 'absent']
export const times = { createdAfter: from, createdBefore: to, updatedAfter: from, updatedBefore: to }

/** Values to test for each filter. */
export type Values = Readonly<Record<string, readonly Value[]>>

// prettier-ignore
export const ofTasks: Values = {
  state: [['open'], ['completed'], ['cancelled'], ['open', 'completed']], stageId: idsOf('004'), boardId: idsOf('004'),
  assigneeId: [...idsOf('001'), ['none'], ['none', idOf('001', 2)]], creatorId: idsOf('001'), watcherId: idsOf('001'),
  // Other values of filters are lists; these are conditions by name.
  fields: [{ size: ['common'] }, { size: ['rare'] }, { size: ['absent'] }, { size: ['none'] }, { points: ['1'] }, { 'points>': ['3'] }, { 'points<': ['3'], size: ['rare', 'x'] }] as never[],
  type: [['common'], ['rare'], ['absent'], ['common', 'rare'], ['none'], ['common', 'none']],
  priority: [['none'], ['urgent'], ['low'], ['low', 'urgent']], parentId: [...tasksOf, ['none'], ['none', idOf('006', 2)], ['none', '2']],
  tag: [['absent']], number: [['1'], ['1', '2'], ['99999']],
  reference: [['P1-1'], ['P1-1', 'P1-2'], ['P1-99999'], ['P2-1']], externalId: [['acme/website#1'], ['acme/website#1', 'acme/website#2'], ['none']], dueAfter: from, dueBefore: to, overdue: flags,
  completedAfter: from, completedBefore: to, q: words, ...times,
}
// prettier-ignore
export const ofTimeEntries: Values = {
  taskId: [...tasksOf, ['none'], ['none', idOf('006', 2)], ['none', '2']], userId: idsOf('001'), billable: flags, running: flags, spentAfter: from, spentBefore: to,
  startedAfter: from, startedBefore: to, ...times,
}

const scopes: Record<ListDefinition['of'], Params> = {
  project: { projectId: idOf('003', 1) },
  projects: { allProjects: true },
  'objects of projects': { allProjects: true, firstRows: 8 },
}
/** Rows of several projects are sorted twice: the first rows of each, and those of the page. */
const sortsOf = (list: ListDefinition) => (list.of === 'objects of projects' ? 2 : 0)

type Explain = Awaited<ReturnType<typeof planSuite>>['explainPage']

/** The lists of a project, and those of projects, with the values of their filters. */
// prettier-ignore
export const listsOfProject: [name: string, list: ListDefinition, values: Values][] = [
  ['projects', projects, { status: [['active'], ['archived'], ['active', 'archived']], q: ['1', '999', 'absent'], ...times }],
  ['boards', boards, { archived: flags }],
  ['stages', stages, { boardId: idsOf('004'), category: [['backlog'], ['done']] }],
  ['users', users, { role: [['member'], ['owner']], active: flags, teamId: [[idOf('002', 1)]], q: words }],
  ['tasks', tasks, ofTasks],
  ['comments', comments, { taskId: tasksOf, authorId: idsOf('001'), hasFiles: flags, q: words, ...times }],
  ['files', files, { taskId: tasksOf, commentId: [...idsOf('007'), ['none'], ['none', idOf('007', 2)]], creatorId: idsOf('001'), ...times }],
  ['time entries', timeEntries, ofTimeEntries],
  ['documents', documents, { taskId: tasksOf, authorId: idsOf('001'), pathPrefix: ['common/', 'rare/', 'absent/'], q: words, ...times }],
]

/**
 * Returns tests of the plans of a list in a database, and what to run before them. Custom plans may read `pagesMore` more
 * database pages than others.
 */
export function planChecks(explain: Explain, list: ListDefinition, values: Values, pagesMore = 0) {
  const sorts = Object.keys(list.sorts).flatMap((sort) => [sort, `-${sort}`])

  /** Describes what is wrong with the plan. */
  async function check(filters: Params, sort: string): Promise<string | undefined> {
    const params: Params = { ...scopes[list.of], ...filters, sort }
    const [statement, values] = pageOf(list, params)
    const plans = statement.statementFor(values).plans!
    const plan = await analyze(params, plans)
    // Without custom plans, a search would read every row.
    if ('q' in filters) return plans === 'custom' ? undefined : plan
    const other = await analyze(params, plans === 'generic' ? 'custom' : 'generic')
    // Rows of two indexes are merged. Those of tasks with several assignees are few, and may be filtered.
    const sorts = plan.match(/(?<!Incremental )Sort \(/g)?.length ?? 0
    const filtered = /Scan (?![^\n]*tasks_of_several_assignees)[^\n]*\n +Index Cond: [^\n]*\n +Filter/
    const isInOrder = sorts === sortsOf(list) && !/Seq Scan|Bitmap/.test(plan) && !filtered.test(plan)
    const [pages, others] = [pagesIn(plan), pagesIn(other)]
    // The planner's estimates for a custom plan can be wrong by a small factor.
    const isCheap = plans === 'generic' ? pages <= others * 1.2 + 12 : pages <= others * 3 + 60 + pagesMore
    // When it plans, PostgreSQL does not know which task a name means. It may then read and sort all rows of the task.
    if (plans === 'custom' && hasNames(filters)) return isCheap || readsByTask.test(plan) ? undefined : plan
    return isCheap && (isInOrder || plans === 'custom') ? undefined : `${plan}\nThe other plan:\n${other}`
  }

  const analyze = (params: Params, plans: Plans) =>
    explain(list, params, 'analyze, buffers, costs off, timing off, summary off', plans)

  async function checkAll(cases: readonly Params[]) {
    for (const filters of cases)
      for (const sort of sorts)
        assert.equal(await check(filters, sort), undefined, `${sort} ${JSON.stringify(filters)}`)
  }

  function checkValues() {
    const ofRows = Object.keys(list.filters).filter((name) => name !== 'projectId')
    assert.deepEqual(Object.keys(values).sort(), ofRows.sort())
  }

  // Each pair with a few combinations of values and sorts; each value and each sort occurs in many pairs.
  async function checkPairs() {
    const names = Object.keys(values)
    const pairs = names.flatMap((first, n) => names.slice(n + 1).map((second) => [first, second] as const))
    for (const [n, [first, second]] of pairs.entries()) {
      for (let m = n; m < n + 3; m++) {
        const [one, other] = [values[first]!, values[second]!]
        const filters = { [first]: one[m % one.length]!, [second]: other[(n + m) % other.length]! }
        const sort = sorts[(n * 5 + m) % sorts.length]!
        assert.equal(await check(filters, sort), undefined, `${sort} ${JSON.stringify(filters)}`)
      }
    }
  }

  const tests: [claim: string, check: () => unknown][] = [
    ['the values of every filter are listed here', checkValues],
    ['without a filter', () => checkAll([{}])],
    ...Object.entries(values).map(
      ([filter, ofFilter]) =>
        [`with ${filter}`, () => checkAll(ofFilter.map((value) => ({ [filter]: value })))] as [string, () => unknown],
    ),
    ['with two filters', checkPairs],
  ]
  // The first statement of a connection also reads the catalog.
  return { tests, warmUp: () => analyze(scopes[list.of], 'custom') }
}
