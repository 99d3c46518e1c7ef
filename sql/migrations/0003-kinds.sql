-- Says for each table what the database maintains in its rows, and what it records about them. Later migrations make triggers
-- from it.

create view workgate.kinds as
select
  k.table_name, k.scope, k.kind, k.id, k.rank,
  string_to_array(k.shown, ' ') as shown,
  string_to_array(k.maintained, ' ') as maintained,
  string_to_array(k.tallies, ',') as tallies
from (
  values
    ('projects', 'id', 'project', 'id', 10, 'key name description status owner_id start_date due_date created_at', 'updated_at version', ''),
    ('users', 'directory', 'user', 'id', 20, 'name email active', 'updated_at', ''),
    ('project_members', 'project_id', 'user', 'user_id', 20, 'role joined_at', 'updated_at', 'members'),
    ('teams', 'directory', 'team', 'id', 30, 'name description created_at', 'updated_at', ''),
    ('project_teams', 'project_id', 'team', 'team_id', 30, '', '', ''),
    ('boards', 'project_id', 'board', 'id', 40, 'name description position archived created_at', 'updated_at', ''),
    ('stages', 'project_id', 'stage', 'id', 50, 'board_id name position category wip_limit created_at', 'updated_at', ''),
    (
      'tasks', 'project_id', 'task', 'id', 60,
      'number title description state priority board_id stage_id parent_id assignee_id assignee_ids creator_id description_format type '
        'start_date due_date estimate_seconds fields completed_at cancelled_at external_id external_url created_at',
      'updated_at version', 'state,stage,priority,assignee,type,due,shared due,flow,lead,estimate'
    ),
    ('comments', 'project_id', 'comment', 'id', 70, 'task_id author_id body body_format created_at', 'updated_at', 'comments'),
    (
      'files', 'project_id', 'file', 'id', 75,
      'task_id comment_id creator_id name mime_type size_bytes sha256 url created_at', 'updated_at', ''
    ),
    (
      'time_entries', 'project_id', 'time_entry', 'id', 80,
      'task_id user_id description spent_on started_at ended_at duration_seconds timed billable created_at', 'updated_at',
      'time,user time,running,effort'
    ),
    (
      'documents', 'project_id', 'document', 'id', 90,
      'path title task_id author_id size_bytes word_count headings sha256 revision created_at', 'updated_at', 'documents'
    ),
    ('fields', 'project or all', null, null, null, '', '', ''),
    ('tags', 'project_id', 'tag', 'id', null, '', '', ''),
    ('task_tags', 'project_id', 'task', 'task_id', null, '', '', ''),
    ('task_watchers', 'project_id', 'task', 'task_id', null, '', '', ''),
    ('task_history', 'project_id', null, null, null, '', '', 'reopened'),
    ('team_members', 'directory', null, null, null, '', '', ''),
    ('api_keys', 'key', null, null, null, '', '', ''),
    ('cursor_secrets', 'directory', null, null, null, '', '', '')
) as k (table_name, scope, kind, id, rank, shown, maintained, tallies);
comment on view workgate.kinds is 'Says what is maintained and recorded for the rows of each table. The triggers are made from it.';
comment on column workgate.kinds.scope is
  'The column with the project, which can be null in project or all; directory for what can be in every project, or key for a key.';
comment on column workgate.kinds.kind is 'The kind of the object in the journal. Null: none is named.';
comment on column workgate.kinds.id is 'The column with the id of the object.';
comment on column workgate.kinds.rank is
  'The place of the kind in a copy of everything, which cursors contain: never change one, and put a new kind between two. '
  'Null: the rows are part of the object, which other triggers change.';
comment on column workgate.kinds.shown is
  'The columns that the API shows: their names become those of changed fields, and the values of tasks are kept in the history.';
comment on column workgate.kinds.maintained is 'Columns that are shown, too, but change with every change.';
comment on column workgate.kinds.tallies is
  'The kinds of tallies that count the rows. The function tallies_of_<table> says how.';

create function workgate.field_of(column_name text) returns text
language sql immutable parallel safe
return left(column_name, 1) || substr(replace(initcap(replace(column_name, '_', ' ')), ' ', ''), 2);
comment on function workgate.field_of(text) is 'The name of a column in the API: that of due_date is dueDate.';

do $do$
declare
  ranks text;
  kinds text;
  look_ups text;
begin
  select
    string_agg(distinct format('when %L then %s', k.kind, k.rank), ' '),
    string_agg(distinct format('when %s then %L', k.rank, k.kind), ' '),
    string_agg(
      format('when %s then return exists (select from workgate.%I t where t.%I = project and t.%I = object);', k.rank, k.table_name, k.scope, k.id),
      ' ') filter (where k.scope <> 'directory')
  into ranks, kinds, look_ups
  from workgate.kinds k
  where k.rank is not null;
  execute format(
    'create function workgate.rank_of(kind text) returns integer language sql immutable parallel safe return case kind %s end', ranks);
  execute format(
    'create function workgate.kind_of(rank integer) returns text language sql immutable parallel safe return case rank %s end', kinds);
  execute format(
    'create function workgate.is_shown(project uuid, rank integer, object uuid) returns boolean language plpgsql stable as '
      '$$ begin case rank %s end case; end $$', look_ups);
end
$do$;
comment on function workgate.is_shown(uuid, integer, uuid) is 'Returns whether a project shows an object of a kind.';
