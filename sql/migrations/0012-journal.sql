-- The journal names every object that a transaction has changed, for every writer. It contains no state: a reader shows
-- the present state of each object that an entry names, so an entry too many does no harm. What an entry stands for is
-- found when it is read, so that no concurrent writer can slip in between. Only the entry of a deleted task also has its
-- number and its version: it is the receipt of the deletion.
--
-- scope      kind                                              stands for
-- project    project, user, team, board, stage, task,          the object; for a deleted project, also all that was in it
--            comment, time_entry, document
-- project    contents                                          everything in the project: its row was replicated, maybe
--                                                              after theirs
-- project    tasks                                             all tasks of the project, which show its key
-- project    tag                                               the tasks with this tag, in replicated rows only: in
--                                                              ordinary sessions, the trigger of tags changes its tasks
-- directory  user, team                                        the user or team in every project that shows it, and the
--                                                              tasks that show the name of the user
-- directory  everything                                        all rows, without their names: truncate, touch()
-- key        entered, left                                     a project that a key of its own selection can reach from
--                                                              now on, or no more
--
-- The directory is 00000000-0000-0000-0000-000000000000, as in changes. The scope of a key is that of the first key in its
-- chain of rotations.

create table workgate.journal (
  scope    uuid not null,
  xid      xid8 not null default pg_current_xact_id(),
  seq      bigint generated always as identity,
  kind     text not null,
  id       uuid not null,
  event    text not null,
  fields   text[],
  at       workgate.moment not null,
  channel  text not null,
  actor    jsonb not null,
  number   bigint,
  version  bigint,
  session_role  text not null default session_user
);
comment on table workgate.journal is
  'The objects that each transaction has changed, for CHANGES_KEPT_DAYS. Written by triggers: do not load rows into it.';
comment on column workgate.journal.event is 'created, updated, deleted, or for a task completed, cancelled or reopened.';
comment on column workgate.journal.fields is
  'The changed fields, in the spelling of the API, of an object that existed before. Without updatedAt and version.';
comment on column workgate.journal.session_role is 'The role of the session, which no setting can change.';
comment on column workgate.journal.number is 'The number of a deleted task. Other entries have none.';
comment on column workgate.journal.version is 'The last version of a deleted task. Other entries have none.';

create table workgate.journal_horizon (
  xid  xid8 not null
);
comment on table workgate.journal_horizon is
  'The last transaction whose entries may have been deleted from the journal because they were too old. No row: none.';

alter table workgate.journal
  add constraint journal_pkey primary key (xid, seq);
alter table workgate.journal_horizon
  add constraint journal_horizon_pkey primary key (xid);
create index journal_by_scope on workgate.journal (scope, xid, seq);
-- A user or team can be shown in any project.
create index project_members_by_user on workgate.project_members (user_id, project_id);
create index project_teams_by_team on workgate.project_teams (team_id, project_id);
create index journal_of_everything on workgate.journal (xid) where kind = 'everything';
-- The last entry of an object has the highest seq, since writers of one object follow each other. Its xid can be lower. Of
-- tasks, whose changes are in task_history, only the deletions.
create index journal_by_object on workgate.journal (scope, id, seq)
  where kind in ('comment', 'time_entry', 'document') or (kind = 'task' and event = 'deleted');
create index journal_by_number on workgate.journal (scope, number, seq) where kind = 'task' and event = 'deleted';

create function workgate.drop_old_entries(kept interval, max_entries integer) returns integer
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  last_xid xid8;
  last_seq bigint;
  dropped integer;
begin
  -- The service role could otherwise delete what clients and verification still need.
  if kept < interval '1 day' then
    raise exception using errcode = 'WG012', message = 'entries of the journal are kept for at least 1 day';
  end if;
  if not pg_try_advisory_xact_lock(1465336406) then
    return 0; -- Another instance is doing it.
  end if;
  -- Transactions in the future were restored from a cluster with higher transaction ids and mean nothing here.
  delete from workgate.journal_horizon where xid >= pg_snapshot_xmax(pg_current_snapshot());
  delete from workgate.journal where xid >= pg_snapshot_xmax(pg_current_snapshot());
  -- The first entries, until one is too new. The horizon stays before every running transaction: otherwise each new
  -- cursor would be too old already.
  select o.xid, o.seq into last_xid, last_seq
  from (
    select j.xid, j.seq, bool_and(j.at < now() - kept) over (order by j.xid, j.seq) as is_old
    from (
      select xid, seq, at
      from workgate.journal
      where xid < pg_snapshot_xmin(pg_current_snapshot())
      order by xid, seq
      limit max_entries
    ) j
  ) o
  where o.is_old
  order by o.xid desc, o.seq desc
  limit 1;
  delete from workgate.journal where (xid, seq) <= (last_xid, last_seq);
  get diagnostics dropped = row_count;
  if dropped > 0 then
    delete from workgate.journal_horizon where xid < last_xid;
    insert into workgate.journal_horizon values (last_xid) on conflict do nothing;
  end if;
  return dropped;
end
$$;
comment on function workgate.drop_old_entries(interval, integer) is
  'Deletes the first entries of the journal if they are older than kept, at least 1 day, and returns their number.';
revoke execute on function workgate.drop_old_entries(interval, integer) from public;

create function workgate.add_entry(scope uuid, kind text, id uuid, event text, number bigint default null, version bigint default null)
returns void
language plpgsql volatile
as $$
begin
  insert into workgate.journal (scope, kind, id, event, at, channel, actor, number, version)
  values (scope, kind, id, event, workgate.present(), workgate.channel(), workgate.actor(), number, version);
end
$$;

create function workgate.is_here(project uuid) returns boolean
language sql immutable parallel safe
return true;
comment on function workgate.is_here(uuid) is
  'Where several servers have the same row of a project, this is true on the one with its contents, which journals it.';

create function workgate.journal_everything() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform workgate.add_entry('00000000-0000-0000-0000-000000000000', 'everything', '00000000-0000-0000-0000-000000000000', 'updated');
  return null;
end
$$;
revoke execute on function workgate.journal_everything() from public;

do $do$
declare
  directory constant text := 'uuid ''00000000-0000-0000-0000-000000000000''';
  for_statements constant text := $statements$
create function workgate.journal_{{table}}() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $f$
declare
  at timestamptz;
  channel text;
  actor jsonb;
begin
  -- A cascade fires the triggers of a table once for each deleted parent, mostly without any row.
  if tg_op = 'DELETE' then
    if not exists (select from old_rows) then
      return null;
    end if;
  end if;
  at := workgate.present();
  channel := workgate.channel();
  actor := workgate.actor();
  if tg_op = 'INSERT' then
    insert into workgate.journal (scope, kind, id, event, at, channel, actor)
    select {{new scope}}, '{{kind}}', n.{{id}}, 'created', at, channel, actor
    from new_rows n
    where {{new here}};
  elsif tg_op = 'DELETE' then
    insert into workgate.journal (scope, kind, id, event, at, channel, actor, number, version)
    select {{old scope}}, '{{kind}}', o.{{id}}, 'deleted', at, channel, actor, {{receipt}}
    from old_rows o
    where {{with project}};
  else
    -- A full join is never a nested loop. A row whose id has changed is two: one deleted, one created.
    insert into workgate.journal (scope, kind, id, event, fields, at, channel, actor, number, version)
    select
      case when n.{{id}} is null then {{old scope}} else {{new scope}} end,
      '{{kind}}',
      coalesce(n.{{id}}, o.{{id}}),
      case when n.{{id}} is null then 'deleted' when o.{{id}} is null then 'created' else {{updated}} end,
      case when n.{{id}} = o.{{id}} then coalesce(nullif(array_remove(array[{{fields}}]::text[], null), '{}'), '{{no field}}') end,
      at, channel, actor, {{receipt if moved}}
    from new_rows n
    full join old_rows o on {{same row}}
    where {{changed here}}
      and (n.{{id}} is null or o.{{id}} is null or {{differs}});{{more}}
  end if;
  return null;
end
$f$;
revoke execute on function workgate.journal_{{table}}() from public;
create trigger {{table}}_journal_on_insert after insert on workgate.{{table}}
  referencing new table as new_rows for each statement execute function workgate.journal_{{table}}();
create trigger {{table}}_journal_on_delete after delete on workgate.{{table}}
  referencing old table as old_rows for each statement execute function workgate.journal_{{table}}();
create trigger {{table}}_journal_on_update after update on workgate.{{table}}
  referencing old table as old_rows new table as new_rows for each statement {{when}} execute function workgate.journal_{{table}}();
$statements$;
  -- Row-level, for replicated rows, and truncate, which no row-level trigger sees.
  for_rows constant text := $rows$
create function workgate.journal_row_of_{{table}}() returns trigger
language plpgsql
as $f$
declare
  n constant workgate.{{table}} := new;
  o constant workgate.{{table}} := old;
begin
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and not ({{same row}})) then
    perform workgate.add_entry({{old scope}}, '{{kind}}', o.{{id}}, '{{row deleted}}', {{receipt}});
  end if;
  if tg_op <> 'DELETE' then
    perform workgate.add_entry({{new scope}}, '{{kind}}', n.{{id}}, case tg_op when 'INSERT' then '{{row created}}' else 'updated' end);{{row more}}
  end if;
  return null;
end
$f$;
create trigger {{table}}_journal_replicated after insert or update or delete on workgate.{{table}}
  for each row when (workgate.is_replica()) execute function workgate.journal_row_of_{{table}}();
create trigger {{table}}_journal_on_truncate after truncate on workgate.{{table}}
  for each statement execute function workgate.journal_everything();
$rows$;
  j record;
  part record;
  template text;
  parts jsonb;
  shown text[];
begin
  for j in
    select *
    from (
      values
        -- shown: the columns that the API shows, whose names become the changed fields. maintained: columns that change
        -- with every change. Rows without either are parts of another object, and in ordinary sessions the triggers of
        -- their table change that object.
        ('projects', 'project', 'id', 'id', 'key name description status owner_id start_date due_date created_at', 'updated_at version'),
        ('project_members', 'user', 'project_id', 'user_id', 'role joined_at', 'updated_at'),
        ('project_teams', 'team', 'project_id', 'team_id', '', ''),
        ('users', 'user', 'directory', 'id', 'name email active', 'updated_at'),
        ('teams', 'team', 'directory', 'id', 'name description created_at', 'updated_at'),
        ('boards', 'board', 'project_id', 'id', 'name description position archived created_at', 'updated_at'),
        ('stages', 'stage', 'project_id', 'id', 'board_id name position category wip_limit created_at', 'updated_at'),
        (
          'tasks', 'task', 'project_id', 'id',
          'number title description state priority board_id stage_id parent_id assignee_id creator_id start_date due_date '
            'estimate_seconds completed_at cancelled_at external_id external_url created_at',
          'updated_at version'
        ),
        ('tags', 'tag', 'project_id', 'id', null, null),
        ('task_tags', 'task', 'project_id', 'task_id', null, null),
        ('task_watchers', 'task', 'project_id', 'task_id', null, null),
        ('comments', 'comment', 'project_id', 'id', 'task_id author_id body created_at', 'updated_at'),
        ('comment_files', 'comment', 'project_id', 'comment_id', null, null),
        (
          'time_entries', 'time_entry', 'project_id', 'id',
          'task_id user_id description spent_on started_at ended_at duration_seconds billable created_at', 'updated_at'
        ),
        (
          'documents', 'document', 'project_id', 'id',
          'path title task_id author_id size_bytes word_count headings sha256 revision created_at', 'updated_at'
        )
    ) as t (name, kind, scope, id, shown, maintained)
  loop
    shown := string_to_array(j.shown, ' ');
    parts := jsonb_build_object(
      'table', j.name,
      'kind', j.kind,
      'id', j.id,
      'new scope', case j.scope when 'directory' then directory else 'n.' || j.scope end,
      'old scope', case j.scope when 'directory' then directory else 'o.' || j.scope end,
      'same row', format('n.%1$s = o.%1$s', j.id) || case j.scope when 'project_id' then ' and n.project_id = o.project_id' else '' end,
      'fields', coalesce((
        select string_agg(
          format('case when n.%1$s is distinct from o.%1$s then %2$L end', c,
            -- As in the API: due_date is dueDate.
            left(c, 1) || substr(replace(initcap(replace(c, '_', ' ')), ' ', ''), 2)),
          ', ')
        from unnest(shown) c), ''),
      'differs', coalesce((
        select format('(%s) is distinct from (%s)', string_agg('n.' || c, ', '), string_agg('o.' || c, ', '))
        from unnest(shown || string_to_array(j.maintained, ' ')) c
        having count(*) > 0), 'false'),
      'updated', case j.name
        when 'tasks' then $$case when n.state = o.state then 'updated' when n.state = 'open' then 'reopened' else n.state end$$
        else $$'updated'$$
      end,
      -- The trigger of files changes only updated_at of their comment.
      'no field', case j.name when 'comments' then '{files}' else '{}' end,
      'new here', case j.name when 'projects' then 'workgate.is_here(n.id)' else 'true' end,
      'changed here', case j.name when 'projects' then 'workgate.is_here(coalesce(n.id, o.id))' else 'true' end,
      'with project', case
        when j.name = 'projects' then 'workgate.is_here(o.id)'
        -- The contents of a deleted project need no entries of their own.
        when j.scope = 'project_id' then 'exists (select from workgate.projects p where p.id = o.project_id)'
        else 'true'
      end,
      'receipt', case j.name when 'tasks' then 'o.number, o.version' else 'null, null' end,
      'receipt if moved', case j.name
        when 'tasks' then 'case when n.id is null then o.number end, case when n.id is null then o.version end'
        else 'null, null'
      end,
      -- Numbering a new task is part of its creation, and record_list_change() writes the entries of tags and watchers.
      'when', case j.name when 'tasks' then 'when (not workgate.is_housekeeping())' else '' end,
      -- Every task shows the key of its project.
      'more', case j.name
        when 'projects' then $$
    insert into workgate.journal (scope, kind, id, event, at, channel, actor)
    select n.id, 'tasks', n.id, 'updated', at, channel, actor
    from new_rows n
    join old_rows o on o.id = n.id
    where o.key <> n.key
      and workgate.is_here(n.id);$$
        else ''
      end,
      'row created', case when j.shown is null then 'updated' else 'created' end,
      'row deleted', case when j.shown is null then 'updated' else 'deleted' end,
      'row more', case j.name
        when 'projects' then $$
    if tg_op = 'INSERT' then
      perform workgate.add_entry(n.id, 'contents', n.id, 'updated');
    elsif n.key <> o.key then
      perform workgate.add_entry(n.id, 'tasks', n.id, 'updated');
    end if;$$
        else ''
      end);
    foreach template in array case when j.shown is null then array[for_rows] else array[for_statements, for_rows] end loop
      for part in select * from jsonb_each_text(parts) loop
        template := replace(template, '{{' || part.key || '}}', part.value);
      end loop;
      execute template;
    end loop;
  end loop;
end
$do$;


-- Keys without a selection, and new keys, need no entries: their readers begin without a copy. Rotated keys have the
-- selection of the first.
create function workgate.journal_selections() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform workgate.add_entry(c.scope, c.kind, c.project_id, 'updated')
  from (
    select distinct workgate.key_scope(coalesce(n.first_id, n.id)) as scope, moved.kind, moved.project_id
    from new_rows n
    join old_rows o on o.id = n.id
    cross join lateral (
      (select 'left' as kind, unnest(o.project_ids) as project_id except select 'left', unnest(n.project_ids))
      union all
      (select 'entered', unnest(n.project_ids) except select 'entered', unnest(o.project_ids))
    ) moved
    where n.project_ids <> o.project_ids
  ) c;
  return null;
end
$$;
revoke execute on function workgate.journal_selections() from public;
create trigger api_keys_journal_on_update after update on workgate.api_keys
  referencing old table as old_rows new table as new_rows for each statement execute function workgate.journal_selections();

create function workgate.journal_replicated_selection() returns trigger
language plpgsql
as $$
begin
  perform workgate.add_entry(workgate.key_scope(coalesce(new.first_id, new.id)), c.kind, c.project_id, 'updated')
  from (select 'left' as kind, unnest(old.project_ids) as project_id union all select 'entered', unnest(new.project_ids)) c;
  return null;
end
$$;
create trigger api_keys_journal_replicated after update on workgate.api_keys
  for each row when (workgate.is_replica() and new.project_ids <> old.project_ids)
  execute function workgate.journal_replicated_selection();

select workgate.enable_triggers();

create function workgate.contents_of(
  projects uuid[], ranks integer[], after_project uuid, after_rank integer, after_id uuid, max_rows integer)
returns table (project uuid, rank integer, id uuid)
language plpgsql stable
-- Reads primary keys in their order, whatever the statistics say.
set enable_sort = off
set enable_bitmapscan = off
set enable_seqscan = off
set jit = off
as $$
#variable_conflict use_column
declare
  tables constant text[] := array[
    'workgate.projects', 'workgate.project_members', 'workgate.project_teams', 'workgate.boards', 'workgate.stages', 'workgate.tasks',
    'workgate.comments', 'workgate.time_entries', 'workgate.documents'];
  is_first boolean;
  rows_found integer;
begin
  for project in select p.id from workgate.projects_here p where p.id >= after_project and (projects is null or p.id = any (projects)) order by p.id loop
    is_first := project = after_project;
    for rank in select r from unnest(ranks) r where r >= after_rank or not is_first order by r loop
      return query execute format(
        'select $1, %s, %I from %s where %I = $1 and ($2 is null or %2$I > $2) order by %2$I limit $3',
        rank,
        case rank when 1 then 'user_id' when 2 then 'team_id' else 'id' end,
        tables[rank + 1],
        case rank when 0 then 'id' else 'project_id' end)
      using project, case when is_first and rank = after_rank then after_id end, max_rows;
      get diagnostics rows_found = row_count;
      max_rows := max_rows - rows_found;
      if max_rows <= 0 then
        return;
      end if;
    end loop;
  end loop;
end
$$;
comment on function workgate.contents_of(uuid[], integer[], uuid, integer, uuid, integer) is
  'The first objects of some projects, or null for all, after one, in the order of projects, ranks of kinds, and ids. A rank '
  'is the place of a table in the list of tables, from 0.';
