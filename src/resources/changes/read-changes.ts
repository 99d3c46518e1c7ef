// Reads a page of changes, and makes the cursor of the next one.

import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { maxPageBytes } from '../../api/lists/page-query.ts'
import { invalid, notFound, Problem, unavailable } from '../../api/problems/problem.ts'
import { jsonResponse, type ApiResponse } from '../../api/responses/response.ts'
import { kinds } from './change.ts'
import { decodeReading, encodeReading, type Place } from './change-cursor.ts'
import { knownBefore, parseSnapshot, snapshotText, withKnown, type Snapshot } from './snapshot.ts'
import boardFields from '../../../sql/boards/board-fields.sql'
import stageFields from '../../../sql/boards/stage-fields.sql'
import beginEpochSql from '../../../sql/changes/begin-epoch.sql'
import entries from '../../../sql/changes/entries.sql'
import changesSql from '../../../sql/changes/list-changes.sql'
import named from '../../../sql/changes/named-objects.sql'
import object from '../../../sql/changes/object.sql'
import page from '../../../sql/changes/page.sql'
import commentFields from '../../../sql/comments/comment-fields.sql'
import commentFiles from '../../../sql/comments/comment-files.sql'
import documentFields from '../../../sql/documents/document-fields.sql'
import teamFields from '../../../sql/people/team-fields.sql'
import userFields from '../../../sql/people/user-fields.sql'
import projectFields from '../../../sql/projects/project-fields.sql'
import taskJson from '../../../sql/tasks/task-json.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import timeEntryFields from '../../../sql/time-entries/time-entry-fields.sql'

// prettier-ignore
const fragments = {
  projectFields, userFields, teamFields, boardFields, stageFields, taskJson, taskTags, taskWatchers, commentFields,
  commentFiles, timeEntryFields, documentFields,
}
const sql = include(changesSql, {
  entries,
  named,
  page,
  object,
  kinds: `array['${kinds.join("', '")}']`,
  project: 'o.project',
  ...fragments,
})
/** Everything is found by keys, so one plan is right for all requests. */
export const findChanges = query<Row>(sql, () => 'generic')
const beginEpoch = query(beginEpochSql)

interface Row {
  /** True if there is a project. */
  found: boolean
  expired: boolean
  now: string
  /** Null if the epoch of the server is not recorded yet. */
  epoch: string | null
  lsn: string
  data: string
  /** The transaction in which the next page begins, and after what in it. */
  xid: string | null
  seq: string | null
  project: string
  rank: number
  id: string
}

/** The projects whose changes are read, in one of three ways; see list-changes.sql. */
export interface Feed {
  projectIds?: readonly string[]
  keyId?: string
  all?: true
  /** Cursors of another selection expire. */
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
  db: Runner,
): Promise<ApiResponse> {
  const { cursor, from, kinds: chosen, limit } = query
  if (cursor !== undefined && from !== undefined)
    throw invalid({ in: 'query', name: 'from', message: 'cannot be combined with cursor' })
  const feed = [projectId, chosen]
  const reading = cursor === undefined ? undefined : decodeReading(feed, cursor)
  const place = reading?.place
  const known = reading?.journals[0]
  const isFilling = reading ? place?.xid === 0n : from === undefined
  const ranks = [...kinds.keys()].filter((rank) => !chosen || chosen.includes(kinds[rank]!))
  const params = {
    ...reach,
    base: known ? snapshotText(known.base) : null,
    epoch: known?.epoch ?? null,
    lsn: known?.lsn.toString() ?? null,
    filling: isFilling || null,
    xid: isFilling ? null : (place?.xid.toString() ?? null),
    seq: String(place?.seq ?? 0),
    project: place?.project ?? lowestId,
    rank: place?.rank ?? -3,
    id: place?.id ?? lowestId,
    ranks: ranks.map(String),
    limit,
    maxBytes: maxPageBytes,
  }
  let [row] = await findChanges(db, params)
  if (row!.epoch === null) {
    // On a standby, this fails as on any database that is read-only: its snapshots do not name running transactions.
    await beginEpoch(db, {})
    ;[row] = await findChanges(db, params)
  }
  const { found, expired, epoch, lsn, data } = row!
  if (epoch === null) throw unavailable('The database has just been restarted.')
  if (expired || (reading && reading.selection !== selection)) throw cursorExpired()
  const day = Date.parse(today) / 86_400_000
  const next = continueFrom(known?.base, place, isFilling, row!)
  const isEmpty = data === '[]' && !next.hasMore
  // A reader that has not read the end of the project yet gets it first.
  if (projectId !== null && !found && isEmpty) throw notFound('project')
  // A client that finds nothing new keeps its cursor, and its response, but not for so long that the cursor expires.
  const isIdle = isEmpty && reading?.day === day
  const { base, place: nextPlace, hasMore } = next
  const journals = [{ node: 0, epoch, lsn: BigInt(lsn), base }]
  const end = isIdle ? cursor! : encodeReading(feed, { selection, day, journals, place: nextPlace })
  const nextCursor = hasMore ? end : null
  const meta = JSON.stringify({ limit, cursor: end, nextCursor, hasMore })
  const isPending = isEmpty && cursor !== undefined
  return { ...jsonResponse(`{"data":${data},"meta":${meta}}`), nextCursor, isPending }
}

/** Returns what the reader knows after the page, and whether there is more already. */
function continueFrom(
  known: Snapshot | undefined,
  place: Place | undefined,
  isFilling: boolean,
  row: Row,
): { base: Snapshot; place: Place | undefined; hasMore: boolean } {
  const now = parseSnapshot(row.now)
  const base = known ?? now
  const begun = isFilling ? undefined : place
  if (row.xid === null) {
    // All objects are known. If they came on several pages, they may have changed since the first.
    if (isFilling) return { base, place: undefined, hasMore: known !== undefined }
    if (begun) return { base: withKnown(base, begun.xid), place: undefined, hasMore: true }
    return { base: now, place: undefined, hasMore: false }
  }
  const xid = BigInt(row.xid)
  const next =
    row.seq === null
      ? undefined
      : { journal: 0, xid, seq: BigInt(row.seq), project: row.project, rank: row.rank, id: row.id }
  return { base: begun || isFilling ? base : knownBefore(base, now, xid), place: next, hasMore: true }
}

export function cursorExpired(): Problem {
  return new Problem(
    'CURSOR_EXPIRED',
    'The changes since this cursor are not known any more. Start again without a cursor: delete your copy, and store everything that follows.',
    { faults: [{ in: 'query', name: 'cursor', message: 'must be newer, and of this database' }] },
  )
}
