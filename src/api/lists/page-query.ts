// Builds the statement of a list, and decides how it is planned.

import * as v from 'valibot'
import { include, type Fragments } from '../../db/statements/template.ts'
import type { Plans } from '../../db/pool/pool.ts'
import { query, type Query } from '../../db/statements/query.ts'
import type { Params, Value } from '../../db/statements/statement.ts'
import { sortSql, type Sorts, type SortSql } from './sorts.ts'
import mergeSql from '../../../sql/lists/merge-projects.sql'
import pageSql from '../../../sql/lists/page.sql'

export interface ListDefinition {
  /** Selects id, {{position}} as position and item (JSON text), with {{keyset}} after its conditions and {{order}}. */
  rows: string
  /**
   * Selects the rows of {{project}}, with {{position}}, {{keyset}} and {{order}} instead of `rows`, which includes it as
   * {{matching}}. Only such a list can also be a list of several projects.
   */
  matching?: string
  /** Further fragments that `matching` includes. */
  matchingFragments?: Fragments
  /** Further fragments that the statement includes. */
  fragments?: Fragments
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
   * The statement is limited to the project in the path, or to all that the key can access: to these projects as rows, or
   * to their rows.
   */
  scope: 'project' | 'reachable projects' | 'rows of reachable projects'
  /**
   * The sorts that have an index, and the filters whose index has the same order: filters by one value, and by a range of
   * what is sorted by. For these requests, one plan is right for all values; see test/ci/plans.
   */
  indexes?: Readonly<Record<string, SortIndexes>>
  /** True if the statement has the parameter :id, for an endpoint that returns one item. */
  hasItems?: true
}

interface SortIndexes {
  oneOf?: readonly string[]
  ranges?: readonly string[]
}

interface Page {
  found: boolean
  data: string
  hasMore: boolean
  after: string | null
  afterId: string | null
  totals: string | null
}

export const maxPageBytes = 524_288

/** The number of ids that break ties between rows. Different projects can have rows with the same id. */
export const idCountOf = ({ scope }: Pick<ListDefinition, 'scope'>) => (scope === 'rows of reachable projects' ? 2 : 1)

/** Returns the statement of a list: its rows, wrapped in sql/lists/page.sql. */
export function pageQuery(resource: ListDefinition): Query<Page> {
  const { sorts, id, totals } = resource
  const ids = [id, 't.project_id'].slice(0, idCountOf(resource))
  const sort = sortSql(sorts, ids)
  const rows =
    resource.matching === undefined ? rowsOf(resource, sort) : matchingRowsOf(resource, resource.matching, ids, sort)
  const sql = include(pageSql, { rows, positionText: sort.positionText, totals: totals ? 'max(totals)' : 'null' })
  return query(sql, (params) => plansFor(resource, params))
}

function rowsOf({ rows, fragments }: ListDefinition, { position, keyset, order }: SortSql): string {
  return include(rows, { ...fragments, position, keyset, order })
}

function matchingRowsOf(resource: ListDefinition, matching: string, ids: string[], sort: SortSql): string {
  const { scope, rows, fragments, matchingFragments } = resource
  const { position, keyset, order, pageEnd, untilPageEnd } = sort
  const of = (project: string, more = '') =>
    include(matching, { ...matchingFragments, project, position, keyset: `${keyset} ${more}`, order })
  const ofOneProject = `${of(':projectId::uuid')} limit :limit::integer + 1`
  const merged = {
    ofOneProject,
    ofEachProject: of('project.id'),
    untilPageEnd: of('project.id', untilPageEnd),
    pageEnd,
    order,
  }
  return include(rows, {
    ...fragments,
    matching: scope === 'project' ? ofOneProject : include(mergeSql, merged),
    rowId: ids.join(` || ',' || `),
  })
}

/** A generic plan is right for requests that only read an index in its order, and for single items. */
function plansFor({ filters, indexes = {}, scope }: ListDefinition, params: Params): Plans {
  if (scope === 'reachable projects' && params['allProjects'] !== true) return 'custom'
  if (params['sort'] === null) return 'generic'
  const index = indexes[String(params['sort']).replace('-', '')]
  if (!index) return 'custom'
  const { oneOf = [], ranges = [] } = index
  const ofRows = Object.keys(filters).filter((name) => name !== 'projectId' && !ranges.includes(name))
  const [first, second] = ofRows.filter((name) => params[name] !== null)
  if (first === undefined) return 'generic'
  return second === undefined && oneOf.includes(first) && isOneValue(params[first]!) ? 'generic' : 'custom'
}

const isOneValue = (values: Value) => Array.isArray(values) && values.length === 1
