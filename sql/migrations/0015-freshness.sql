-- What has changed, for whoever keeps answers: a version for each scope, which grows with every transaction that changes
-- what the scope shows. A scope is a project (its id), or one of these two:
--   00000000-0000-0000-0000-000000000000  the directory: users, teams and keys, and what changed everywhere at once
--   ffffffff-ffff-ffff-ffff-ffffffffffff  all: every change
-- Writers only append, so that none waits for another at any isolation level. What they appended is folded later.

create table workgate.changes (
  scope  uuid not null,
  xid    xid8 not null
);
comment on table workgate.changes is
  'A row for each scope that a transaction changed, until it is folded into versions. Written by triggers.';

create table workgate.versions (
  scope   uuid not null,
  n       bigint not null,
  before  xid8 not null
);
comment on table workgate.versions is 'How often a scope was changed by transactions before this one. Use workgate.version_of().';

alter table workgate.changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index changes_by_scope on workgate.changes (scope, xid);
create index changes_by_xid on workgate.changes (xid);

-- Rows of one scope are updated at each fold: room for their successors on the same page.
alter table workgate.versions
  set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000),
  add constraint versions_pkey primary key (scope);

create function workgate.version_of(asked uuid) returns bigint
language plpgsql stable
as $$
declare
  folded bigint := 0;
  since xid8 := '0';
begin
  select v.n, v.before into folded, since
  from workgate.versions v
  where v.scope = asked;
  -- From another cluster, where transactions had got further: it was restored here and nothing is folded yet.
  if since is null or since > pg_snapshot_xmax(pg_current_snapshot()) then
    since := '0';
  end if;
  if asked = 'ffffffff-ffff-ffff-ffff-ffffffffffff' then
    return coalesce(folded, 0) + (select count(*) from workgate.changes c where c.xid >= since);
  end if;
  return coalesce(folded, 0) + (select count(*) from workgate.changes c where c.scope = asked and c.xid >= since);
end
$$;
comment on function workgate.version_of(uuid) is
  'How many changes of a scope are committed. Twice the same number means that nothing was committed in between.';

create function workgate.fold_changes() returns void
language plpgsql volatile
as $$
begin
  -- Of two that fold at once the second could count for folded what the first has moved.
  if not pg_try_advisory_xact_lock(1465336405) then
    return;
  end if;
  -- Transactions before the snapshot's xmin have ended, and what they appended is in sight, or never will be.
  with gone as (
    delete from workgate.changes
    where xid < pg_snapshot_xmin(pg_current_snapshot())
    returning scope
  ),
  counted as (
    select scope, count(*) as n from gone group by scope
    union all
    select 'ffffffff-ffff-ffff-ffff-ffffffffffff', count(*) from gone having count(*) > 0
  )
  insert into workgate.versions as v (scope, n, before)
  select scope, n, pg_snapshot_xmin(pg_current_snapshot())
  from counted
  order by scope
  on conflict (scope) do update set n = v.n + excluded.n, before = excluded.before;
end
$$;
comment on function workgate.fold_changes() is
  'Moves what ended transactions appended to changes into versions. Changes no version.';

create function workgate.is_noted(scope uuid) returns boolean
language sql stable
return strpos(coalesce(current_setting('workgate.noted', true), ''), scope::text) > 0;
comment on function workgate.is_noted(uuid) is 'Whether this transaction has appended a change of the scope already.';

create function workgate.with_noted(scopes text) returns text
language sql volatile
-- The last hundred. Of a scope that fell off a transaction notes another change, which does no harm.
return set_config('workgate.noted', left(concat(scopes, current_setting('workgate.noted', true)), 3600), true);
comment on function workgate.with_noted(text) is
  'Remembers scopes until the transaction, or the part of it that is rolled back, ends.';

create function workgate.touch() returns void
language sql volatile
begin atomic
  -- Far beyond any version that was given to anybody, whatever the tables held before.
  insert into workgate.versions as v (scope, n, before)
  values ('00000000-0000-0000-0000-000000000000', (random() * 2 ^ 50)::bigint, '0')
  on conflict (scope) do update set n = v.n + excluded.n;
end;
comment on function workgate.touch() is
  'Makes every instance forget every answer that it keeps. For after work with triggers off, a restore into a running service for instance.';

create function workgate.note_changes() returns trigger
language plpgsql
as $$
declare
  noted text;
begin
  with added as (
    insert into workgate.changes (scope, xid)
    select t.project_id, pg_current_xact_id()
    from (select distinct project_id from touched) t
    where not workgate.is_noted(t.project_id)
    returning scope
  )
  select workgate.with_noted(string_agg(scope::text, '')) into noted from added having count(*) > 0;
  return null;
end
$$;

create function workgate.note_projects() returns trigger
language plpgsql
as $$
declare
  noted text;
begin
  with added as (
    insert into workgate.changes (scope, xid)
    select t.id, pg_current_xact_id()
    from touched t
    where not workgate.is_noted(t.id)
    returning scope
  )
  select workgate.with_noted(string_agg(scope::text, '')) into noted from added having count(*) > 0;
  return null;
end
$$;

create function workgate.note_directory() returns trigger
language plpgsql
as $$
declare
  noted text;
begin
  with added as (
    insert into workgate.changes (scope, xid)
    select '00000000-0000-0000-0000-000000000000', pg_current_xact_id()
    where not workgate.is_noted('00000000-0000-0000-0000-000000000000')
    returning scope
  )
  select workgate.with_noted(string_agg(scope::text, '')) into noted from added having count(*) > 0;
  return null;
end
$$;

-- The same triggers for all tables that an answer can show. A row stays in its project, so of an update the new rows
-- name them all. What is truncated is truncated for all projects.
do $do$
declare
  shown text[];
begin
  foreach shown slice 1 in array array[
    ['projects', 'note_projects'],
    ['project_members', 'note_changes'], ['project_teams', 'note_changes'],
    ['boards', 'note_changes'], ['stages', 'note_changes'],
    ['tasks', 'note_changes'], ['tags', 'note_changes'], ['task_tags', 'note_changes'], ['task_watchers', 'note_changes'],
    ['task_history', 'note_changes'],
    ['comments', 'note_changes'], ['comment_files', 'note_changes'],
    ['time_entries', 'note_changes'], ['documents', 'note_changes'],
    ['users', 'note_directory'], ['teams', 'note_directory'], ['team_members', 'note_directory'],
    ['api_keys', 'note_directory']
  ] loop
    execute replace(replace($text$
create trigger {{table}}_note_came after insert on workgate.{{table}}
  referencing new table as touched for each statement execute function workgate.{{note}}();
create trigger {{table}}_note_changed after update on workgate.{{table}}
  referencing new table as touched for each statement execute function workgate.{{note}}();
create trigger {{table}}_note_went after delete on workgate.{{table}}
  referencing old table as touched for each statement execute function workgate.{{note}}();
create trigger {{table}}_note_truncated after truncate on workgate.{{table}}
  for each statement execute function workgate.note_directory();
$text$, '{{table}}', shown[1]), '{{note}}', shown[2]);
  end loop;
end
$do$;
