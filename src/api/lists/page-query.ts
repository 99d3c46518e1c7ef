// Builds the statement of a list, and decides how it is planned.

import * as v from 'valibot'
import { include, type Fragments } from '../../db/include.ts'
import type { Plans } from '../../db/plan-settings.ts'
import { query, type Query } from '../../db/query.ts'
import type { Params, Value } from '../../db/statement.ts'
import { sortSql, type Sorts } from './sorts.ts'
import pageSql from '../../../sql/lists/page.sql'

export interface Resource {
  /** Selects id, {{position}} as position and item (JSON text), with {{keyset}} after its conditions and {{order}}. */
  rows: string
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
  /** The projects that the statement is limited to: the one in the path, or all that the key can access. */
  scope: 'project' | 'reachable projects'
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

/** Returns the statement of a list: its rows, wrapped in sql/lists/page.sql. */
export function pageQuery(resource: Resource): Query<Page> {
  const { rows, fragments, id, sorts, totals } = resource
  const { positionText, ...ofRows } = sortSql(sorts, id)
  const list = include(rows, { ...fragments, ...ofRows })
  const sql = include(pageSql, { rows: list, positionText, totals: totals ? 'max(totals)' : 'null' })
  return query(sql, (params) => plansFor(resource, params))
}

/** A generic plan is right for requests that only read an index in its order, and for single items. */
function plansFor({ filters, indexes = {}, scope }: Resource, params: Params): Plans {
  if (scope === 'reachable projects' && params['allProjects'] !== true) return 'custom'
  if (params['sort'] === null) return 'generic'
  const index = indexes[String(params['sort']).replace('-', '')]
  if (!index) return 'custom'
  const { oneOf = [], ranges = [] } = index
  const [first, second] = Object.keys(filters).filter((name) => params[name] !== null && !ranges.includes(name))
  if (first === undefined) return 'generic'
  return second === undefined && oneOf.includes(first) && isOneValue(params[first]!) ? 'generic' : 'custom'
}

const isOneValue = (values: Value) => Array.isArray(values) && values.length === 1
