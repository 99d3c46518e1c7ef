// Reads a page of changes, and makes the cursor of the next one.

import type { Projects } from '../../db/projects.ts'
import { maxPageBytes } from '../../api/lists/page-query.ts'
import { invalid, notFound } from '../../api/problems/problem.ts'
import { jsonResponse, type ApiResponse } from '../../api/responses/response.ts'
import { kinds } from './change.ts'
import { decodeReading, encodeReading } from './change-cursor.ts'
import { cursorExpired } from './cursor-expired.ts'
import { readClusterChanges } from './read-cluster-changes.ts'
import { readServerChanges, type ChangesRequest, type Reach } from './read-server-changes.ts'

/** Cursors of another selection expire. */
export interface Feed extends Reach {
  selection: number
}

export interface ChangesQuery {
  cursor?: string | undefined
  from?: 'now' | undefined
  kinds: readonly string[] | null
  limit: number
}

const lowestId = '00000000-0000-0000-0000-000000000000'

/** `projectId` is null for the changes of several projects. */
export async function readChanges(
  { projectId, query, today }: { projectId: string | null; query: ChangesQuery; today: string },
  { selection, ...reach }: Feed,
  db: Projects,
): Promise<ApiResponse> {
  const { cursor, from, kinds: chosen, limit } = query
  if (cursor !== undefined && from !== undefined)
    throw invalid({ in: 'query', name: 'from', message: 'cannot be combined with cursor' })
  const feed = [projectId, chosen]
  const reading = cursor === undefined ? undefined : await decodeReading(db, feed, cursor)
  if (reading && reading.selection !== selection) throw cursorExpired('other_key')
  const { bookmark, journals: known } = reading ?? {}
  const request: ChangesRequest = {
    known,
    bookmark,
    isFilling: reading ? bookmark?.xid === 0n : from === undefined,
    reach,
    bounds: {
      seq: String(bookmark?.seq ?? 0),
      project: bookmark?.project ?? lowestId,
      rank: bookmark?.rank ?? -3,
      id: bookmark?.id ?? lowestId,
      kinds: chosen ?? kinds,
      limit,
      maxBytes: maxPageBytes,
    },
  }
  const journals = await db.journals()
  const [first] = journals
  const page = await (first!.isWithObjects
    ? readServerChanges(first!.db, request)
    : readClusterChanges(db, journals, request))
  if ('expired' in page) throw cursorExpired(page.expired)
  const { found, data, hasMore, secrets } = page
  if (reading && !secrets.includes(reading.secret)) throw cursorExpired('other_database')
  const [secret] = secrets
  const day = Date.parse(today) / 86_400_000
  const isEmpty = data === '[]' && !hasMore
  // A reader that has not read the end of the project yet gets it first.
  if (projectId !== null && !found && isEmpty) throw notFound('project')
  // A client that finds nothing new keeps its cursor, and its response, but not for so long that the cursor expires.
  const isIdle = isEmpty && reading?.day === day && reading.secret === secret
  const end = isIdle
    ? cursor!
    : encodeReading(secret!, feed, { selection, day, journals: page.journals, bookmark: page.bookmark })
  const nextCursor = hasMore ? end : null
  const meta = JSON.stringify({ limit, cursor: end, nextCursor, hasMore })
  const isPending = isEmpty && cursor !== undefined
  return { ...jsonResponse(`{"data":${data},"meta":${meta}}`), nextCursor, isPending }
}
