// Builds list endpoints, with limit, sort, cursor and the page envelope.

import * as v from 'valibot'
import type { Reach } from '../access/key.ts'
import type { Runner } from '../../db/pool/pool.ts'
import type { Params } from '../../db/statements/statement.ts'
import { jsonResponse, type Headers } from '../responses/response.ts'
import { noView, reachView, readEndpoint, type EndpointDocs, type Read, type ReadRequest } from '../endpoint.ts'
import { notFound } from '../problems/problem.ts'
import { idInPath } from '../input/object-names.ts'
import { splitValues } from '../input/query-string.ts'
import { dataBody, described, pageOf } from '../responses/response-schemas.ts'
import { isUuid } from '../input/values.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { idCountOf, maxPageBytes, pageQuery, type ListDefinition } from './page-query.ts'

interface ListQuery {
  limit: number
  sort: string
  cursor?: string
  include: string[]
}

const maxPageSize = 200
const defaultPageSize = 50

/** The parameters of the scope. For a project in the path, view is null: it was already checked against the key. */
function scopeParams(scope: ListDefinition['scope'], { projectId, view }: ReadRequest<unknown, Reach>): Params {
  if (scope === 'project') return { projectId }
  return { projectId: null, allProjects: view === null, projectIds: view ?? [] }
}

/**
 * The parameters of a list of the rows of all projects that the key can access, or of those named in the filter. Only the
 * statement knows the keys of projects.
 */
function mergeParams(reach: Reach, named: Reach, limit: number): Params {
  const projectKeys = named?.filter((name) => !isUuid(name)) ?? []
  if (projectKeys.length > 0) {
    const firstRows = firstRowsOf(named!.length, limit)
    return { projectId: null, projectIds: named!.filter(isUuid), projectKeys, reach, firstRows }
  }
  const projectIds = reach && named ? reach.filter((id) => named.includes(id)) : (reach ?? named)
  const byIds = { projectIds, projectKeys: null, reach: null }
  if (projectIds?.length === 1) return { ...byIds, projectId: projectIds[0]!, firstRows: null }
  return { ...byIds, projectId: null, firstRows: projectIds ? firstRowsOf(projectIds.length, limit) : 8 }
}

/** The number of rows to read of each project. With enough for two pages, the end of the page is rarely left open. */
const firstRowsOf = (projects: number, limit: number) => Math.max(4, Math.ceil((2 * limit) / (projects || 1)))

export function listEndpoint(resource: ListDefinition, docs: EndpointDocs): Read<unknown> {
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
    const start = cursor === undefined ? {} : decodeCursor(list, typeOf(sort), idCountOf(resource), cursor)
    const included = includeParams(includes, include)
    const inScope =
      scope === 'rows of reachable projects'
        ? mergeParams(input.view, filters['projectId'] as Reach, limit)
        : scopeParams(scope, input)
    const selection = { ...(hasItems && { id: null }), ...filters, ...inScope }
    const [page] = await findPage(db, { ...selection, ...included, ...firstPage, ...start, sort, limit })
    const { found, data, hasMore, after, afterId } = page!
    if (!found && scope === 'project') throw notFound('project')
    const nextCursor = hasMore ? encodeCursor(list, { after, afterId: afterId! }) : null
    const meta = JSON.stringify({ limit, nextCursor, hasMore })
    const body = `{"data":${data},"meta":${meta}${totals ? `,"totals":${page!.totals}` : ''}}`
    return { ...jsonResponse(body), nextCursor }
  }

  return readEndpoint({
    docs,
    query: schema,
    response: pageOf(item, totals && { totals }),
    responseHeaders: ['link'],
    refusals: ['INVALID_CURSOR'],
    view: scope === 'project' ? noView : reachView,
    read,
  })
}

/** Builds the endpoint of one item, by the id in the path. It uses the statement of the list, so the fields match. */
export function itemEndpoint(
  resource: ListDefinition,
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
    const params = { ...noFilters, ...included, ...scopeParams(scope, input), ...firstPage, id, sort: null, limit: 1 }
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
  v.optional(v.string()),
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
    splitValues,
    v.transform((names) => (names.join() === '' ? [] : [...new Set(names)])),
    v.everyItem(
      (name) => includes.includes(name),
      `must be one of ${includes.join(', ')}, or several separated by commas`,
    ),
    v.array(v.picklist(includes)),
  )

/** Absent parameters are null, as for filters. */
function includeParams(includes: readonly string[], requested: readonly string[] = []): Params {
  if (includes.length === 0) return {}
  const params = includes.map((name) => [
    `include${name[0]!.toUpperCase()}${name.slice(1)}`,
    requested.includes(name) || null,
  ])
  return { include: requested.length > 0 || null, ...Object.fromEntries(params) }
}
