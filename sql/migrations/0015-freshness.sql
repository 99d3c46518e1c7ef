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
  scope    uuid not null,
  n        bigint not null,
  before   xid8 not null,
  but      xid8[] not null
);
comment on table workgate.versions is
  'How often a scope was changed by transactions before this one, but for those that were running when it was folded. '
  'Use workgate.versions_of().';

alter table workgate.changes set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index changes_by_scope on workgate.changes (scope, xid);
create index changes_by_xid on workgate.changes (xid);

-- Rows of one scope are updated at each fold: room for their successors on the same page.
alter table workgate.versions
  set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000),
  add constraint versions_pkey primary key (scope);

-- Whoever reads looks only where something can be that is not folded. What was folded stays in the index as long as
-- anybody has an old snapshot or an open transaction, a dump or a large load for instance.

create function workgate.changes_anywhere(before xid8, but xid8[]) returns bigint
language plpgsql stable parallel safe
as $$
begin
  return (select count(*) from workgate.changes c where c.xid >= before)
    + (select count(*) from workgate.changes c where c.xid = any (but));
end
$$;
comment on function workgate.changes_anywhere(xid8, xid8[]) is 'The changes of the scope "all" that are not folded.';

create function workgate.versions_of(scopes uuid[]) returns table (place bigint, version bigint)
language sql stable parallel safe
as $$
  select a.place, coalesce(v.n, 0) + case
    when a.scope = 'ffffffff-ffff-ffff-ffff-ffffffffffff' then workgate.changes_anywhere(f.before, f.but)
    else
      (select count(*) from workgate.changes c where c.scope = a.scope and c.xid >= f.before)
      + (select count(*) from workgate.changes c where c.scope = a.scope and c.xid = any (f.but))
  end
  from unnest(scopes) with ordinality a (scope, place)
  left join workgate.versions v on v.scope = a.scope
  cross join lateral (
    -- What lies ahead comes from another cluster, where transactions had got further: it was restored here.
    select
      case when k.known then v.before else '0' end as before,
      case when k.known then v.but else '{}' end as but
    from (select v.before <= pg_snapshot_xmax(pg_current_snapshot()) as known) k
    offset 0
  ) f
$$;
comment on function workgate.versions_of(uuid[]) is
  'How many changes of each scope are committed. Twice the same number means that nothing was committed in between.';

create function workgate.version_of(scope uuid) returns bigint
language sql stable parallel safe
return (select version from workgate.versions_of(array[scope]));

create function workgate.fold_changes() returns void
language plpgsql volatile
as $$
declare
  all_scopes constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  folded workgate.versions;
begin
  -- Of two that fold at once the second could count for folded what the first has moved; and whoever has changed
  -- something would count for ended what it still changes.
  if pg_current_xact_id_if_assigned() is not null or not pg_try_advisory_xact_lock(1465336405) then
    return;
  end if;
  select * into folded from workgate.versions where scope = all_scopes;
  if folded.before > pg_snapshot_xmax(pg_current_snapshot()) then
    -- From another cluster. It has to go before transactions get as far here as they had there.
    update workgate.versions set before = '0', but = '{}';
    return;
  end if;
  with gone as (
    delete from workgate.changes
    where (xid >= coalesce(folded.before, '0') or xid = any (folded.but))
      -- Of a transaction that has ended all is in sight, or never will be.
      and pg_visible_in_snapshot(xid, pg_current_snapshot())
    returning scope
  )
  insert into workgate.versions as v (scope, n, before, but)
  select g.scope, count(*), pg_snapshot_xmax(pg_current_snapshot()), array(select pg_snapshot_xip(pg_current_snapshot()))
  from (select scope from gone union all select all_scopes from gone) g
  group by g.scope
  order by g.scope
  on conflict (scope) do update set n = v.n + excluded.n, before = excluded.before, but = excluded.but;
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
-- The last thousand. Of a scope that fell off a transaction notes another change, which does no harm.
return set_config('workgate.noted', left(concat(scopes, current_setting('workgate.noted', true)), 36000), true);
comment on function workgate.with_noted(text) is
  'Remembers scopes until the transaction, or the part of it that is rolled back, ends.';

create function workgate.touch() returns void
language sql volatile
begin atomic
  -- None that was ever given to anybody, whatever the tables held before.
  insert into workgate.versions as v (scope, n, before, but)
  values ('00000000-0000-0000-0000-000000000000', (random() * 2 ^ 62)::bigint, '0', '{}')
  on conflict (scope) do update set n = excluded.n;
end;
comment on function workgate.touch() is
  'Makes every instance forget every answer that it keeps. For after work with triggers off, a restore into a running service for instance.';

-- Three times nearly the same, and each without a parameter: such a statement is planned once for a connection, also where
-- plan_cache_mode has all others planned anew.

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

create trigger task_history_stay before update of project_id on workgate.task_history
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();

-- The same triggers for all tables that an answer can show. A row stays in its project, so of an update the new rows
-- name them all; a project that has nothing in it may get another id. What is truncated is truncated for all projects.
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

create trigger projects_note_left after update on workgate.projects
  referencing old table as touched for each statement execute function workgate.note_projects();
