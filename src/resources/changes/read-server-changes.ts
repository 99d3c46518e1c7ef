// Reads a page of changes from one server.

import type { Runner } from '../../db/pool/pool.ts'
import type { Params } from '../../db/statements/template.ts'
import { unavailable } from '../../api/problems/problem.ts'
import type { KnownJournal, Bookmark } from './change-cursor.ts'
import type { Secret } from './sealed.ts'
import { beginEpoch, findChanges, type JournalRow, type PageRow } from './change-statements.ts'
import type { ExpiryReason } from './cursor-expired.ts'
import { knownBefore, parseSnapshot, snapshotText, withKnown, type Snapshot } from './snapshot.ts'

/** The projects whose changes are read, in one of three ways; see list-changes.sql. */
export interface Reach {
  projectIds?: readonly string[]
  keyId?: string
  all?: true
}

export interface ChangesRequest {
  /** Undefined without a cursor. */
  known: readonly KnownJournal[] | undefined
  bookmark: Bookmark | undefined
  /** True while the reader reads all objects. */
  isFilling: boolean
  reach: Reach
  /** The parameters that tell where the page begins and ends. */
  bounds: Params
}

export interface PageOfChanges {
  /** True if there is a project. */
  found: boolean
  data: string
  /** The knowledge of the reader after the page. */
  journals: KnownJournal[]
  /** The newest first. */
  secrets: Secret[]
  bookmark: Bookmark | undefined
  /** True if there is more already. */
  hasMore: boolean
}

/** The response to a cursor with which nothing can be read any more. */
export interface Expired {
  expired: ExpiryReason
}

export async function readServerChanges(db: Runner, request: ChangesRequest): Promise<PageOfChanges | Expired> {
  const { known = [], reach, bounds } = request
  const [journal, ...others] = known
  const params = { ...reach, ...journalParams(request, journal), ...bounds }
  const row = await withEpoch(db, async () => (await findChanges(db, params))[0]!)
  // The cursor of a cluster.
  if (others.length > 0) return { expired: 'other_database' }
  if (row.expired !== null) return { expired: row.expired }
  const { base, ...next } = continueFrom(row, row.now, journal?.base, request)
  const { found, data, epoch, lsn, secrets } = row
  return { found, data, journals: [{ node: 0, epoch, lsn: BigInt(lsn), base }], secrets, ...next }
}

/** The parameters about a journal of which the reader knows this. */
export const journalParams = (
  { isFilling, bookmark }: Pick<ChangesRequest, 'isFilling' | 'bookmark'>,
  known: KnownJournal | undefined,
): Params => ({
  base: known ? snapshotText(known.base) : null,
  epoch: known?.epoch ?? null,
  lsn: known?.lsn.toString() ?? null,
  filling: isFilling || null,
  xid: isFilling ? null : (bookmark?.xid.toString() ?? null),
})

/** Records the epoch of the server if it has just been started, and makes a secret of cursors if there is none. */
export async function withEpoch<Row extends JournalRow>(
  db: Runner,
  read: () => Promise<Row>,
): Promise<Row & { epoch: string; secrets: Secret[] }> {
  let row = await read()
  if (row.epoch === null || row.secrets === null) {
    // On a standby, this fails as on any database that is read-only: its snapshots do not name running transactions.
    await beginEpoch(db, {})
    row = await read()
  }
  const { epoch, secrets } = row
  if (epoch === null || secrets === null) throw unavailable('The database has just been restarted.')
  return { ...row, epoch, secrets: JSON.parse(secrets) as Secret[] }
}

/** Returns what the reader knows of the journal after the page, and whether there is more in it already. */
export function continueFrom(
  row: PageRow,
  nowText: string,
  known: Snapshot | undefined,
  { isFilling, bookmark }: ChangesRequest,
  journal = 0,
): { base: Snapshot; bookmark: Bookmark | undefined; hasMore: boolean } {
  const now = parseSnapshot(nowText)
  const base = known ?? now
  const begun = isFilling ? undefined : bookmark
  if (row.xid === null) {
    // All objects are known. If they came on several pages, they may have changed since the first.
    if (isFilling) return { base, bookmark: undefined, hasMore: known !== undefined }
    if (begun) return { base: withKnown(base, begun.xid), bookmark: undefined, hasMore: true }
    return { base: now, bookmark: undefined, hasMore: false }
  }
  const xid = BigInt(row.xid)
  const { seq, project, rank, id } = row
  const next = seq === null ? undefined : { journal, xid, seq: BigInt(seq), project, rank, id }
  return { base: begun || isFilling ? base : knownBefore(base, now, xid), bookmark: next, hasMore: true }
}
