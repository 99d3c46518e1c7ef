-- Versions confirm that a cached response is still current: every transaction that changes data in a scope increases
-- the version of the scope. A scope is the id of a project, or one of these:
--   00000000-0000-0000-0000-000000000000  the directory: users and teams, and changes to all projects or keys at once
--   ffffffff-ffff-ffff-ffff-ffffffffffff  all: every change
--   workgate.key_scope(id)                one key. If all keys shared a scope, a key that creates projects would
--                                         renew the responses of all others, and their times would reveal it.
-- Writers append marks, so that they never wait for each other at any isolation level. The service compacts marks into
-- versions every two seconds. A version is the sum of both.
--
-- Each mark has a random increment, so that a version never repeats. Committed changes can be lost when PostgreSQL
-- crashes with synchronous_commit = off, or when the machine is reset to a snapshot. If versions counted marks, later
-- changes would get the versions of the lost ones.

create table workgate.freshness_marks (
  scope      uuid not null,
  xid        xid8 not null,
  increment  integer not null default (1 + floor(random() * 2147483646))::integer
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table workgate.freshness_marks is
  'The scopes that each transaction has changed, until compaction adds the rows to freshness_versions. Written by triggers.';
comment on column workgate.freshness_marks.increment is 'The random amount by which the mark increases the version.';

create table workgate.freshness_versions (
  scope        uuid not null,
  n            bigint not null,
  horizon      xid8 not null,
  in_progress  xid8[] not null,
  constraint freshness_versions_pkey primary key (scope)
-- Each compaction updates rows. The fill factor leaves room for the new row versions on the same page.
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
comment on table workgate.freshness_versions is
  'The sum of the increments of all compacted marks of each scope. Read versions with workgate.versions_of().';
comment on column workgate.freshness_versions.horizon is
  'The first transaction that was not visible to the last compaction. Its marks and later ones are not in n.';
comment on column workgate.freshness_versions.in_progress is
  'Transactions before the horizon that were running at the last compaction. Their marks are not in n.';

create index freshness_marks_by_scope on workgate.freshness_marks (scope, xid);
create index freshness_marks_by_xid on workgate.freshness_marks (xid);

-- Readers scan only transactions whose marks may not be compacted yet: from the horizon on, and those in progress. Index
-- entries of compacted marks remain as long as an old snapshot exists, for example during a dump or a large load.

create function workgate.uncompacted_increments(horizon xid8, in_progress xid8[]) returns bigint
language plpgsql stable parallel safe
as $$
begin
  return (select coalesce(sum(c.increment), 0) from workgate.freshness_marks c where c.xid >= horizon)
    + (select coalesce(sum(c.increment), 0) from workgate.freshness_marks c where c.xid = any (in_progress));
end
$$;
comment on function workgate.uncompacted_increments(xid8, xid8[]) is
  'The sum of the increments of all marks that are not compacted yet, for the scope "all".';

create function workgate.versions_of(scopes uuid[]) returns table (seat bigint, version bigint)
language sql stable parallel safe
as $$
  select a.seat, coalesce(v.n, 0) + case
    when a.scope = 'ffffffff-ffff-ffff-ffff-ffffffffffff' then workgate.uncompacted_increments(f.horizon, f.in_progress)
    else
      (select coalesce(sum(c.increment), 0) from workgate.freshness_marks c where c.scope = a.scope and c.xid >= f.horizon)
      + (select coalesce(sum(c.increment), 0) from workgate.freshness_marks c where c.scope = a.scope and c.xid = any (f.in_progress))
  end
  from unnest(scopes) with ordinality a (scope, seat)
  left join lateral (select n, horizon, in_progress from workgate.freshness_versions where scope = a.scope offset 0) v on true
  cross join lateral (
    -- A horizon in the future was restored from another server with higher transaction ids and means nothing here.
    select
      case when k.is_ours then v.horizon else '0' end as horizon,
      case when k.is_ours then v.in_progress else '{}' end as in_progress
    from (select v.horizon <= pg_snapshot_xmax(pg_current_snapshot()) as is_ours) k
    offset 0
  ) f
$$;
comment on function workgate.versions_of(uuid[]) is
  'The current versions of scopes. If two calls return the same version, no change to the scope was committed between them.';

-- Names in a path are resolved together with the versions.
create function workgate.task_with_number(project uuid, number bigint) returns uuid
language plpgsql stable parallel safe
as $$
begin
  return coalesce(
    (select t.id from workgate.tasks t where t.project_id = project and t.number = task_with_number.number),
    (
      select j.id
      from workgate.journal j
      where j.scope = project
        and j.kind = 'task'
        and j.event = 'deleted'
        and j.number = task_with_number.number
      order by j.seq desc
      limit 1
    ));
end
$$;
comment on function workgate.task_with_number(uuid, bigint) is
  'The id of the task with this number, or else of the deleted task that had it last, as long as the journal knows it.';

create function workgate.places_here(places bigint[]) returns bigint[]
language sql immutable parallel safe
return places;
comment on function workgate.places_here(bigint[]) is
  'Where several servers share the projects, this returns the places that this one has.';

create function workgate.is_in_doubt(shown pg_snapshot) returns boolean
language sql immutable parallel safe
return false;
comment on function workgate.is_in_doubt(pg_snapshot) is
  'Where several servers share the projects, this is true if a commit may have been acknowledged and not be shown.';

create function workgate.compact_marks() returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  all_scopes constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  -- Limits the duration of the statement, however many marks there are.
  max_changes constant integer := 100000;
  compacted workgate.freshness_versions;
begin
  -- Does nothing during another compaction, which may have moved marks that this snapshot still shows, or in a
  -- transaction that has changed something, because it would treat its own unfinished marks as committed.
  if pg_current_xact_id_if_assigned() is not null or not pg_try_advisory_xact_lock(1465336405) then
    return;
  end if;
  select * into compacted from workgate.freshness_versions where scope = all_scopes;
  if compacted.horizon > pg_snapshot_xmax(pg_current_snapshot()) then
    -- Restored from another server. Reset it before transaction ids here reach its horizon.
    update workgate.freshness_versions set horizon = '0', in_progress = '{}';
    return;
  end if;
  with deleted as (
    delete from workgate.freshness_marks
    where ctid = any (array(
      select ctid
      from workgate.freshness_marks
      where (xid >= coalesce(compacted.horizon, '0') or xid = any (compacted.in_progress))
        -- The transaction has ended: all its marks are visible now or never will be.
        and pg_visible_in_snapshot(xid, pg_current_snapshot())
      limit max_changes))
    returning scope, increment
  ),
  snapshot as (
    -- If marks may remain, readers continue to scan from the previous horizon.
    select
      case when is_all then pg_snapshot_xmax(pg_current_snapshot()) else coalesce(compacted.horizon, '0') end as horizon,
      case when is_all then array(select pg_snapshot_xip(pg_current_snapshot())) else coalesce(compacted.in_progress, '{}') end as in_progress
    from (select count(*) < max_changes as is_all from deleted) a
  )
  insert into workgate.freshness_versions as v (scope, n, horizon, in_progress)
  select g.scope, g.n, s.horizon, s.in_progress
  from (
    select scope, sum(increment) as n
    from (select scope, increment from deleted union all select all_scopes, increment from deleted) one
    group by scope
  ) g
  cross join snapshot s
  order by g.scope
  on conflict (scope) do update set n = v.n + excluded.n, horizon = excluded.horizon, in_progress = excluded.in_progress;
end
$$;
comment on function workgate.compact_marks() is
  'Moves marks of ended transactions into versions. Does not affect the results of versions_of().';

create function workgate.is_marked(scope uuid) returns boolean
language sql stable
return strpos(coalesce(current_setting('workgate.marked_scopes', true), ''), scope::text) > 0;
comment on function workgate.is_marked(uuid) is
  'Returns whether this transaction has already marked the scope.';

create function workgate.remember_scopes(scopes text) returns text
language sql volatile
-- Remembers the last 1000 scopes. A transaction that changes more marks some of them twice, which is harmless.
return set_config('workgate.marked_scopes', left(concat(scopes, current_setting('workgate.marked_scopes', true)), 36000), true);
comment on function workgate.remember_scopes(text) is
  'Remembers scopes as marked until the end of the transaction or the rollback to a savepoint.';

create function workgate.mark_scope(scope uuid) returns void
language plpgsql volatile
as $$
begin
  if not workgate.is_marked(scope) then
    insert into workgate.freshness_marks values (scope, pg_current_xact_id());
    perform workgate.remember_scopes(scope::text);
  end if;
end
$$;

create function workgate.touch() returns void
language plpgsql volatile
as $$
begin
  -- A random version that no instance has seen, whatever the tables contained before.
  insert into workgate.freshness_versions as v (scope, n, horizon, in_progress)
  values ('00000000-0000-0000-0000-000000000000', (random() * 2 ^ 62)::bigint, '0', '{}')
  on conflict (scope) do update set n = excluded.n;
  perform workgate.record_everything();
end
$$;
comment on function workgate.touch() is
  'Invalidates all cached responses of all instances. Call it after changing rows with triggers disabled, for example '
  'after a restore into the database of a running service.';

create function workgate.key_scope(key_id text) returns uuid
language sql stable parallel safe
return ('00000000' || encode(convert_to(key_id, 'UTF8'), 'hex'))::uuid;
comment on function workgate.key_scope(text) is 'The scope of a key: its id in hexadecimal, after eight zeros.';
