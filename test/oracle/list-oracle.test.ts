// Compares every list with a plain filter and sort of the same rows: first each filter and sort alone, then random
// combinations, from page to page. The lists must return the same items, complete and in the same order.

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { include } from '../../src/db/statements/template.ts'
import { contractSuite } from '../support/contract-suite.ts'
import { endPagesEarly } from '../support/early-pages.ts'
import { rounds, run } from '../support/environment.ts'
import { lists as definitions } from '../support/api-statements.ts'
import { chooser } from '../support/random.ts'
import createIndexSql from '../../sql/fields/create-index.sql'
import { foreign, insertData, large, small, type Row, type Tables } from './oracle-data.ts'
import {
  expectedItems,
  listsAcross,
  listsOf,
  projectsOf,
  today,
  type Filter,
  type List,
  type Query,
} from './list-oracle.ts'

const valuesEach = rounds(1, 9)
const walksEach = rounds(1, 24)
const joinedEach = rounds(1, 4)
const foreignEach = rounds(1, 3)
const atOnce = 6

const { below, chance, pick, some, times } = chooser(4711)
// Requests run at the same time, so their pages must not take numbers from the sequence that chooses the filters.
const early = chooser(4712)
// Half of the pages also end by a random number of bytes: from one that no item fits into to one for many items.
const changeDatabase = endPagesEarly(() => (early.chance(0.5) ? 2 ** early.below(15) : undefined))
const { workgate } = await contractSuite({ environment: { LOG_LEVEL: 'error' }, changeDatabase })
let earlyPages = 0
let key: string
let allKey: string
let oneKey: string
let tables: Tables

/** Returns the items of all pages of a list. */
async function walk(list: List, { filters, sort, include }: Query, limits: number[], as: string) {
  const items: Row[] = []
  let pages = 0
  let cursor: string | null = null
  do {
    const size = limits[pages++ % limits.length]!
    const query: Record<string, string> = { ...filters, limit: String(size), ...(cursor && { cursor }) }
    if (sort !== list.sorts[0]) query['sort'] = sort
    if (include.length > 0) query['include'] = include.join(',')
    const line = `GET ${list.path}?${new URLSearchParams(query)}`
    const { status, body } = await workgate.send(line, { key: as })
    assert.equal(status, 200, `${line}\n${JSON.stringify(body)}`)
    const { data, meta } = body
    cursor = meta.nextCursor
    assert.deepEqual(meta, { limit: size, nextCursor: cursor, hasMore: cursor !== null }, line)
    assert.ok(data.length <= size && (data.length > 0 || cursor === null), line)
    if (data.length < size && cursor !== null) earlyPages++
    items.push(...data)
  } while (cursor !== null)
  return items
}

type Limits = (rows: number) => number[]
const inPages =
  (pages: number): Limits =>
  (rows) => [Math.min(200, Math.max(1, Math.ceil(rows / pages)))]

async function check(list: List, query: Query, limits: Limits, as: string) {
  const day = today()
  const expected = expectedItems(list, query)
  const found = await walk(list, query, limits(expected.length), as)
  // The overdue tasks change at midnight.
  if (day !== today()) return expected
  if (!isDeepStrictEqual(found, expected)) {
    const claim = `${list.path} ${JSON.stringify(query)}`
    assert.deepEqual(idsOf(found), idsOf(expected), claim)
    assert.deepEqual(found, expected, claim)
  }
  return expected
}

const idsOf = (items: Row[]) => items.map(({ id }) => id as string)

/** Runs several checks at a time, because the database does most of the work. */
async function all<T>(checks: (() => Promise<T>)[]): Promise<T[]> {
  const rest = checks.values()
  const results: T[] = []
  await Promise.all(
    times(atOnce, async () => {
      for (const check of rest) results.push(await check())
    }),
  )
  return results
}

/** Values for a filter: from rows of this project and the foreign one, several joined, and some that match nothing. */
function valuesOf(filter: Filter, items: Row[], foreignItems: Row[]): string[] {
  const about = (rows: Row[]) => sensible(rows.flatMap((item) => filter.about(item)))
  const known = about(items)
  const here = [pick(known), ...some(known, valuesEach)]
  const joined = filter.several ? times(joinedEach, () => [...some(here, 3), pick(here)].join(',')) : []
  // With many values, most rows match another one.
  const orNone = known.includes('none') ? some(known, 6).map((value) => `none,${value}`) : []
  return [...here, ...some(about(foreignItems), foreignEach), ...joined, ...orNone, ...(filter.also ?? [])]
}

const sensible = (values: (string | null)[]) => values.filter((value) => value !== null).filter((value) => value !== '')

/** Filters that mostly match at least one row, so that the result is not always empty. */
function filtersFor(list: List): Query['filters'] {
  const item = pick(list.items)
  const names = some(Object.keys(list.filters), 3)
  const filters = names.map((name) => {
    const filter = list.filters[name]!
    const fitting = sensible(filter.about(item)).filter((value) => filter.matches(item, value))
    const others = sensible([...filter.about(pick(list.items)), ...(filter.also ?? [])])
    const values = chance(0.85) && fitting.length > 0 ? [pick(fitting)] : some(others, 1)
    if (filter.several) values.push(...some(others, 2))
    return [name, filter.several ? values.join(',') : values[0]] as const
  })
  return Object.fromEntries(filters.filter(([, value]) => value)) as Query['filters']
}

const unknown = '00000000-0000-7000-8000-000000000001'
const nameOf = ({ path }: List) => path.split('/').at(-1)!
const listIn = (project: string, name: string) => () => listsOf(tables, project).find((list) => nameOf(list) === name)!

tables = await insertData(workgate.sql)
key = await workgate.issueKey('two projects', { projects: [large, small] })
allKey = await workgate.issueKey('all projects')
oneKey = await workgate.issueKey('one project', { projects: [small] })
for (const name of ['sprint', 'effort']) await workgate.sql.unsafe(include(createIndexSql, { name }))
await workgate.sql`analyze`

const names = listsOf(tables, large).map(nameOf)
const furtherLists = [
  ['tasks of another project', listIn(small, 'tasks'), () => key],
  ['tasks across all projects', () => listsAcross(tables, [large, small, foreign], unknown)[0]!, () => allKey],
  ['tasks across projects, with a key for one', () => listsAcross(tables, [small], foreign)[0]!, () => oneKey],
  ['time entries across two projects', () => listsAcross(tables, [large, small], foreign)[1]!, () => key],
] as const
const lists = [
  ['projects', () => projectsOf(tables, () => true), () => allKey],
  ['projects, with a key for two', () => projectsOf(tables, (id) => [large, small].includes(id)), () => key],
  ...names.map((name) => [name, listIn(large, name), () => key] as const),
  ['tasks across two projects', () => listsAcross(tables, [large, small], foreign)[0]!, () => key],
  ['time entries across all projects', () => listsAcross(tables, [large, small, foreign], unknown)[1]!, () => allKey],
  ...(run().thorough ? furtherLists : []),
] as const

for (const { path, list } of definitions) {
  // The summary is compared in test/analytics.
  if (path === '/projects/summary') continue
  test(`every filter and sort of ${path} is compared`, () => {
    const known = [
      projectsOf(tables, () => true),
      ...listsOf(tables, large),
      ...listsAcross(tables, [large, small], foreign),
    ]
    const compared = known.find((one) => one.path === path.replace(':projectId', large))
    const namesOf = (of: object | undefined) => Object.keys(of ?? {}).toSorted()
    const filters = new Set(namesOf(compared?.filters).map((name) => name.replace(/^fields\..*/, 'fields')))
    assert.deepEqual([...filters].sort(), namesOf(list.filters), 'add it to test/oracle/list-oracle.ts')
    const sorts = compared!.sorts.map((sort) => sort.replace('-', ''))
    assert.deepEqual(sorts.toSorted(), namesOf(list.sorts), 'add it to test/oracle/list-oracle.ts')
  })
}

for (const [name, listIn, keyFor] of lists) {
  describe(name, () => {
    let list: List
    let foreignList: List
    let as: string
    before(() => {
      earlyPages = 0
      list = listIn()
      const elsewhere = [...listsOf(tables, foreign), projectsOf(tables, (id) => id === foreign)]
      foreignList = elsewhere.find((one) => nameOf(one) === nameOf(list))!
      as = keyFor()
    })

    const alone = { filters: {}, include: [] }
    const sorts = () => list.sorts.map((sort) => sort.replace('-', '')).flatMap((sort) => [sort, `-${sort}`])

    test('each filter alone returns the matching rows', async () => {
      // The statement across projects includes that of a project, whose filters are all tested.
      const isTested = () => run().thorough || !name.includes('across') || chance(0.2)
      for (const [name, filter] of Object.entries(list.filters).filter(isTested)) {
        const queryFor = (value: string) => ({ ...alone, filters: { [name]: value }, sort: list.sorts[0]! })
        const isSelective = (found: Row[]) => found.length > 0 && found.length < list.items.length
        const selects = (value: string) => isSelective(expectedItems(list, queryFor(value)))
        const draw = () => valuesOf(filter, list.items, foreignList.items)
        const values = draw()
        // Few random values may match only all rows or none.
        for (let more = 0; more < 50 && !values.some(selects); more++) values.push(...draw())
        const found = await all(
          values.map((value) => {
            const limits = inPages(1 + below(4))
            return () => check(list, queryFor(value), limits, as)
          }),
        )
        assert.ok(
          found.some(isSelective) || list.items.length < 10,
          `no value of ${name} matched only some of the rows`,
        )
      }
    })

    test('each sort returns the rows in order, in both directions and in pages of any size', async () => {
      const limits = (run().thorough ? [200, 60, 15] : [200]).map((most) => times(5, () => 1 + below(most)))
      const include = list.includes
      await all(
        sorts().flatMap((sort) =>
          limits.map((sizes) => () => check(list, { ...alone, sort, include }, () => sizes, as)),
        ),
      )
    })

    test('a single item equals the item of the list, and an id of another project is refused', async () => {
      if (!list.single) return
      const expected = expectedItems(list, { ...alone, sort: 'id', include: list.includes })
      const query = list.includes.length > 0 ? `?include=${list.includes.join(',')}` : ''
      const ask = (id: string) => workgate.send(`GET ${list.path}/${id}${query}`, { key: as })
      const checked = run().thorough ? expected : times(10, () => pick(expected))
      await all(checked.map((item) => async () => assert.deepEqual((await ask(item['id'])).body, { data: item })))
      const { id } = foreignList.items[0]!
      if (list.items.some((item) => item['id'] === id)) return
      assert.equal((await ask(id)).status, list.path === '/projects' ? 403 : 404)
    })

    test('combined filters, sorts, includes and limits return the right items', async () => {
      await all(
        times(walksEach, () => {
          const query = { filters: filtersFor(list), sort: pick(sorts()), include: some(list.includes, 2) }
          const limits = inPages(1 + below(8))
          return () => check(list, query, limits, as)
        }),
      )
    })

    test('some of these pages ended early', () => assert.ok(earlyPages > 0 || list.items.length < 10))
  })
}
