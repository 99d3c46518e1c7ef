// Builds list endpoints, with limit, sort, cursor and the page envelope.

import * as v from 'valibot'
import type { Reach } from '../access/key.ts'
import type { Runner } from '../../db/pool/pool.ts'
import type { Projects } from '../../db/projects.ts'
import type { Params } from '../../db/statements/template.ts'
import { jsonResponse, type Headers } from '../responses/response.ts'
import { noView, reachView, readEndpoint, type EndpointDocs, type Read, type ReadRequest } from '../endpoint.ts'
import { notFound, type Code, type Problem } from '../problems/problem.ts'
import { idInPath } from '../input/object-names.ts'
import { integerUpTo, splitValues } from '../input/query-string.ts'
import { dataBody, described, pageOf } from '../responses/response-schemas.ts'
import { isUuid } from '../input/values.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { filterParams, type FilterValue } from './filters.ts'
import { invalidField } from './own-field-filters.ts'
import { idsOf, maxPageBytes, pageQueries, spreadQueries, type ListDefinition } from './page-query.ts'
import { readSpread } from './read-spread.ts'
import { sortOf } from './sorts.ts'

interface ListQuery {
  limit: number
  sort: string
  cursor?: string
  include: string[]
}

const maxPageSize = 200
const defaultPageSize = 50

/**
 * The parameters of a list of the rows of all projects that the key can access, or of those named in the filter. Only the
 * statement knows the keys of projects.
 */
function mergeParams(reach: Reach, named: Reach, limit: number): Params {
  const projectKeys = named?.filter((name) => !isUuid(name)) ?? []
  if (projectKeys.length > 0) {
    const firstRows = firstRowsOf(named!.length, limit)
    const scope = reach ? { reach } : { allProjects: true }
    return { projectIds: named!.filter(isUuid), projectKeys, ...scope, firstRows }
  }
  const projectIds = reach && named ? reach.filter((id) => named.includes(id)) : (reach ?? named)
  if (projectIds?.length === 1) return { projectId: projectIds[0]! }
  if (!projectIds) return { allProjects: true, firstRows: 8 }
  return { projectIds, firstRows: firstRowsOf(projectIds.length, limit) }
}

/** The number of rows to read of each project. With enough for two pages, the end of the page is rarely left open. */
const firstRowsOf = (projects: number, limit: number) => Math.max(4, Math.ceil((2 * limit) / (projects || 1)))

export function listEndpoint(list: ListDefinition, docs: EndpointDocs): Read & { list: ListDefinition } {
  const { of, item, sorts, defaultSort, filters, includes = [], totals } = list
  const queries = pageQueries(list)
  const spread = spreadQueries(list)
  const idCount = idsOf(list).length
  const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`])
  const schema = v.object({
    ...filters,
    ...includeOf(includes),
    limit,
    sort: sortParameter(names, defaultSort),
    cursor,
  })

  async function read(input: ReadRequest<unknown, Reach>, db: Projects) {
    const { cursor, include, sort, limit, ...given } = input.query as ListQuery & Record<string, FilterValue>
    const { projectId: named = null, ...filters } = given
    const boundTo = [input.path, sort, given]
    const start = cursor === undefined ? {} : decodeCursor(boundTo, sortOf(sorts, sort)[1], idCount, cursor)
    const scope = scopeParams(input, named as Reach, limit)
    const common = { ...filterParams(filters), ...includeParams(include), maxBytes: maxPageBytes, limit, ...start }
    const isSpread = spread && (await db.placesOf(null)).length !== 1
    const [page] = await (isSpread
      ? readSpread(spread(sort), db, scope, common)
      : queries(sort)(db, { ...scope, ...common }))
    const { found, data, hasMore, after, afterId, wrongField } = page!
    if (!found && of === 'project') throw notFound('project')
    if (wrongField !== null) throw invalidField(wrongField)
    const nextCursor = hasMore ? encodeCursor(boundTo, { after, afterId: afterId! }) : null
    const meta = JSON.stringify({ limit, nextCursor, hasMore })
    const body = `{"data":${data},"meta":${meta}${totals ? `,"totals":${page!.totals}` : ''}}`
    return { ...jsonResponse(body), nextCursor }
  }

  const endpoint = readEndpoint({
    docs,
    query: schema,
    response: pageOf(item, totals && { totals }),
    responseHeaders: ['link'],
    refusals: ['INVALID_CURSOR'],
    view: of === 'project' ? noView : reachView,
    read,
  })
  // With the definition, so that tests and `npm run sql` find the statements of all lists.
  return { ...endpoint, list }

  function scopeParams({ projectId, view }: ReadRequest<unknown, Reach>, named: Reach, limit: number): Params {
    if (of === 'project') return { projectId }
    if (of === 'objects of projects') return mergeParams(view, named, limit)
    return view ? { projectIds: view } : { allProjects: true }
  }
}

interface ItemOptions {
  /** Response headers, computed from the response body. */
  headersOf?: (body: string) => Headers
  /** Returns the problem for an item that does not exist; without one, it is the 404. */
  missing?: (ids: { projectId: string; taskId: string }, db: Runner) => Promise<Problem | undefined>
  /** The codes of these problems. */
  refusals?: readonly Code[]
}

/** Builds the endpoint of one item, by the id in the path. It uses the statement of the list, so the fields match. */
export function itemEndpoint(
  list: ListDefinition,
  what: string,
  idName: string,
  docs: EndpointDocs,
  { headersOf = () => ({}), missing, refusals = [] }: ItemOptions = {},
): Read {
  const { of, item, includes = [] } = list
  const findItem = pageQueries(list)(null)

  async function read(input: ReadRequest<unknown, Reach>, db: Runner) {
    const id = idInPath(input.params[idName]!, what)
    const included = includeParams((input.query as Partial<ListQuery>).include)
    // The project in the path was checked against the key.
    const scope = of === 'project' ? { projectId: input.projectId } : { allProjects: true }
    const [page] = await findItem(db, { ...scope, ...included, id, maxBytes: maxPageBytes, limit: 1 })
    if (!page!.found) throw notFound('project')
    if (page!.data === '[]') throw (await missing?.({ projectId: input.projectId!, taskId: id }, db)) ?? notFound(what)
    const response = jsonResponse(`{"data":${page!.data.slice(1, -1)}}`)
    return { ...response, headers: { ...response.headers, ...headersOf(response.body) } }
  }

  const query = v.object(includeOf(includes))
  return readEndpoint({ docs, query, response: dataBody(item), refusals, view: noView, read })
}

const limit = described(
  v.optional(integerUpTo(maxPageSize), String(defaultPageSize)),
  'The maximum number of items on a page; a page of long items has fewer. It may change from page to page.',
)

const cursor = described(
  v.optional(v.string()),
  'The `meta.nextCursor` of the previous page. Filters and sort must stay the same.',
)

const sortParameter = (names: readonly string[], fallback: string) =>
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

const includeParams = (requested: readonly string[] = []): Params =>
  Object.fromEntries(requested.map((name) => [`include${name[0]!.toUpperCase()}${name.slice(1)}`, true]))
