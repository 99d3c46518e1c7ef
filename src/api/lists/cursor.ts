// Cursors: the sort key and the id of the last row of a page, with a digest that binds them to the list, its filters
// and its sort. A cursor grants no access: the scope is applied to every page. The Link header of a page (RFC 8288) contains the
// URL of the next one, with its cursor.

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { Problem } from '../problems/problem.ts'
import { decodeBytes, encodeBytes, isUuid } from '../input/values.ts'
import { sortTypes, type SortType } from './sorts.ts'

interface Position {
  /** The value that the row is sorted by, as PostgreSQL wrote it; null sorts last. */
  after: string | null
  /** The id of the row; in a list of several projects, followed by a comma and the id of its project. */
  afterId: string
}

const version = 1

const schema = v.strictTuple([v.literal(version), v.nullable(v.string()), v.string(), v.string()])

/** The list that a cursor belongs to: its path, sort and filters. */
type List = readonly unknown[]

export function encodeCursor(list: List, { after, afterId }: Position): string {
  const cursor = [version, after, afterId, digest(list, after, afterId)]
  return encodeBytes(Buffer.from(JSON.stringify(cursor)))
}

export function decodeCursor(list: List, type: SortType, idCount: number, text: string): Position {
  const parsed = v.safeParse(schema, readJson(text))
  if (!parsed.success) throw invalidCursor()
  const [, after, afterId, sealed] = parsed.output
  if (sealed !== digest(list, after, afterId)) throw invalidCursor()
  if (after !== null && !sortTypes[type].isValid(after)) throw invalidCursor()
  const ids = afterId.split(',')
  if (ids.length !== idCount || !ids.every(isUuid)) throw invalidCursor()
  return { after, afterId }
}

function digest(list: List, after: string | null, afterId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([version, list, after, afterId]))
    .digest('base64url')
    .slice(0, 16)
}

function readJson(text: string): unknown {
  const bytes = decodeBytes(text)
  try {
    return bytes && JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

export function invalidCursor(): Problem {
  const message = 'must be the meta.nextCursor of a page with the same filters and sort'
  return new Problem(
    'INVALID_CURSOR',
    'The cursor does not belong to this list with these filters and this sort. Start again without a cursor.',
    { faults: [{ in: 'query', name: 'cursor', message }] },
  )
}

/**
 * The URL has the parameters of the request and the new cursor. Without a public URL it is relative to the URL that the
 * client requested, so that it is right behind any proxy. Returns a function of the public URL.
 */
export function linkToNextPage(
  { path, search }: Record<'path' | 'search', string>,
  cursor: string,
): (publicUrl: string) => string {
  const parts = search.split('&').filter((part) => part !== '' && !isCursor(part))
  // As they were sent.
  const parameters = toUri(parts.map((part) => `${part}&`).join(''))
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (publicUrl) =>
    `<${publicUrl === '' ? `./${name}` : publicUrl + path}?${parameters}cursor=${cursor}>; rel="next"`
}

/** The query string is valid, so its names can be decoded. */
function isCursor(part: string): boolean {
  const [name = ''] = part.split('=', 1)
  return (name.includes('%') ? decodeURIComponent(name) : name) === 'cursor'
}

/** Encodes characters that clients may send as they are, but that end a header or are not allowed in a URI. */
const toUri = (text: string) => text.toWellFormed().replace(/[^\w.~!$&'()*+,;=:@/?%-]/gu, encodeURIComponent)
