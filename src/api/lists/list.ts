// What all lists have in common: limit, sort, cursor, and the envelope around a page.

import * as v from 'valibot'
import type { Key } from '../access/key.ts'
import type { Runner } from '../../db/pool.ts'
import { include } from '../../db/include.ts'
import { query, type Params } from '../../db/query.ts'
import { jsonResponse } from '../responses/response.ts'
import { viewingEndpoint, type Question, type Read, type Saying } from '../endpoint.ts'
import { notFound } from '../problems/problem.ts'
import { idInPath } from '../schema/path-id.ts'
import { bodyOf, described, pageOf } from '../schema/response-schemas.ts'
import { decodeCursor, encodeCursor, type SortType } from './cursor.ts'
import pageSql from '../../../sql/lists/page.sql'

export interface Resource {
  /** The statement that gives the rows in order: id, position (the value in the sort) and item (the JSON). */
  rows: string
  /** What an item is, for the documentation. */
  item: v.GenericSchema
  /** What can be sorted by, in both directions. */
  sorts: Readonly<Record<string, SortType>>
  defaultSort: string
  filters: v.ObjectEntries
  /** What an item holds beside its fields where it is asked for: tags is the parameter :includeTags. */
  includes?: readonly string[]
  /** The column of the rows that stands under its name beside data and meta, the same whatever page it is. */
  beside?: { name: string; shown: v.GenericSchema }
  /** The parameters that hold the rows to what the key reaches. Never optional. */
  scope(question: Pick<Question<unknown, Reach>, 'projectId' | 'view'>): Params
}

/** The projects that a key reaches; null for all of them. */
export type Reach = readonly string[] | null

interface Page {
  found: boolean
  data: string
  hasMore: boolean
  after: string | null
  afterId: string | null
  beside: string | null
}

interface ListQuery {
  limit: number
  sort: string
  cursor?: string
  include: string[]
}

const maxPageSize = 200
const defaultPageSize = 50

/** The rows of a list with the page around them, as one statement. */
export const pageQuery = ({ rows, beside }: Pick<Resource, 'rows' | 'beside'>) =>
  query<Page>(include(pageSql, { rows, beside: beside ? `max(${beside.name})` : 'null' }))

export const projectScope: Resource['scope'] = ({ projectId }) => ({ projectId })

/** Of a path that names no project. */
export const reachScope: Resource['scope'] = ({ view }) => ({
  projectId: null,
  allProjects: view === null,
  projectIds: view ?? [],
})

const reachOf = ({ scopeMode, projectIds }: Key): Reach => (scopeMode === 'all_projects' ? null : projectIds)

export function listOf(resource: Resource, saying: Saying): Read {
  const { item, sorts, defaultSort, filters, includes = [], beside, scope } = resource
  const about = { ...saying, answer: pageOf(item, beside && { [beside.name]: beside.shown }) }
  const findPage = pageQuery(resource)
  const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`])
  const schema = v.object({
    ...filters,
    ...includeOf(includes),
    limit,
    sort: sortOf(names, defaultSort),
    cursor,
  })

  async function read(input: Question<unknown, Reach>, db: Runner) {
    const { cursor, include, sort, limit, ...filters } = input.query as ListQuery & Params
    const list = [input.path, sort, filters]
    const start = cursor === undefined ? fromTheTop : decodeCursor(list, sorts[sort.replace('-', '')]!, cursor)
    const shown = includeParams(includes, include)
    const [page] = await findPage(db, { ...filters, ...shown, ...scope(input), ...start, sort, limit })
    const { found, data, hasMore, after, afterId } = page!
    if (!found) throw notFound('project')
    const nextCursor = hasMore ? encodeCursor(list, { after, afterId: afterId! }) : null
    const more = beside ? `,"${beside.name}":${page!.beside}` : ''
    return jsonResponse(`{"data":${data},"meta":${JSON.stringify({ limit, nextCursor, hasMore })}${more}}`)
  }

  return viewingEndpoint(about, schema, reachOf, read)
}

/** One row of a list, by the id in the path: the same statement and so the same fields. */
export function oneOf(resource: Resource, what: string, idName: string, saying: Saying): Read {
  const { item, filters, includes = [], scope } = resource
  const findPage = pageQuery(resource)
  const noFilters = v.getDefaults(v.object(filters)) as Params

  async function read(input: Question<unknown, Reach>, db: Runner) {
    const id = idInPath(input.params[idName]!, what)
    const shown = includeParams(includes, (input.query as Partial<ListQuery>).include)
    const params = { ...noFilters, ...shown, ...scope(input), ...fromTheTop, id, sort: 'id', limit: 1 }
    const [page] = await findPage(db, params)
    if (!page!.found) throw notFound('project')
    if (page!.data === '[]') throw notFound(what)
    return jsonResponse(`{"data":${page!.data.slice(1, -1)}}`)
  }

  return viewingEndpoint({ ...saying, answer: bodyOf(item) }, v.object(includeOf(includes)), reachOf, read)
}

const fromTheTop = { after: null, afterId: null }

const limit = described(
  v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,2}$/, `takes a whole number from 1 to ${maxPageSize}`),
      v.transform(Number),
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(maxPageSize, `takes a whole number from 1 to ${maxPageSize}`),
    ),
    String(defaultPageSize),
  ),
  'How many items a page has at most. It may change from page to page.',
)

const cursor = described(
  v.optional(v.pipe(v.string(), v.examples(['WzEsImN1c3RvbWVyIHN1cHBvcnQiXQ']))),
  '`meta.nextCursor` of the page before, for the next one. Filters and sort stay as they were.',
)

const sortOf = (names: readonly string[], fallback: string) =>
  described(
    v.optional(
      v.pipe(
        v.picklist(names, `takes one of ${names.join(', ')}`),
        // For generated clients, whose languages have no names with a sign.
        v.metadata({ 'x-enum-varnames': names.map((name) => name.replace(/^-(.*)/, '$1Descending')) }),
      ),
      fallback,
    ),
    'With a `-` it is descending. `null` comes last both ways; ties go by id.',
  )

const includeOf = (includes: readonly string[]): v.ObjectEntries =>
  includes.length === 0 ? {} : { include: described(v.optional(namesOf(includes), ''), 'What else to show.') }

const namesOf = (includes: readonly string[]) =>
  v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? [] : text.split(','))),
    v.everyItem(
      (name) => includes.includes(name),
      `takes ${includes.join(', ')}, or several of them separated by commas`,
    ),
    v.array(v.picklist(includes)),
  )

function includeParams(includes: readonly string[], asked: readonly string[] = []): Params {
  return Object.fromEntries(
    includes.map((name) => [`include${name[0]!.toUpperCase()}${name.slice(1)}`, asked.includes(name)]),
  )
}
