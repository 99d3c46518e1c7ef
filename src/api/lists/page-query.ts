// Builds the statements of a list, one for each sort, and decides how they are planned.

import type * as v from 'valibot'
import { include, type Params } from '../../db/statements/template.ts'
import type { Plans } from '../../db/pool/pool.ts'
import { query, type Query } from '../../db/statements/query.ts'
import { filterParameters, isOneValue } from './filters.ts'
import { noSort, sortFragments, sortOf, type Sort, type Sorts } from './sorts.ts'
import mergePartsSql from '../../../sql/lists/merge-parts.sql'
import partSql from '../../../sql/lists/part.sql'
import mergeSql from '../../../sql/lists/merge-projects.sql'
import pageSql from '../../../sql/lists/page.sql'

export interface ListDefinition {
  /** Lists the objects of the project in the path, or all projects that the key can access, or the objects of these. */
  of: 'project' | 'projects' | 'objects of projects'
  /** Selects id, {{sortKey}} as sort_key and item (JSON text), with {{keyset}} after its conditions and {{order}}. */
  rows: string
  /** The column that breaks ties between rows. */
  id: string
  /** The schema of an item, for the documentation. */
  item: v.GenericSchema
  sorts: Sorts
  defaultSort: string
  filters: v.ObjectEntries
  /** Optional fields of an item. Including "tags" sets the parameter :includeTags. */
  includes?: readonly string[]
  /**
   * The schema of the column "totals", which has the same value in every row and becomes a field next to data and meta.
   */
  totals?: v.GenericSchema
  /**
   * The sorts that have an index, each with the filters that have an index in the same order. One plan is right for all
   * requests with no more than one value of such a filter, and a range of what is sorted by; see test/ci/plans.
   */
  indexes?: Readonly<Record<string, readonly string[]>>
  /** For a list of projects that shows what is in them: statements for one of several places, and for what all of them return. */
  parts?: { part: string; whole: string }
}

interface PartOfPage {
  rows: string
}

/** For projects in several places: what is read in each, as JSON, and the page of all parts. */
export interface SpreadQueries {
  part: Query<PartOfPage>
  whole: Query<Page>
}

export interface Page {
  found: boolean
  data: string
  hasMore: boolean
  after: string | null
  afterId: string | null
  totals: string | null
  /** The own field of a filter that does not fit, and the type that the filter needs. */
  wrongField: string | null
}

export const maxPageBytes = 524_288

/** The columns that break ties between rows. Different projects can have rows with the same id. */
export const idsOf = ({ of, id }: Pick<ListDefinition, 'of' | 'id'>) =>
  of === 'objects of projects' ? [id, 't.project_id'] : [id]
export const rowIdAcrossProjects = `t.id || ',' || t.project_id`

/**
 * The result returns the statement for a sort, or for one item if the sort is null: the rows, wrapped in
 * sql/lists/page.sql.
 */
export function pageQueries(list: ListDefinition): (sort: string | null) => Query<Page> {
  const queries = new Map<string | null, Query<Page>>()
  return (sort) => {
    const known = queries.get(sort)
    if (known) return known
    const ids = idsOf(list)
    const fragments = sort === null ? noSort(ids) : sortFragments(list.sorts, ids, sort)
    const sql = include(pageSql, { ...fragments, rows: list.rows, totals: list.totals ? 'max(totals)' : 'null' })
    const created = query<Page>(sql, (params) => plansFor(list, sort, params), list.rows)
    queries.set(sort, created)
    return created
  }
}

export function spreadQueries(list: ListDefinition): ((sort: string) => SpreadQueries) | undefined {
  const { of, rows, sorts, parts } = list
  if (of !== 'objects of projects' && !parts) return undefined
  const queries = new Map<string, SpreadQueries>()
  return (sort) => {
    const known = queries.get(sort)
    if (known) return known
    const ids = idsOf(list)
    const fragments = sortFragments(sorts, ids, sort)
    const [, type, property] = sortOf(sorts, sort)
    const idsOfPart = ids.map((_, n) => `split_part(r.id, ',', ${n + 1})::uuid`)
    const merged = sortFragments({ [sort.replace('-', '')]: ['r.sort_key', type, property] as Sort }, idsOfPart, sort)
    const part = parts ? parts.part : include(partSql, { ...fragments, rows })
    const whole = parts
      ? include(pageSql, { ...fragments, rows: parts.whole, totals: 'max(totals)' })
      : include(pageSql, { ...merged, rows: mergePartsSql, type, totals: 'null' })
    const created = {
      part: query<PartOfPage>(part, (params) => plansFor(list, sort, params), rows),
      whole: query<Page>(whole),
    }
    queries.set(sort, created)
    return created
  }
}

/** The rows of the project in the path. `matching` selects rows t of {{project}}, with {{sortKey}} as sort_key. */
export const ofOneProject = (matching: string) =>
  `${include(matching, { project: ':projectId::uuid', until: '' })} limit :limit::integer + 1`

/** The rows of all projects in scope, or of the one in scope. */
export const ofEachProject = (matching: string) =>
  include(mergeSql, {
    rowsOfOneProject: ofOneProject(matching),
    firstRowsOfProject: include(matching, { project: 'project.id', until: '' }),
    rowsOfProject: include(matching, { project: 'project.id', until: '{{untilPageEnd}}' }),
  })

/** A generic plan is right for requests that only read an index in its order, and for single items. */
function plansFor({ filters, indexes, of }: ListDefinition, sort: string | null, params: Params): Plans {
  if (of === 'projects' && params['allProjects'] !== true) return 'custom'
  if (sort === null) return 'generic'
  const name = sort.replace('-', '')
  const ofIndex = indexes?.[name]
  if (!ofIndex) return 'custom'
  const range = name.replace(/(At|On|Date)$/, '')
  const others = Object.keys(filters).filter((name) => !['projectId', `${range}After`, `${range}Before`].includes(name))
  const given = others.flatMap((name) =>
    filterParameters(name).filter((parameter) => (params[parameter] ?? null) !== null),
  )
  const [first, second] = given
  if (first === undefined) return 'generic'
  // With several projects, a name is looked up in each, which costs less if its form is known to the plan.
  if (of === 'objects of projects' && first.endsWith('Name')) return 'custom'
  const isIndexed = ofIndex.some((name) => isOneValue(name, first, params[first]))
  return second === undefined && isIndexed ? 'generic' : 'custom'
}
