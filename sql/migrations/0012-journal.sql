-- The journal names every object that a transaction has changed, for every writer. It contains no state: a reader shows
-- the present state of each object that an entry names, so an entry too many does no harm. What an entry stands for is
-- found when it is read, so that no concurrent writer can slip in between. Only the entry of a deleted task also has its
-- number and its version: it is the receipt of the deletion.
--
-- scope      kind                                              stands for
-- project    project, user, team, board, stage, task,          the object; for a deleted project, also all that was in it
--            comment, file, time_entry, document
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
  session_role  text not null default session_user,
  constraint journal_pkey primary key (xid, seq)
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
  xid  xid8 not null,
  constraint journal_horizon_pkey primary key (xid)
);
comment on table workgate.journal_horizon is
  'The last transaction whose entries may have been deleted from the journal because they were too old. No row: none.';

create index journal_by_scope on workgate.journal (scope, xid, seq);
-- A user or team can be shown in any project.
create index project_members_by_user on workgate.project_members (user_id, project_id);
create index project_teams_by_team on workgate.project_teams (team_id, project_id);
-- The last entry of an object has the highest seq, since writers of one object follow each other. Its xid can be lower. Of
-- tasks, whose changes are in task_history, only the deletions.
create index journal_by_object on workgate.journal (scope, id, seq)
  where kind in ('comment', 'file', 'time_entry', 'document') or (kind = 'task' and event = 'deleted');
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
  -- Transactions in the future were restored from a server with higher transaction ids and mean nothing here.
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

create function workgate.record_everything() returns void
language sql volatile
as $$
  insert into workgate.journal (scope, kind, id, event, at, channel, actor)
  select d.id, 'everything', d.id, 'updated', workgate.present(), workgate.channel(), workgate.actor()
  from (select uuid '00000000-0000-0000-0000-000000000000' as id) d
$$;

create function workgate.is_here(project uuid) returns boolean
language sql immutable parallel safe
return true;
comment on function workgate.is_here(uuid) is
  'Where several servers have the same row of a project, this is true on the one with its contents, which journals it.';

do $do$
declare
  made record;
begin
  select
    array_agg(k.rank) as ranks, array_agg('workgate.' || k.table_name) as tables, array_agg(k.scope) as scopes, array_agg(k.id) as ids
  into made
  from (select * from workgate.kinds where rank is not null and scope <> 'directory' order by rank) k;
  execute format($text$
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
  known constant integer[] := %L;
  tables constant text[] := %L;
  scopes constant text[] := %L;
  ids constant text[] := %L;
  n integer;
  is_first boolean;
  rows_found integer;
begin
  for project in select p.id from workgate.projects_here p where p.id >= after_project and (projects is null or p.id = any (projects)) order by p.id loop
    is_first := project = after_project;
    for rank in select r from unnest(coalesce(ranks, known)) r where r >= after_rank or not is_first order by r loop
      n := array_position(known, rank);
      return query execute format(
        'select $1, %%s, %%I from %%s where %%I = $1 and ($2 is null or %%2$I > $2) order by %%2$I limit $3', rank, ids[n], tables[n], scopes[n])
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
$text$, made.ranks, made.tables, made.scopes, made.ids);
end
$do$;
comment on function workgate.contents_of(uuid[], integer[], uuid, integer, uuid, integer) is
  'The first objects of some kinds in some projects, or null for all, after one, in the order of projects, ranks of kinds, and ids. Ranks '
  'are those of workgate.kinds.';

-- PostgreSQL inlines this where it is called with columns, so each entry costs no more than its look-ups. rank -1 is the end of
-- a project and of everything in it, -2 the end of its being in reach.
create function workgate.named_by(
  scope uuid, kind text, id uuid, event text, fields text[], reach uuid[],
  ranks integer[], after_project uuid, after_rank integer, after_id uuid, max_rows integer)
returns table (project uuid, rank integer, object uuid, change text, changed text[])
language sql stable
as $$
  select named_by.scope, workgate.rank_of(named_by.kind), named_by.id, named_by.event, named_by.fields
  where named_by.scope <> '00000000-0000-0000-0000-000000000000'
    and workgate.rank_of(named_by.kind) is not null
    and (named_by.kind, named_by.event) <> ('project', 'deleted')
  union all
  select named_by.id, case named_by.kind when 'left' then -2 else -1 end, named_by.id, null, null
  where (named_by.kind, named_by.event) = ('project', 'deleted')
    or named_by.kind = 'left'
  union all
  select m.project_id, workgate.rank_of('user'), m.user_id, named_by.event, named_by.fields
  from workgate.project_members m
  where named_by.scope = '00000000-0000-0000-0000-000000000000'
    and named_by.kind = 'user'
    and m.user_id = named_by.id
    and (named_by.reach is null or m.project_id = any (named_by.reach))
  union all
  select w.project_id, workgate.rank_of('task'), w.task_id, 'updated', array['watchers']
  from workgate.task_watchers w
  where named_by.scope = '00000000-0000-0000-0000-000000000000'
    and named_by.kind = 'user'
    and (named_by.fields is null or 'name' = any (named_by.fields))
    and w.user_id = named_by.id
    and (named_by.reach is null or w.project_id = any (named_by.reach))
  union all
  select t.project_id, workgate.rank_of('team'), t.team_id, named_by.event, named_by.fields
  from workgate.project_teams t
  where named_by.scope = '00000000-0000-0000-0000-000000000000'
    and named_by.kind = 'team'
    and t.team_id = named_by.id
    and (named_by.reach is null or t.project_id = any (named_by.reach))
  union all
  select tt.project_id, workgate.rank_of('task'), tt.task_id, 'updated', array['tags']
  from workgate.task_tags tt
  where named_by.kind = 'tag'
    and tt.project_id = named_by.scope
    and tt.tag_id = named_by.id
  union all
  select
    c.project, c.rank, c.id,
    case named_by.kind when 'tasks' then 'updated' end,
    case named_by.kind when 'tasks' then array['reference'] end
  from workgate.contents_of(
    array(select named_by.id where named_by.reach is null or named_by.id = any (named_by.reach)),
    case named_by.kind
      when 'tasks' then array(select r from unnest(coalesce(named_by.ranks, array[workgate.rank_of('task')])) r where r = workgate.rank_of('task'))
      else named_by.ranks
    end,
    named_by.after_project, named_by.after_rank, named_by.after_id, named_by.max_rows) c
  where named_by.kind in ('contents', 'tasks', 'entered', 'left')
    or (named_by.kind, named_by.event) = ('project', 'deleted')
$$;
comment on function workgate.named_by(uuid, text, uuid, text, text[], uuid[], integer[], uuid, integer, uuid, integer) is
  'The objects that an entry of the journal names, in the projects in reach. Null: in all, and of all kinds. What is in a '
  'project begins after one object, and ends after max_rows.';
