// Constraints refuse invalid rows from every writer, and their names say why.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { app, id, insertData, missing, web } from '../support/data.ts'
import { suiteDatabase } from '../support/suite-database.ts'
import { valuesOf } from '../support/values.ts'

const { sql } = await suiteDatabase(insertData)

const task = (columns: string, values: string, project = web) =>
  `insert into workgate.tasks (project_id, title, ${columns}) values ('${project}', 'x', ${values})`
const entry = (start: string, end: string) =>
  `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at, ended_at)
   values ('${web}', '${id('task', 1)}', '${id('user', 1)}', '2026-01-01', '${start}', '${end}')`
const untimed = (start: string, end: string | null) =>
  `insert into workgate.time_entries (project_id, user_id, spent_on, started_at, ended_at, timed)
   values ('${web}', '${id('user', 1)}', '2026-01-01', '${start}', ${end === null ? 'null' : `'${end}'`}, false)`
const project = (columns: string, values: string) =>
  `insert into workgate.projects (key, name, ${columns}) values ('NEW', 'x', ${values})`

// prettier-ignore
const refused: [claim: string, statement: string, constraint: string][] = [
  ['a time entry that ends before its start', entry('2026-01-01T10:00Z', '2026-01-01T09:00Z'),                     'time_entries_end_not_before_start'],
  ['a time entry without times that has not ended', untimed('2026-01-01T00:00Z', null), 'time_entries_untimed_is_a_duration'],
  ['a time entry without times that starts in the day', untimed('2026-01-01T00:00:01Z', '2026-01-01T02:00Z'), 'time_entries_untimed_is_a_duration'],
  ['a time entry without times that starts on another day', `set local timezone = 'Asia/Tokyo'; ${untimed('2026-01-01T00:00', '2026-01-01T02:00')}`, 'time_entries_untimed_is_a_duration'],
  ['a time entry of no task and no project', `insert into workgate.time_entries (project_id, user_id, spent_on, started_at) values ('${missing}', '${id('user', 1)}', '2026-01-01', '2026-01-01')`, 'time_entries_project'],
  ["a time entry of another project's task", `insert into workgate.time_entries (project_id, task_id, user_id, spent_on, started_at) values ('${app}', '${id('task', 1)}', '${id('user', 1)}', '2026-01-01', '2026-01-01')`, 'time_entries_task'],
  ['a due date before the start of a task', task('start_date, due_date', `'2026-01-02', '2026-01-01'`),          'tasks_due_not_before_start'],
  ['a due date before the start of a project', project('start_date, due_date', `'2026-01-02', '2026-01-01'`),       'projects_due_not_before_start'],
  ["a stage of another project's board",    `insert into workgate.stages (project_id, board_id, name, category) values ('${web}', '${id('board', 4)}', 'x', 'done')`, 'stages_board'],
  ["a task in another project's stage",     task('board_id, stage_id', `'${id('board', 4)}', '${id('stage', 5)}'`), 'tasks_board'],
  ["a task in a stage of another board",    task('board_id, stage_id', `'${id('board', 1)}', '${id('stage', 4)}'`), 'tasks_stage_of_board'],
  ['a stage that does not exist',           task('stage_id', `'${missing}'`),                                    'tasks_stage_needs_board'],
  ['an assignee who is not a member',       task('assignee_id', `'${id('user', 5)}'`),                           'tasks_assignee_is_member'],
  ['a parent in another project',           task('parent_id', `'${id('task', 1)}'`, app),                        'tasks_parent'],
  ['a task that is its own parent',         `update workgate.tasks set parent_id = id where id = '${id('task', 1)}'`, 'tasks_parent_is_another'],
  ['two tasks with the same number',        task('number', '1'),                                                 'tasks_number_taken'],
  ['number 0',                              task('number', '0'),                                                 'tasks_number_is_exact'],
  ['a number that JSON cannot hold exactly', `alter table workgate.tasks disable trigger tasks_fill; ${task('number', '9007199254740992')}`, 'tasks_number_is_exact'],
  ['a version that JSON cannot hold exactly', `alter table workgate.tasks disable trigger tasks_fill; ${task('version', '9007199254740992')}`, 'tasks_version_is_exact'],
  ['a size that JSON cannot hold exactly',  `insert into workgate.files (project_id, task_id, name, mime_type, size_bytes, sha256, url) values ('${web}', '${missing}', 'x', 'a/b', 9007199254740992, repeat('0', 64), 'x')`, 'files_size_is_exact'],
  ['a blank title',                         `insert into workgate.tasks (project_id, title) values ('${web}', '  ')`, 'tasks_title_form'],
  ['a title of 501 characters',             `insert into workgate.tasks (project_id, title) values ('${web}', repeat('x', 501))`, 'tasks_title_form'],
  ['an unknown state',                      task('state', `'paused'`),                                           'tasks_state'],
  ['an open task with a completion time',   task('completed_at', 'now()'),                                       'tasks_completed_at_of_completed'],
  ['a negative estimate',                   task('estimate_seconds', '-1'),                                      'tasks_estimate'],
  ['two tasks with the same external id',   `${task('external_id', `'a'`)}; ${task('external_id', `'a'`)}`,     'tasks_external_id_taken'],
  ['an external id with a comma',           task('external_id', `'a,b'`),                                        'tasks_external_id_form'],
  ['a blank external id',                   task('external_id', `' '`),                                          'tasks_external_id_form'],
  ['an external id of 201 characters',      task('external_id', `repeat('x', 201)`),                             'tasks_external_id_form'],
  ['a type in upper case',                  task('type', `'Bug'`),                                               'tasks_type_form'],
  ['a type with a comma',                   task('type', `'bug,story'`),                                         'tasks_type_form'],
  ['a blank type',                          task('type', `' '`),                                                 'tasks_type_form'],
  ['the type none',                         task('type', `'none'`),                                              'tasks_type_form'],
  ['an unknown format of a description',    task('description_format', `'text,markdown'`),                       'tasks_description_format'],
  ['more than 50 assignees',                `with made as (insert into workgate.users (id, name) select workgate.new_id(), n::text from generate_series(1, 51) n returning id), members as (insert into workgate.project_members (project_id, user_id) select '${web}', id from made) insert into workgate.tasks (project_id, title, assignee_ids) select '${web}', 'x', array_agg(id) from made`, 'tasks_assignees_begin_with_assignee'],
  ['an external URL of another kind',       task('external_url', `'javascript:alert(1)'`),                       'tasks_external_url_form'],
  ['the same member twice in a project',    `insert into workgate.project_members (project_id, user_id) values ('${web}', '${id('user', 1)}')`, 'project_members_pkey'],
  ['the same member twice in a team',       `insert into workgate.team_members (team_id, user_id) values ('${id('team', 1)}', '${id('user', 1)}')`, 'team_members_pkey'],
  ['an unknown role',                       `insert into workgate.project_members (project_id, user_id, role) values ('${web}', '${id('user', 5)}', 'king')`, 'project_members_role'],
  ['deleting a member who is an assignee',  `with t as (update workgate.tasks set assignee_id = '${id('user', 2)}' where id = '${id('task', 1)}') select 1; delete from workgate.project_members where user_id = '${id('user', 2)}'`, 'tasks_assignee_is_member'],
  ['a duplicate project key',               `insert into workgate.projects (key, name) values ('WEB', 'x')`,    'projects_key_taken'],
  ['a project key in lower case',           `insert into workgate.projects (key, name) values ('web2', 'x')`,   'projects_key_form'],
  ['an unknown status',                     project('status', `'gone'`),                                         'projects_status'],
  ['a duplicate e-mail address, in any case', `insert into workgate.users (name, email) values ('x', 'ADA@example.org')`, 'users_email_taken'],
  ['an invalid e-mail address',             `insert into workgate.users (name, email) values ('x', 'nobody')`,  'users_email_form'],
  ['a duplicate tag, in any case',          `insert into workgate.tags (project_id, name) values ('${web}', 'Bug'), ('${web}', 'bug')`, 'tags_name_taken'],
  ['a tag with a comma',                    `insert into workgate.tags (project_id, name) values ('${web}', 'a,b')`, 'tags_name_without_comma'],
  ['a file of a comment on another task',   `insert into workgate.files (project_id, task_id, comment_id, name, mime_type, size_bytes, url) values ('${web}', '${id('task', 2)}', '${id('comment', 1)}', 'x', 'a/b', 1, 'https://x')`, 'files_comment_of_task'],
  ['a file of a comment without its size',  `insert into workgate.files (project_id, comment_id, name, mime_type, url) values ('${web}', '${id('comment', 1)}', 'x', 'a/b', 'https://x')`, 'files_of_comment_has_size'],
  ['an address of a file of another kind',  `insert into workgate.files (project_id, task_id, name, mime_type, size_bytes, url) values ('${web}', '${missing}', 'x', 'a/b', 1, 'javascript:alert(1)')`, 'files_url_form'],
  ['a board at the largest position',       `insert into workgate.boards (project_id, name, position) values ('${web}', 'x', 2147483647)`, 'boards_position_has_neighbors'],
  ['an invalid color',                      `insert into workgate.tags (project_id, name, color) values ('${web}', 'a', 'red')`, 'tags_color_form'],
  ['a watcher who is not a member',         `insert into workgate.task_watchers values ('${web}', '${id('task', 1)}', '${id('user', 5)}')`, 'task_watchers_member'],
  ['a comment on a task of another project', `insert into workgate.comments (project_id, task_id, body) values ('${app}', '${id('task', 1)}', 'x')`, 'comments_task'],
  ['an empty comment',                      `insert into workgate.comments (project_id, task_id, body) values ('${web}', '${id('task', 1)}', '')`, 'comments_body_length'],
  ['a duplicate document path',             `insert into workgate.documents (project_id, path, title, markdown) values ('${web}', 'a', 'x', ''), ('${web}', 'a', 'x', '')`, 'documents_path_taken'],
  ['an infinite time',                      project('created_at', `'infinity'`),                                 'moment_is_a_real_time'],
  ['an infinite date',                      project('due_date', `'-infinity'`),                                  'day_is_a_real_date'],
  ['a work in progress limit of 0',         `update workgate.stages set wip_limit = 0`,                          'stages_wip_limit'],
  ['deleting a stage with tasks',           `delete from workgate.stages where id = '${id('stage', 1)}'`,        'tasks_stage_of_board'],
  ['deleting a user who owns a project',    `delete from workgate.users where id = '${id('user', 1)}'`,          'projects_owner'],
]

describe('the named constraint refuses', () => {
  for (const [claim, statement, constraint] of refused) {
    test(claim, async () => {
      await assert.rejects(
        sql.begin((sql) => sql.unsafe(statement)),
        (error: { constraint_name?: string; message: string }) => {
          assert.equal(error.constraint_name, constraint, error.message)
          return true
        },
      )
    })
  }

  for (const table of ['project_members', 'project_teams', 'boards', 'stages', 'tasks']) {
    test(`moving a row of ${table} to another project`, async () => {
      await assert.rejects(sql.unsafe(`update workgate.${table} set project_id = '${missing}'`), {
        code: 'WG001',
        message: `a row of ${table} cannot move to another project`,
      })
    })
  }
})

test('deleting a project deletes its contents', async () => {
  await sql`insert into workgate.time_entries (project_id, user_id, spent_on, started_at) values (${web}, ${id('user', 1)}, '2026-01-01', now())`
  await sql`delete from workgate.projects where id = ${web}`
  const tables = [
    'tasks',
    'boards',
    'stages',
    'project_members',
    'project_teams',
    'time_entries',
    'task_history',
    'task_counters',
  ]
  for (const table of tables) {
    const rows = await sql.unsafe(`select 1 from workgate.${table} where project_id = '${web}'`)
    assert.equal(rows.length, 0, table)
  }
})

test('tables have comments, indexes begin with project_id, and no foreign key sets null or is deferrable', async () => {
  const bare = await sql`
    select relname from pg_class where relnamespace = 'workgate'::regnamespace and relkind in ('r', 'v')
    and obj_description(oid, 'pg_class') is null`
  assert.deepEqual(valuesOf(bare, 'relname'), [], 'tables and views without a comment')
  // Exceptions: search words are prefixed with a mark of their project; expired idempotency records are deleted in all
  // projects; a summary reads all projects at once; a changed user or team is looked up in all projects; an own
  // field can be declared for all projects.
  const exceptions = await sql`
    select c.relname as index
    from pg_index i
    join pg_class c on c.oid = i.indexrelid and c.relnamespace = 'workgate'::regnamespace
    join pg_attribute p on p.attrelid = i.indrelid and p.attname = 'project_id'
    where i.indkey[0] <> p.attnum
    and pg_get_indexdef(c.oid) !~ 'gin \\((workgate\\.)?terms_in\\(project_id, '
    and c.relname not in ('idempotency_records_by_age', 'tallies_by_kind', 'project_members_by_user', 'project_teams_by_team', 'task_watchers_by_user', 'fields_pkey', 'fields_name_taken')`
  assert.deepEqual(valuesOf(exceptions, 'index'), [], 'indexes of project data that do not begin with project_id')
  const nulling = await sql`
    select conname from pg_constraint where connamespace = 'workgate'::regnamespace and contype = 'f'
    and (confdeltype in ('n', 'd') or condeferrable)`
  assert.deepEqual(valuesOf(nulling, 'conname'), [], 'foreign keys that set null or are deferrable')
})
