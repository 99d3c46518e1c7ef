// The statements of changes: one for a server, and three for a cluster, of the same parts.

import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import type { ExpiryReason } from './cursor-expired.ts'
import { object } from './objects.ts'
import beginEpochSql from '../../../sql/changes/begin-epoch.sql'
import entries from '../../../sql/changes/entries.sql'
import journalEntriesSql from '../../../sql/changes/journal-entries.sql'
import changesSql from '../../../sql/changes/list-changes.sql'
import mergeSql from '../../../sql/changes/merge-changes.sql'
import named from '../../../sql/changes/named-objects.sql'
import objectsInPlaceSql from '../../../sql/changes/objects-in-place.sql'
import page from '../../../sql/changes/page.sql'

const parts = { entries, named, page, object }

/** Everything is found by keys, so one plan is right for all requests. */
const queryOf = <Row>(sql: string) => query<Row>(include(sql, parts), () => 'generic')

export const findChanges = queryOf<PageRow & JournalRow>(changesSql)
export const findEntries = queryOf<EntriesRow>(journalEntriesSql)
export const findObjects = queryOf<{ objects: string }>(objectsInPlaceSql)
export const mergeChanges = queryOf<PageRow>(mergeSql)
export const beginEpoch = query(beginEpochSql)

export interface JournalRow {
  /** Null unless the cursor has expired. */
  expired: ExpiryReason | null
  now: string
  /** Null if the epoch of the server is not recorded yet. */
  epoch: string | null
  lsn: string
  /** The secrets of cursors as JSON, the newest first. Null if there is none yet. */
  secrets: string | null
}

export interface EntriesRow extends JournalRow {
  /** True if there is a project. */
  found: boolean
  /** The ids of projects. Null for all. */
  reach: string | null
  entries: string
}

export interface PageRow {
  /** True if there is a project. */
  found: boolean
  data: string
  /** The transaction in which the next page begins, and after what in it. */
  xid: string | null
  seq: string | null
  project: string
  rank: number
  id: string
}
