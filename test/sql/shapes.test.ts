// PostgreSQL accepts the statements of the API in every shape: each sort, and each part alone and together with all others.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pageQueries, spreadQueries, type ListDefinition } from '../../src/api/lists/page-query.ts'
import type { Query } from '../../src/db/statements/query.ts'
import { listsOfProject } from '../ci/plans/plan-choice.ts'
import { composed, lists } from '../support/api-statements.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'

const database = await suiteDatabase()

/** Absent parameters leave parts out, and arrays of one value are compared in another way. */
function shapesOf({ names, statementFor }: Query<unknown>): Set<string> {
  const of = (given: readonly string[], value: string | string[]) =>
    statementFor(Object.fromEntries(given.map((name) => [name, value]))).text
  const alone = names.flatMap((name) => [of([name], 'one'), of([name], ['one'])])
  return new Set([of([], 'one'), ...alone, of(names, 'one'), of(names, ['one'])])
}

async function prepareAll(queries: readonly Query<unknown>[]) {
  const texts = new Set(queries.flatMap((query) => [...shapesOf(query)]))
  assert.ok(texts.size > 0)
  for (const text of texts) {
    await database.sql.unsafe(text).describe().catch((error: Error) => assert.fail(`${error.message}\n${text}`)) // prettier-ignore
  }
}

/** One statement for each sort and, in lists of a project, one for a single item, and two for each sort in a cluster. */
function queriesOf(list: ListDefinition): Query<unknown>[] {
  const sorts = Object.keys(list.sorts).flatMap((sort) => [sort, `-${sort}`])
  const spread = spreadQueries(list)
  return [
    ...[...sorts, ...(list.of === 'objects of projects' ? [] : [null])].map(pageQueries(list)),
    ...(spread ? sorts.flatMap((sort) => [spread(sort).part, spread(sort).whole]) : []),
  ]
}

for (const { path, list } of lists) {
  test(`GET ${path} is accepted for each sort, and for one item`, () => prepareAll(queriesOf(list)))
}

test('every list of a project with indexes has values of its filters in test/ci/plans/plan-choice.ts', () => {
  const isThere = (list: ListDefinition) => listsOfProject.some(([, one]) => one === list)
  const missing = lists.filter(({ list }) => list.of === 'project' && list.indexes && !isThere(list))
  assert.deepEqual(valuesOf(missing, 'path'), [])
})

for (const [file, query] of Object.entries(composed)) {
  test(`${file} is accepted`, () => prepareAll([query]))
}

test('every other statement with parts is in test/support/api-statements.ts', async () => {
  const others =
    /^(lists|writes|backup|citus|import)\/|\/list-|-fields|summar|task-(tags|watchers|deletion|json|line)|\/checks\.sql|comment-files|lead-times|named-task|changes\/(entries|named-objects|page)|(matching|indexed)-|own-field-filters|analytics\/time\.sql|fields\/\w+-index/
  const files = (await readdir('sql', { recursive: true })).filter((file) => /^(?!migrations).*\.sql$/.test(file))
  const withParts: string[] = []
  for (const file of files.filter((file) => !others.test(file)))
    if ((await readFile(join('sql', file), 'utf8')).includes('{{')) withParts.push(file)
  const missing = withParts.filter((file) => !(file in composed))
  assert.deepEqual(missing, [])
})
