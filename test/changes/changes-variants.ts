// Variants of the feed, broken on purpose. Each of them sometimes loses a change, which the checker has to find.

import type { Variant } from '../support/broken-variants.ts'
import type { Edit } from '../support/edited-build.ts'

const snapshots = 'src/resources/changes/snapshot.ts'
const endpoint = 'src/resources/changes/read-server-changes.ts'
const entries = 'sql/changes/entries.sql'
const named = 'sql/changes/named-objects.sql'
const page = 'sql/changes/page.sql'
const edit = (where: string, from: string, to: string): Edit => ({ in: where, from, to })

const notRunning = edit(entries, 'from pg_snapshot_xip(:base::pg_snapshot) running (xid)', 'from (select null::xid8 where :base is null) running (xid)') // prettier-ignore
/** The snapshot of the cursor only contains a number. */
const numbered = (next: string) =>
  edit(page, 'r.now::text as now', `(select format('%s:%s:', n, n) from (select ${next} as n) next) as now`)

// prettier-ignore
const ofCursors: [name: string, ...edits: Edit[]][] = [
  ['a page ends with the whole transaction, of which it contains a part', edit(endpoint, 'seq === null ? undefined :', 'true ? undefined :'), edit(snapshots, '{ xmax: xid, xip: now.xip.filter((other) => other < xid) }', '{ xmax: xid + 1n, xip: now.xip.filter((other) => other < xid) }')],
  ['the cursor is the last sequence number',
    notRunning,
    numbered('coalesce((select max(seq) + 1 from workgate.journal), 1) + 2'),
    edit(entries, 'and j.xid >= pg_snapshot_xmax(:base)\n        and j.xid < pg_snapshot_xmax(r.now)', 'and j.seq + 2 >= pg_snapshot_xmax(:base)::text::bigint'),
    edit(entries, 'pg_snapshot_xmax(:base::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())', 'false'),
    edit(endpoint, 'knownBefore(base, now, xid)', 'now')],
  ['the cursor is the time of the last change',
    notRunning,
    numbered('(extract(epoch from coalesce((select max(at) from workgate.journal), now())) * 1000)::bigint | 4'),
    edit(entries, 'and j.xid >= pg_snapshot_xmax(:base)\n        and j.xid < pg_snapshot_xmax(r.now)', 'and (extract(epoch from j.at) * 1000)::bigint >= pg_snapshot_xmax(:base)::text::bigint'),
    edit(entries, 'pg_snapshot_xmax(:base::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())', 'false'),
    edit(endpoint, 'knownBefore(base, now, xid)', 'now')],
  ['transactions that were running when the cursor was made are forgotten', notRunning],
  ['what is left of a batch after its first page is skipped', edit(endpoint, 'knownBefore(base, now, xid), bookmark: next,', 'now, bookmark: undefined,')],
  ['a page forgets transactions that were running before it', edit(snapshots, 'xip: now.xip.filter((other) => other < xid)', 'xip: []')],
  ['a transaction that was running stays unknown after it was read', edit(snapshots, '=> other !== xid)', '=> other === xid)')],
  ['the snapshot is taken after the objects', edit(endpoint, 'return { base, bookmark: undefined, hasMore: known !== undefined }', 'return { base: now, bookmark: undefined, hasMore: known !== undefined }')],
  ['old cursors do not expire', edit('journal_expiry', 'where h.xid >= pg_snapshot_xmin(base)', 'where h.xid > h.xid')],
  ['cursors survive truncate', edit('journal_expiry', "and j.kind = 'everything'", "and j.kind = 'nothing'")],
]

// prettier-ignore
const ofPages: [name: string, ...edits: Edit[]][] = [
  ['entries that stand for no object end the batch', edit(page, 'coalesce(first_object.xid, last_entry.xid) as xid', 'first_object.xid as xid')],
  ['teams keep their old names', edit('named_by', "and named_by.kind = 'team'", 'and false')],
  ['the walk of all tasks begins with other objects', edit('named_by', "r where r = workgate.rank_of('task')", "r where r <> workgate.rank_of('task')")],
  ['an object is shown where a page names it first', edit(page, 'max(s.n) as n', 'min(s.n) as n')],
  ['tasks keep the old names of their watchers', edit('named_by', "and (named_by.fields is null or 'name' = any (named_by.fields))", 'and false')],
  ['tasks keep the old names of their replicated tags', edit('named_by', "where named_by.kind = 'tag'", 'where false')],
  ['a project that was created again has no contents', edit('named_by', "or (named_by.kind, named_by.event) = ('project', 'deleted')\n", '\n')],
  ['objects outlive their project', edit(named, ' and (select true from workgate.projects p where p.id = o.project)', '')],
]

// prettier-ignore
const ofScope: [name: string, ...edits: Edit[]][] = [
  ['a project that enters the scope has no contents', edit('named_by', "'tasks', 'entered', 'left')\n", "'tasks', 'left')\n")],
  ['a project that leaves the scope stays', edit('named_by', "or named_by.kind = 'left'\n", '\n')],
  ['a reader of all projects only sees those of the first', edit(named, '(e.seq, o.project, o.rank, o.object) > (:seq, :project, :rank, :id)', '(e.seq, o.project, o.rank, o.object) > (:seq, :project, :rank, :id) and (:seq <> 0 or o.project = :project or :rank = -3)')],
  ['the selection of a rotated key is forgotten', edit('record_api_keys', 'workgate.key_scope(coalesce(n.first_id, n.id)) as scope, moved.kind, moved.project_id\n          from new_rows n', 'workgate.key_scope(n.id) as scope, moved.kind, moved.project_id\n          from new_rows n')],
]

// prettier-ignore
const ofJournal: [name: string, ...edits: Edit[]][] = [
  ['stages of deleted boards are forgotten', edit('record_stages', 'where exists (select from workgate.projects p where p.id = o.project_id)', 'where exists (select from workgate.boards p where p.project_id = o.project_id and p.id = o.board_id)')],
  ['a new key changes only the project', edit('record_projects', 'join old_rows o on o.id = n.id', 'join old_rows o on false')],
  ['a file does not change its comment', edit('touch_comments_of_files', "updated_at + interval '1 millisecond'", 'updated_at')],
  ['a deleted project is only updated', edit('record_projects', "'deleted', w.at, w.channel, w.actor\n        from old_rows o", "'updated', w.at, w.channel, w.actor\n        from old_rows o")],
  ['the old id of a comment is forgotten', edit('record_comments', 'full join old_rows o', 'left join old_rows o')],
  ['tags do not change their tasks', edit('record_list_change', 'from unnest(changed)', "from unnest('{}'::uuid[])")],
  ['rows that were replicated before their project are forgotten', edit('record_projects', "'contents'", "'nothing'")],
]

const tables = ['time_entries', 'boards', 'project_members', 'comments', 'tasks', 'documents']
const nothing = { files: [], functions: [], triggers: [] }
const groups: Variant[][] = [
  ...[ofCursors, ofPages, ofScope, ofJournal].map((group) =>
    group.map(([name, ...edits]) => ({
      ...nothing,
      name,
      files: edits.filter((edit) => edit.in.includes('/')),
      functions: edits.filter((edit) => !edit.in.includes('/')),
    })),
  ),
  tables.map((table) => ({
    ...nothing,
    name: `deleted rows of ${table} are forgotten`,
    triggers: [{ table, name: `${table}_record_on_delete` }],
  })),
  [
    {
      ...nothing,
      name: 'replicated tasks are forgotten',
      triggers: [{ table: 'tasks', name: 'tasks_record_replicated' }],
    },
  ],
]
export const variants = groups.flat()

/** Three of each group, which are found within seconds. */
export const someVariants = groups.slice(0, -1).flatMap((group) => group.slice(0, 3))
