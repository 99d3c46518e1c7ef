// Builds list endpoints, with limit, sort, cursor and the page envelope.

import * as v from 'valibot'
import type { Key } from '../access/key.ts'
import type { Runner } from '../../db/pool.ts'
import { include, type Fragments } from '../../db/include.ts'
import { query, type Params, type Query } from '../../db/query.ts'
import { jsonResponse, type Headers } from '../responses/response.ts'
import { noView, readEndpoint, type EndpointDocs, type Read, type ReadRequest } from '../endpoint.ts'
import { notFound } from '../problems/problem.ts'
import { idInPath } from '../schema/path-id.ts'
import { dataBody, described, pageOf } from '../schema/response-schemas.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { sortSql, type Sorts } from './sorts.ts'
import pageSql from '../../../sql/lists/page.sql'

export interface Resource {
  /** Selects id, {{position}} as position and item (JSON text), with {{keyset}} in its conditions and {{order}}. */
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
  /** True if the statement has the parameter :id, for an endpoint that returns one item. */
  hasItems?: true
}

/** The projects that a key can access; null means all. */
export type Reach = readonly string[] | null

interface Page {
  found: boolean
  data: string
  hasMore: boolean
  after: string | null
  afterId: string | null
  totals: string | null
}

interface ListQuery {
  limit: number
  sort: string
  cursor?: string
  include: string[]
}

const maxPageSize = 200
const defaultPageSize = 50
export const maxPageBytes = 524_288

/** Returns the statement of a list: its rows, wrapped in sql/lists/page.sql. */
export function pageQuery({ rows, fragments, id, sorts, totals }: Resource): Query<Page> {
  const list = include(rows, { ...fragments, ...sortSql(sorts, id) })
  return query(include(pageSql, { rows: list, totals: totals ? 'max(totals)' : 'null' }))
}

/** The parameters of the scope. For a project in the path, view is null: it was already checked against the key. */
function scopeParams(
  scope: Resource['scope'],
  { projectId, view }: Pick<ReadRequest<unknown, Reach>, 'projectId' | 'view'>,
) {
  if (scope === 'project') return { projectId }
  return { projectId: null, allProjects: view === null, projectIds: view ?? [] }
}

const reachOf = ({ scopeMode, projectIds }: Key): Reach => (scopeMode === 'all_projects' ? null : projectIds)

export function listEndpoint(resource: Resource, docs: EndpointDocs): Read<unknown> {
  const { item, sorts, defaultSort, filters, includes = [], totals, scope, hasItems } = resource
  const findPage = pageQuery(resource)
  const typeOf = (sort: string) => sorts[sort.replace('-', '')]![1]
  const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`])
  const schema = v.object({
    ...filters,
    ...includeOf(includes),
    limit,
    sort: sortOf(names, defaultSort),
    cursor,
  })

  async function read(input: ReadRequest<unknown, Reach>, db: Runner) {
    const { cursor, include, sort, limit, ...filters } = input.query as ListQuery & Params
    const list = [input.path, sort, filters]
    const start = cursor === undefined ? {} : decodeCursor(list, typeOf(sort), cursor)
    const included = includeParams(includes, include)
    const selection = { ...scopeParams(scope, input), ...(hasItems && { id: null }), ...filters }
    const [page] = await findPage(db, { ...selection, ...included, ...firstPage, ...start, sort, limit })
    const { found, data, hasMore, after, afterId } = page!
    if (!found) throw notFound('project')
    const nextCursor = hasMore ? encodeCursor(list, { after, afterId: afterId! }) : null
    const meta = JSON.stringify({ limit, nextCursor, hasMore })
    return jsonResponse(`{"data":${data},"meta":${meta}${totals ? `,"totals":${page!.totals}` : ''}}`)
  }

  return readEndpoint({
    docs,
    query: schema,
    response: pageOf(item, totals && { totals }),
    refusals: ['INVALID_CURSOR'],
    view: scope === 'reachable projects' ? reachOf : noView,
    read,
  })
}

/** Builds the endpoint of one item, by the id in the path. It uses the statement of the list, so the fields match. */
export function itemEndpoint(
  resource: Resource,
  what: string,
  idName: string,
  docs: EndpointDocs,
  headersOf: (body: string) => Headers = () => ({}),
): Read<unknown> {
  const { item, filters, includes = [], scope } = resource
  const findPage = pageQuery(resource)
  const noFilters = v.getDefaults(v.object(filters)) as Params

  async function read(input: ReadRequest<unknown, Reach>, db: Runner) {
    const id = idInPath(input.params[idName]!, what)
    const included = includeParams(includes, (input.query as Partial<ListQuery>).include)
    const params = { ...noFilters, ...included, ...scopeParams(scope, input), ...firstPage, id, sort: 'id', limit: 1 }
    const [page] = await findPage(db, params)
    if (!page!.found) throw notFound('project')
    if (page!.data === '[]') throw notFound(what)
    const response = jsonResponse(`{"data":${page!.data.slice(1, -1)}}`)
    return { ...response, headers: { ...response.headers, ...headersOf(response.body) } }
  }

  return readEndpoint({ docs, query: v.object(includeOf(includes)), response: dataBody(item), view: noView, read })
}

const firstPage = { after: null, afterId: null, maxBytes: maxPageBytes }

const limit = described(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,2}$/, `must be an integer between 1 and ${maxPageSize}`),
      v.transform(Number),
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(maxPageSize, `must be an integer between 1 and ${maxPageSize}`),
    ),
    String(defaultPageSize),
  ),
  'The maximum number of items on a page; a page of long items has fewer. It may change from page to page.',
)

const cursor = described(
  v.optional(v.pipe(v.string(), v.examples(['WzEsImN1c3RvbWVyIHN1cHBvcnQiXQ']))),
  'The `meta.nextCursor` of the previous page. Filters and sort must stay the same.',
)

const sortOf = (names: readonly string[], fallback: string) =>
  described(
    v.optional(
      v.pipe(
        v.picklist(names, `must be one of ${names.join(', ')}`),
        // For generated clients: names in most languages cannot contain a minus sign.
        v.metadata({ 'x-enum-varnames': names.map((name) => name.replace(/^-(.*)/, '$1Descending')) }),
      ),
      fallback,
    ),
    'A leading `-` means descending. `null` comes last in both directions; ties are broken by id.',
  )

const includeOf = (includes: readonly string[]): v.ObjectEntries =>
  includes.length === 0 ? {} : { include: described(v.optional(namesOf(includes), ''), 'Optional fields to include.') }

const namesOf = (includes: readonly string[]) =>
  v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? [] : [...new Set(text.split(','))])),
    v.everyItem(
      (name) => includes.includes(name),
      `must be one of ${includes.join(', ')}, or several separated by commas`,
    ),
    v.array(v.picklist(includes)),
  )

function includeParams(includes: readonly string[], requested: readonly string[] = []): Params {
  return Object.fromEntries(
    includes.map((name) => [`include${name[0]!.toUpperCase()}${name.slice(1)}`, requested.includes(name)]),
  )
}
