// The statements of changes: one for a server, and three for a cluster, of the same parts.

import { query } from '../../db/statements/query.ts'
import { include } from '../../db/statements/template.ts'
import type { ExpiryReason } from './cursor-expired.ts'
import { taskJson } from '../tasks/task-json.ts'
import boardFields from '../../../sql/boards/board-fields.sql'
import stageFields from '../../../sql/boards/stage-fields.sql'
import beginEpochSql from '../../../sql/changes/begin-epoch.sql'
import entries from '../../../sql/changes/entries.sql'
import journalEntriesSql from '../../../sql/changes/journal-entries.sql'
import changesSql from '../../../sql/changes/list-changes.sql'
import mergeSql from '../../../sql/changes/merge-changes.sql'
import named from '../../../sql/changes/named-objects.sql'
import object from '../../../sql/changes/object.sql'
import objectsInPlaceSql from '../../../sql/changes/objects-in-place.sql'
import page from '../../../sql/changes/page.sql'
import commentFields from '../../../sql/comments/comment-fields.sql'
import commentFiles from '../../../sql/comments/comment-files.sql'
import documentFields from '../../../sql/documents/document-fields.sql'
import teamFields from '../../../sql/people/team-fields.sql'
import userFields from '../../../sql/people/user-fields.sql'
import projectFields from '../../../sql/projects/project-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import timeEntryFields from '../../../sql/time-entries/time-entry-fields.sql'

// prettier-ignore
const fields = {
  projectFields, userFields, teamFields, boardFields, stageFields, taskJson, taskTags, taskWatchers, commentFields,
  commentFiles, timeEntryFields, documentFields,
}
const fragments = {
  entries,
  named,
  page,
  object,
  project: 'o.project',
  ...fields,
}

/** Everything is found by keys, so one plan is right for all requests. */
const queryOf = <Row>(sql: string) => query<Row>(include(sql, fragments), () => 'generic')

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
