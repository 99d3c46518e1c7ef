// What all lists have in common: limit, sort, cursor, and the envelope around a page.

import * as v from 'valibot'
import { query, type Params } from '../db/query.ts'
import { jsonAnswer } from '../http/answer.ts'
import { endpoint, type Endpoint, type Input } from '../http/endpoint.ts'
import { Problem } from '../problem.ts'
import { decodeCursor, encodeCursor, type SortType } from './cursor.ts'
import pageSql from '../../sql/lists/page.sql'

export interface Resource {
  /** The statement that gives the rows in order: id, position (the value in the sort) and item (the JSON). */
  rows: string
  /** What can be sorted by, in both directions. */
  sorts: Readonly<Record<string, SortType>>
  defaultSort: string
  filters: v.ObjectEntries
  /** The parameters that hold the rows to what the key reaches. Never optional. */
  scope(input: Pick<Input<unknown>, 'key' | 'projectId'>): Params
}

interface Page {
  found: boolean
  data: string
  hasMore: boolean
  after: string | null
  afterId: string | null
}

const mostRows = 200
const defaultRows = 50

/** The rows of a list with the page around them, as one statement. */
export const pageQuery = (rows: string) => query<Page>(pageSql.replace('{{rows}}', () => rows))

export const ofProject: Resource['scope'] = ({ projectId }) => ({ projectId })

export function listOf({ rows, sorts, defaultSort, filters, scope }: Resource): Endpoint {
  const findPage = pageQuery(rows)
  const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`])
  const schema = v.object({ ...filters, limit, sort: sortOf(names, defaultSort), cursor: v.optional(v.string()) })

  return endpoint(schema, async (input, { db }) => {
    const { cursor, sort, limit, ...filters } = input.query as { cursor?: string; sort: string; limit: number } & Params
    const list = [input.path, sort, filters]
    const start = cursor === undefined ? fromTheTop : decodeCursor(list, sorts[sort.replace('-', '')]!, cursor)
    const [page] = await findPage(db, { ...filters, ...scope(input), ...start, sort, limit })
    const { found, data, hasMore, after, afterId } = page!
    if (!found) throw notFound('project')
    const nextCursor = hasMore ? encodeCursor(list, { after, afterId: afterId! }) : null
    return jsonAnswer(`{"data":${data},"meta":${JSON.stringify({ limit, nextCursor, hasMore })}}`)
  })
}

/** One row of a list, by its id: the same statement and so the same fields. */
export function oneOf({ rows, filters, scope }: Resource, idOf: (input: Input<unknown>) => string): Endpoint {
  const findPage = pageQuery(rows)
  const noFilters = v.getDefaults(v.object(filters)) as Params

  return endpoint(v.object({}), async (input, { db }) => {
    const params = { ...noFilters, ...scope(input), ...fromTheTop, id: idOf(input), sort: 'id', limit: 1 }
    const [page] = await findPage(db, params)
    if (page!.data === '[]') throw notFound('object')
    return jsonAnswer(`{"data":${page!.data.slice(1, -1)}}`)
  })
}

const fromTheTop = { after: null, afterId: null }

const limit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[1-9]\d{0,2}$/, `takes a whole number from 1 to ${mostRows}`),
    v.transform(Number),
    v.maxValue(mostRows, `takes a whole number from 1 to ${mostRows}`),
  ),
  String(defaultRows),
)

const sortOf = (names: readonly string[], fallback: string) =>
  v.optional(v.picklist(names, `takes one of ${names.join(', ')}`), fallback)

function notFound(what: string): Problem {
  return new Problem('NOT_FOUND', `There is no such ${what}.`)
}
