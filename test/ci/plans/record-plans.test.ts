// Comments, files, time entries and documents: each sort, filter and search uses the index that was created for it, and reads
// nothing that it does not return.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Params } from '../../../src/db/statements/template.ts'
import { findVersions } from '../../../src/api/freshness/freshness.ts'
import type { ListDefinition } from '../../../src/api/lists/page-query.ts'
import { comments } from '../../../src/resources/comments/list-comments.ts'
import { documents } from '../../../src/resources/documents/list-documents.ts'
import { files } from '../../../src/resources/files/list-files.ts'
import { timeEntries } from '../../../src/resources/time-entries/list-time-entries.ts'
import { idOf, idSql as id, planSuite } from './plan-suite.ts'

const project = idOf('003', 1)
const task = [idOf('006', 7)]
const user = [idOf('001', 7)]
const comment = [idOf('007', 7)]

const at = (n: string) => `timestamp '2026-01-01' + (${n}) * interval '1 minute'`
const {
  db,
  explain: explainQuery,
  explainPage,
} = await planSuite(`
    insert into workgate.users (id, name, email) select ${id('001', 'n')}, n, n || '@example.org' from generate_series(1, 12) n;
    insert into workgate.projects (id, key, name) select ${id('003', 'n')}, 'P' || n, n from generate_series(1, 1000) n;
    create temp view projects as select id, case name when '1' then 12000 else 600 end as rows from workgate.projects where name in ('1', '2', '3');
    insert into workgate.tasks (project_id, id, number, title)
    select p.id, ${id('006', 'n')}, n, n from projects p, generate_series(1, 12) n;
    insert into workgate.comments (project_id, id, task_id, author_id, body, created_at, updated_at)
    select p.id, ${id('007', 'n')}, ${id('006', '1 + n % 12')}, ${id('001', '1 + n % 12')}, 'common w' || n % 400 || ' unique' || n, ${at('n')}, ${at('n * 7919 % 20000')}
    from projects p, generate_series(1, rows) n;
    insert into workgate.files (project_id, task_id, comment_id, name, mime_type, size_bytes, sha256, url)
    select project_id, task_id, id, 'f', 'a/b', 1, repeat('0', 64), 'https://u' from workgate.comments where right(id::text, 1) = '3';
    insert into workgate.files (project_id, id, task_id, creator_id, name, mime_type, url, created_at, updated_at)
    select p.id, ${id('008', 'n')}, ${id('006', '1 + n % 12')}, ${id('001', '1 + n % 12')}, 'f', 'a/b', 'https://u', ${at('n')}, ${at('n * 7919 % 20000')}
    from projects p, generate_series(1, rows) n;
    insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at, ended_at, billable, created_at, updated_at)
    select p.id, ${id('009', 'n')}, case when n % 13 > 0 then ${id('006', '1 + n % 12')} end, ${id('001', '1 + n % 12')}, date '2026-01-01' + n / 20,
      ${at('n')}, case when n % 20 > 0 then ${at('n + 1')} end, n % 2 = 0, ${at('n')}, ${at('n * 7919 % 20000')}
    from projects p, generate_series(1, rows) n;
    insert into workgate.documents (project_id, id, path, title, markdown, task_id, author_id, created_at, updated_at)
    select p.id, ${id('00a', 'n')}, 'folder' || n % 100 || '/' || n, 'Title ' || n, '', ${id('006', '1 + n % 12')}, ${id('001', '1 + n % 12')},
      ${at('n')}, ${at('n * 7919 % 20000')}
    from projects p, generate_series(1, rows) n;
`)

const all: Params = { projectId: project }

async function explain(list: ListDefinition, params: Params) {
  const plan = await explainPage(list, params)
  // The plan contains casts for domains and collations.
  const cast = /\((\w+|lower\(title\))\)::(timestamp with time zone|date|text)/g
  return plan.replaceAll(cast, '$1')
}

/** Asserts that the plan reads this index in the sort order, starting where the conditions begin. */
function assertWalk(plan: string, index: string, conditions: string[], sort: string) {
  assert.match(plan, new RegExp(`Scan ${sort.startsWith('-') ? 'Backward ' : ''}using ${index} `), plan)
  assert.doesNotMatch(plan, /Sort|Seq Scan|IS NULL|Bitmap/, plan)
  const [, found] = new RegExp(`using ${index} .*\\n +Index Cond: (.*)`).exec(plan) ?? []
  for (const condition of ['project_id = ', ...conditions]) assert.ok(found?.includes(condition), plan)
}

test('the end of a page is computed once', async () =>
  assert.equal((await explainPage(comments, all)).match(/on unnest items/g)?.length, 1))

test('a name in a path is looked up once', async () => {
  const plan = await explainQuery(findVersions, { scopes: [], names: ['//P1/5'] })
  assert.equal(plan.match(/Index Cond: \(key = /g)?.length, 1, plan)
})

const moment = '2026-01-05T00:00:00.000Z'

// prettier-ignore
const orders: [resource: string, list: ListDefinition, filter: Params, sort: string, index: string, conditions: string[], after: string, from: string][] = [
  ['comments',     comments,    {},                          'createdAt', 'comments_by_created_at',     [],             moment,        'ROW(created_at, id)'],
  ['comments',     comments,    { taskId: task },            'createdAt', 'comments_by_task',           ['task_id = '], moment,        'ROW(created_at, id)'],
  ['comments',     comments,    { authorId: user },          'createdAt', 'comments_by_author',         ['author_id ='],moment,        'ROW(created_at, id)'],
  ['comments',     comments,    { hasFiles: true },          'createdAt', 'comments_by_created_at',     [],             moment,        'ROW(created_at, id)'],
  ['comments',     comments,    { hasFiles: false },         'createdAt', 'comments_by_created_at',     [],             moment,        'ROW(created_at, id)'],
  ['comments',     comments,    { createdAfter: moment },    'createdAt', 'comments_by_created_at',     ['created_at >='], moment,     'ROW(created_at, id)'],
  ['comments',     comments,    { createdBefore: moment },   'createdAt', 'comments_by_created_at',     ['created_at <'],  moment,     'ROW(created_at, id)'],
  ['comments',     comments,    {},                          'updatedAt', 'comments_by_updated_at',     [],             moment,        'ROW(updated_at, id)'],
  ['comments',     comments,    { updatedAfter: moment },    'updatedAt', 'comments_by_updated_at',     ['updated_at >='], moment,     'ROW(updated_at, id)'],
  ['files',        files,       {},                          'createdAt', 'files_by_created_at',        [],             moment,        'ROW(created_at, id)'],
  ['files',        files,       { taskId: task },            'createdAt', 'files_by_task',              ['task_id = '], moment,        'ROW(created_at, id)'],
  ['files',        files,       { commentId: comment },      'createdAt', 'files_by_comment',           ['comment_id = '], moment,     'ROW(created_at, id)'],
  ['files',        files,       { commentId: ['none'] },     'createdAt', 'files_without_comment',      [],             moment,        'ROW(created_at, id)'],
  ['files',        files,       { creatorId: user },         'createdAt', 'files_by_creator',           ['creator_id = '], moment,     'ROW(created_at, id)'],
  ['files',        files,       { createdAfter: moment },    'createdAt', 'files_by_created_at',        ['created_at >='], moment,     'ROW(created_at, id)'],
  ['files',        files,       {},                          'updatedAt', 'files_by_updated_at',        [],             moment,        'ROW(updated_at, id)'],
  ['files',        files,       { updatedBefore: moment },   'updatedAt', 'files_by_updated_at',        ['updated_at <'],  moment,     'ROW(updated_at, id)'],
  ['time entries', timeEntries, {},                          'startedAt', 'time_entries_by_started_at', [],             moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { taskId: task },            'startedAt', 'time_entries_by_task',       ['task_id = '], moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { taskId: ['none'] },        'startedAt', 'time_entries_without_task',  [],             moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { userId: user },            'startedAt', 'time_entries_by_user',       ['user_id = '], moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { billable: true },          'startedAt', 'time_entries_by_started_at', [],             moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { running: false },          'startedAt', 'time_entries_by_started_at', [],             moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { running: true },           'startedAt', 'time_entries_running',       [],             moment,        'ROW(started_at, id)'],
  ['time entries', timeEntries, { startedAfter: moment },    'startedAt', 'time_entries_by_started_at', ['started_at >='], moment,     'ROW(started_at, id)'],
  ['time entries', timeEntries, {},                          'spentOn',   'time_entries_by_spent_on',   [],             '2026-06-01',  'ROW(spent_on, id)'],
  ['time entries', timeEntries, { spentAfter: '2026-01-03' },'spentOn',   'time_entries_by_spent_on',   ['spent_on >='], '2026-06-01', 'ROW(spent_on, id)'],
  ['time entries', timeEntries, { spentBefore: '2027-01-03' },'spentOn',  'time_entries_by_spent_on',   ['spent_on <'],  '2026-06-01', 'ROW(spent_on, id)'],
  ['time entries', timeEntries, {},                          'updatedAt', 'time_entries_by_updated_at', [],             moment,        'ROW(updated_at, id)'],
  ['time entries', timeEntries, { updatedBefore: moment },   'updatedAt', 'time_entries_by_updated_at', ['updated_at <'], moment,      'ROW(updated_at, id)'],
  ['documents',    documents,   {},                          'path',      'documents_path_taken',       [],             'folder5/105', 'path'],
  ['documents',    documents,   { taskId: task },            'path',      'documents_by_task',          ['task_id = '], 'folder5/105', 'path'],
  ['documents',    documents,   { authorId: user },          'path',      'documents_by_author',        ['author_id ='],'folder5/105', 'path'],
  ['documents',    documents,   { pathPrefix: 'folder5/' },  'path',      'documents_path_taken',       [`path >= 'folder5/'`, `path < 'folder50'`], 'folder5/105', 'path'],
  ['documents',    documents,   {},                          'updatedAt', 'documents_by_updated_at',    [],             moment,        'ROW(updated_at, id)'],
  ['documents',    documents,   { updatedAfter: moment },    'updatedAt', 'documents_by_updated_at',    ['updated_at >='], moment,     'ROW(updated_at, id)'],
  ['documents',    documents,   {},                          'title',     'documents_by_title',         [],             'title 105',   'ROW(lower(title), id)'],
]

for (const [resource, list, filter, name, index, conditions, after, from] of orders) {
  describe(`${resource} by ${name}${Object.entries(filter).map(([name, value]) => ` with ${name}=${value}`)}`, () => {
    for (const sort of [name, `-${name}`]) {
      test(`${sort}: walks ${index} from the start and from the middle`, async () => {
        const params = { ...all, ...filter, sort }
        assertWalk(await explain(list, params), index, conditions, sort)
        const start = `${from} ${sort === name ? '>' : '<'} `
        const deep = await explain(list, { ...params, after, afterId: idOf('007', 105) })
        assertWalk(deep, index, [...conditions, start], sort)
      })
    }
  })
}

describe('other reads', () => {
  // prettier-ignore
  const singleReads: [resource: string, list: ListDefinition, id: string, index: string][] = [
    ['comment',    comments,    idOf('007', 105), 'comments_pkey'],
    ['file',       files,       idOf('008', 105), 'files_pkey'],
    ['time entry', timeEntries, idOf('009', 105), 'time_entries_pkey'],
    ['document',   documents,   idOf('00a', 105), 'documents_pkey'],
  ]
  for (const [resource, list, id, index] of singleReads) {
    test(`one ${resource} is found by its key`, async () => {
      const plan = await explain(list, { ...all, id, sort: null, limit: 1 })
      assert.match(plan, new RegExp(`using ${index} .*\\n +Index Cond: \\(\\(project_id = .*\\) AND \\(id = `), plan)
      assert.doesNotMatch(plan, /Seq Scan|IS NULL/, plan)
    })
  }

  // prettier-ignore
  const searches: [list: ListDefinition, params: Params, index: string][] = [
    [comments,  { ...all,  q: 'unique4711' },        'comments_by_terms'],
    [comments,  { ...all,  q: 'common nothing' },    'comments_by_terms'],
    [documents, { ...all, q: '4711 tit' },          'documents_by_terms'],
  ]
  for (const [list, params, index] of searches) {
    test(`a search for ${params['q']} uses ${index}`, async () => {
      const plan = await explain(list, params)
      assert.match(plan, new RegExp(`Bitmap Index Scan on ${index}`), plan)
      assert.doesNotMatch(plan, /Seq Scan|IS NULL/, plan)
    })
  }

  test('a search for a word in every comment walks the sort index until the page is full', async () => {
    assertWalk(await explain(comments, { ...all, q: 'common' }), 'comments_by_created_at', [], '-createdAt')
  })

  test('the terms of a comment are computed only after all other conditions match', async () => {
    await db.run('set enable_bitmapscan = off')
    const plan = await explain(comments, { ...all, q: 'common', hasFiles: true })
    await db.run('reset enable_bitmapscan')
    assert.match(plan, /Filter: .*~~ ALL .*common.*<> 0.*SubPlan.*terms_in/, plan)
  })

  test('files are read only if requested, by their comment, in index order', async () => {
    assert.doesNotMatch(await explain(comments, all), /files/)
    const plan = await explain(comments, { ...all, includeFiles: true })
    assertWalk(plan, 'comments_by_created_at', [], '-createdAt')
    assertWalk(plan.replaceAll('Backward ', ''), 'files_by_comment', ['comment_id = c.id'], '')
  })

  test('hasFiles is checked comment by comment, without reading all files', async () => {
    const plan = await explain(comments, { ...all, hasFiles: true })
    assert.match(plan, /using files_by_comment .*\n +Index Cond: \(\(project_id = .*\) AND \(comment_id = c_1\.id\)\)/)
    assert.doesNotMatch(plan, /hashed/)
  })
})
