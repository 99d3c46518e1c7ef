// A row of each table that a response can show: how to insert and select it, and the scopes that it changes.

import { directory, keyScopeOf } from '../../src/api/freshness/freshness.ts'
import { id, web } from './data.ts'

export interface ShownTable {
  table: string
  insert: string
  where: string
  /** A column to update. Setting it to its current value still counts as a change of the row. */
  column: string
  scopes: string[]
}

/** A project that tests insert and delete, and the id that it may be changed to. */
export const project = id('project', 50)
export const moved = id('project', 51)
/** A key that tests insert and delete, and the id that it may be changed to. */
export const key = 'abcdefabcdef'
export const movedKey = 'fedcbafedcba'
const user = id('user', 50)
const team = id('team', 50)
const task = id('task', 1)

const row = (table: string, columns: string, values: string, where: string, column: string, scopes = [web]) => ({
  table,
  insert: `insert into workgate.${table} (${columns}) values (${values})`,
  where: scopes[0] === web ? `project_id = '${web}' and ${where}` : where,
  column,
  scopes,
})

// prettier-ignore
export const shownTables: ShownTable[] = [
  row('users',           'id, name, email',                     `'${user}', 'New', 'new@example.org'`,   `id = '${user}'`, 'name', [directory]),
  row('teams',           'id, name',                            `'${team}', 'New'`,                      `id = '${team}'`, 'name', [directory]),
  row('team_members',    'team_id, user_id',                    `'${team}', '${user}'`,                  `team_id = '${team}'`, 'joined_at', [directory]),
  row('api_keys',        'id, name, key_hash, scope_mode, operations', `'${key}', 'new', sha256('x'), 'all_projects', '{}'`, `id = '${key}'`, 'name', [keyScopeOf(key)]),
  row('projects',        'id, key, name',                       `'${project}', 'NEW', 'New'`,            `id = '${project}'`, 'name', [project]),
  row('project_members', 'project_id, user_id',                 `'${web}', '${user}'`,                   `user_id = '${user}'`, 'role'),
  row('project_teams',   'project_id, team_id',                 `'${web}', '${team}'`,                   `team_id = '${team}'`, 'added_at'),
  row('boards',          'project_id, id, name',                `'${web}', '${id('board', 50)}', 'x'`,   `id = '${id('board', 50)}'`, 'name'),
  row('stages',          'project_id, id, board_id, name, category', `'${web}', '${id('stage', 50)}', '${id('board', 50)}', 'x', 'done'`, `id = '${id('stage', 50)}'`, 'name'),
  row('tasks',           'project_id, id, title, number',       `'${web}', '${id('task', 50)}', 'x', 50`, `id = '${id('task', 50)}'`, 'title'),
  row('fields',          'project_id, id, name, type',          `'${web}', '${id('field', 50)}', 'x', 'text'`, `id = '${id('field', 50)}'`, 'type'),
  row('task_history',    'project_id, task_id, version, channel, actor, changes', `'${web}', '${id('task', 50)}', 9, 'x', '{}', '{}'`, `task_id = '${id('task', 50)}' and version = 9`, 'at'),
  row('tags',            'project_id, id, name',                `'${web}', '${user}', 'x'`,              `id = '${user}'`, 'name'),
  row('task_tags',       'project_id, task_id, tag_id',         `'${web}', '${task}', '${user}'`,        `tag_id = '${user}'`, 'task_id'),
  row('task_watchers',   'project_id, task_id, user_id',        `'${web}', '${task}', '${user}'`,        `user_id = '${user}'`, 'task_id'),
  row('comments',        'project_id, id, task_id, body',       `'${web}', '${id('comment', 50)}', '${task}', 'x'`, `id = '${id('comment', 50)}'`, 'body'),
  row('files',           'project_id, id, comment_id, name, mime_type, size_bytes, sha256, url', `'${web}', '${id('file', 50)}', '${id('comment', 50)}', 'x', 'a/b', 1, repeat('0', 64), 'https://x'`, `id = '${id('file', 50)}'`, 'name'),
  row('time_entries',    'project_id, id, task_id, user_id, spent_on, started_at', `'${web}', '${id('timeEntry', 50)}', '${task}', '${user}', '2026-01-01', '2026-01-01'`, `id = '${id('timeEntry', 50)}'`, 'description'),
  row('documents',       'project_id, id, path, title, markdown', `'${web}', '${id('document', 50)}', 'x', 'x', 'x'`, `id = '${id('document', 50)}'`, 'title'),
]

/** One row is inserted into each table, updated and deleted, in this order. */
export const shownChanges = [
  ...shownTables.map(({ table, insert, scopes }) => ({ claim: `inserting into ${table}`, change: insert, scopes })),
  ...shownTables.map(({ table, where, column, scopes }) => {
    return {
      claim: `updating ${table}`,
      change: `update workgate.${table} set ${column} = ${column} where ${where}`,
      scopes,
    }
  }),
  ...shownTables.toReversed().map(({ table, where, scopes }) => {
    return { claim: `deleting from ${table}`, change: `delete from workgate.${table} where ${where}`, scopes }
  }),
]

/** Tables that no response shows, or shows only along with a change to one of the tables above. */
export const notShown = [
  'migrations',
  'api_key_uses',
  'task_counters',
  'idempotency_records',
  'import_mappings',
  'imports',
  'import_changes',
  'user_aliases',
  'sources',
  'source_progress',
  'source_items',
  'freshness_marks',
  'freshness_versions',
  'journal',
  'journal_horizon',
  'epochs',
  'cursor_secrets',
  // Maintained by triggers.
  'tallies',
  'tally_deltas',
  'task_efforts',
  'effort_marks',
]
