// GET /projects/:projectId/changes

import * as v from 'valibot'
import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import { lines, noView, readEndpoint, type ReadRequest } from '../../api/endpoint.ts'
import { choice } from '../../api/lists/filters.ts'
import { maxPageBytes } from '../../api/lists/page-query.ts'
import { integerUpTo, secondsToWait } from '../../api/input/query-string.ts'
import { directory } from '../../api/freshness/freshness.ts'
import { invalid, notFound, Problem, unavailable } from '../../api/problems/problem.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { jsonResponse } from '../../api/responses/response.ts'
import { changePage, kinds, maxChanges } from './change.ts'
import { decodeReading, encodeReading, type Reading } from './change-cursor.ts'
import { knownBefore, parseSnapshot, snapshotText, withKnown } from './snapshot.ts'
import boardFields from '../../../sql/boards/board-fields.sql'
import stageFields from '../../../sql/boards/stage-fields.sql'
import beginEpochSql from '../../../sql/changes/begin-epoch.sql'
import changesSql from '../../../sql/changes/list-changes.sql'
import object from '../../../sql/changes/object.sql'
import commentFields from '../../../sql/comments/comment-fields.sql'
import commentFiles from '../../../sql/comments/comment-files.sql'
import documentFields from '../../../sql/documents/document-fields.sql'
import teamFields from '../../../sql/people/team-fields.sql'
import userFields from '../../../sql/people/user-fields.sql'
import projectFields from '../../../sql/projects/project-fields.sql'
import taskFields from '../../../sql/tasks/task-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import timeEntryFields from '../../../sql/time-entries/time-entry-fields.sql'

// prettier-ignore
const fragments = {
  projectFields, userFields, teamFields, boardFields, stageFields, taskFields, taskTags, taskWatchers, commentFields,
  commentFiles, timeEntryFields, documentFields,
}
const sql = include(changesSql, {
  object,
  kinds: `array['${kinds.join("', '")}']`,
  project: ':projectId::uuid',
  ...fragments,
})
/** Everything is found by keys, so one plan is right for all requests. */
export const findChanges = query<Row>(sql, () => 'generic')
const beginEpoch = query(beginEpochSql)

interface Row {
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
  rank: number
  id: string
}

const lowestId = '00000000-0000-0000-0000-000000000000'

const querySchema = v.object({
  cursor: described(
    v.optional(v.string()),
    'The `meta.cursor` of an earlier response: returns what has changed since. Without it, all objects come first.',
  ),
  from: described(
    v.optional(v.picklist(['now'], 'must be now')),
    '`now`: start with the changes that follow, without a cursor.',
  ),
  kinds: described(choice(kinds), 'The kinds of objects; by default all. The end of the project is always included.'),
  limit: described(
    v.optional(integerUpTo(maxChanges), '100'),
    'The maximum number of changes; fewer if they are long.',
  ),
  wait: secondsToWait('a change after the cursor'),
})

export const listChanges = readEndpoint({
  docs: {
    operationId: 'listChanges',
    tag: 'Changes',
    summary: 'List changes',
    description: lines(
      'Returns every object of a project and then whatever changes, deletions included, so that you can keep a copy of it.',
      '',
      '- Without `cursor`, the response begins with all objects. With the `meta.cursor` of an earlier response, it contains',
      '  the objects that have changed since, each as it is now. Keep the cursor with the copy, and repeat.',
      '- `hasMore` is true if there is more already. A response can be empty even then.',
      '- With `wait` (seconds, up to 30), a response without changes is held until there is one, or the time runs out.',
      '- Nothing is missed: changes by anybody, in transactions of any length, with any `updatedAt`.',
      '- `410 CURSOR_EXPIRED` means that changes since the cursor are no longer known. Start again without a cursor.',
      '',
      '[Keep a copy](/docs/changes) explains it, with a client in 30 lines.',
    ),
  },
  query: querySchema,
  response: changePage,
  responseHeaders: ['link'],
  refusals: ['INVALID_CURSOR', 'CURSOR_EXPIRED'],
  view: noView,
  read: readChanges,
  concerns:
    ({ projectId }) =>
    (scope) =>
      scope === projectId || scope === directory,
})

async function readChanges(request: ReadRequest<v.InferOutput<typeof querySchema>, null>, db: Runner) {
  const { cursor, from, kinds: chosen, limit } = request.query
  if (cursor !== undefined && from !== undefined)
    throw invalid({ in: 'query', name: 'from', message: 'cannot be combined with cursor' })
  const feed = [request.projectId, chosen]
  const reading = cursor === undefined ? undefined : decodeReading(feed, cursor)
  const place = reading?.place
  const isFilling = reading === undefined || place?.xid === 0n
  const ranks = [...kinds.keys()].filter((rank) => !chosen || chosen.includes(kinds[rank]!))
  const params = {
    projectId: request.projectId,
    base: reading ? snapshotText(reading.base) : null,
    epoch: reading?.epoch ?? null,
    lsn: reading?.lsn.toString() ?? null,
    filling: isFilling || null,
    xid: isFilling ? null : (place?.xid.toString() ?? null),
    seq: String(place?.seq ?? 0),
    rank: place?.rank ?? -2,
    id: place?.id ?? lowestId,
    // To start now is to be given no object at the beginning.
    ranks: from === 'now' ? [] : ranks.map(String),
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
  if (expired) throw cursorExpired()
  const day = Date.parse(request.today) / 86_400_000
  const next = continueFrom(reading, isFilling, row!)
  // A reader that has not read the end of the project yet gets it first.
  if (!found && data === '[]' && !next.hasMore) throw notFound('project')
  // A client that finds nothing new keeps its cursor, and its response, but not for so long that the cursor expires.
  const isIdle = data === '[]' && !next.hasMore && reading?.day === day
  const end = isIdle
    ? cursor!
    : encodeReading(feed, { epoch, lsn: BigInt(lsn), day, base: next.base, place: next.place })
  const nextCursor = next.hasMore ? end : null
  const meta = JSON.stringify({ limit, cursor: end, nextCursor, hasMore: next.hasMore })
  const isPending = cursor !== undefined && data === '[]' && !next.hasMore
  return { ...jsonResponse(`{"data":${data},"meta":${meta}}`), nextCursor, isPending }
}

/** Returns what the reader knows after the page, and whether there is more already. */
function continueFrom(
  reading: Reading | undefined,
  isFilling: boolean,
  row: Row,
): Pick<Reading, 'base' | 'place'> & { hasMore: boolean } {
  const now = parseSnapshot(row.now)
  const base = reading?.base ?? now
  const begun = isFilling ? undefined : reading?.place
  if (row.xid === null) {
    // All objects are known. If they came on several pages, they may have changed since the first.
    if (isFilling) return { base, place: undefined, hasMore: reading !== undefined }
    if (begun) return { base: withKnown(base, begun.xid), place: undefined, hasMore: true }
    return { base: now, place: undefined, hasMore: false }
  }
  const xid = BigInt(row.xid)
  const place = row.seq === null ? undefined : { xid, seq: BigInt(row.seq), rank: row.rank, id: row.id }
  return { base: begun || isFilling ? base : knownBefore(base, now, xid), place, hasMore: true }
}

export function cursorExpired(): Problem {
  return new Problem(
    'CURSOR_EXPIRED',
    'The changes since this cursor are not known any more. Start again without a cursor: delete what you have of the project, and store everything that follows.',
    { faults: [{ in: 'query', name: 'cursor', message: 'must be newer, and of this database' }] },
  )
}
