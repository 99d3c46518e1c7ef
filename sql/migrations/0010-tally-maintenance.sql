-- Maintenance of the tallies: triggers append deltas, compaction adds them to tallies, and recount repairs tallies.

create function workgate.try_lock_compaction(project uuid) returns boolean
language sql volatile
-- Only 64 different locks, because a transaction can touch any number of projects.
return pg_try_advisory_xact_lock(1465336404, hashtext(project::text) & 63);

create function workgate.lock_compaction(project uuid) returns void
language sql volatile
return pg_advisory_xact_lock(1465336404, hashtext(project::text) & 63);

do $do$
begin
  execute format($text$
create function workgate.tallies_from_rows(project uuid) returns setof workgate.delta
language sql stable
as $$ %s $$
    $text$,
    (
      select string_agg(
        format('select c.* from workgate.%1$s r cross join lateral workgate.tallies_of_%1$s(r) c where r.project_id = project', k.table_name),
        E'\n  union all\n  ')
      from workgate.kinds k
      where k.tallies <> '{}'
    ));
end
$do$;
comment on function workgate.tallies_from_rows(uuid) is 'The tallies of the rows of a project, of every kind but effort.';

create function workgate.delete_tallies(project uuid) returns void
language plpgsql
as $$
begin
  delete from workgate.tally_deltas where project_id = project;
  delete from workgate.tallies where project_id = project;
  delete from workgate.effort_marks where project_id = project;
  delete from workgate.task_efforts where project_id = project;
end
$$;

create function workgate.compact_tallies(project uuid, at_least bigint default 1, at_most bigint default null) returns void
language plpgsql volatile
-- Plans every execution: a plan cached before a load, when every index was equally good, could read all time entries of
-- the project for each of its tasks.
set plan_cache_mode = force_custom_plan
as $$
begin
  -- A transaction with an older snapshot would not see later compactions by others.
  if current_setting('transaction_isolation') <> 'read committed'
    or not exists (select from workgate.tally_deltas where project_id = project offset at_least - 1)
    and not exists (select from workgate.effort_marks where project_id = project offset at_least - 1)
    or not workgate.try_lock_compaction(project) then
    return;
  end if;

  -- Deltas of a deleted project remain if a concurrent transaction added them, unseen by the deletion, or if
  -- replication deleted the project before its rows.
  if not exists (select from workgate.projects where id = project) and not exists (select from workgate.tallies_from_rows(project)) then
    perform workgate.delete_tallies(project);
    return;
  end if;

  -- Selects rows by ctid alone. With project_id as a second condition the planner might use its index, which is slow
  -- for many rows.
  with compacted as (
    delete from workgate.tally_deltas d
    where d.ctid = any (array(select ctid from workgate.tally_deltas where project_id = project limit at_most))
    returning d.kind, d.at, d.key, d.part, d.n, d.seconds
  )
  insert into workgate.tallies as t (project_id, kind, span, at, key, part, n, seconds)
  select project, f.kind, s.span, s.at, f.key, f.part, sum(f.n), sum(f.seconds)
  from (
    select kind, at, key, part, sum(n) as n, sum(seconds) as seconds
    from compacted
    group by kind, at, key, part
  ) f
  cross join lateral workgate.spans_of(f.kind, f.at) s
  group by f.kind, s.span, s.at, f.key, f.part
  having sum(f.n) <> 0 or sum(f.seconds) <> 0
  on conflict (project_id, kind, span, at, key, part)
  do update set n = t.n + excluded.n, seconds = t.seconds + excluded.seconds;

  with unmarked as (
    delete from workgate.effort_marks m
    where m.ctid = any (array(select ctid from workgate.effort_marks where project_id = project limit at_most))
    returning m.project_id, m.task_id
  ),
  changes as materialized (
    select u.task_id, e.at, e.seconds, f.row_ctid, f.at as counted_at, f.seconds as counted_seconds
    from (select distinct project_id, task_id from unmarked) u
    left join lateral workgate.effort_of(u.project_id, u.task_id) e on true
    left join lateral (
      select ctid as row_ctid, at, seconds
      from workgate.task_efforts
      where project_id = u.project_id
        and task_id = u.task_id
      offset 0
    ) f on true
  ),
  gone as (
    delete from workgate.task_efforts
    where ctid = any (array(select row_ctid from changes where seconds is null and row_ctid is not null))
  ),
  counted as (
    insert into workgate.task_efforts as f (project_id, task_id, at, seconds)
    select project, task_id, at, seconds
    from changes
    where seconds is not null
      and (at, seconds) is distinct from (counted_at, counted_seconds)
    on conflict (project_id, task_id) do update set at = excluded.at, seconds = excluded.seconds
  )
  insert into workgate.tallies as t (project_id, kind, span, at, key, part, n, seconds)
  select project, 'effort', s.span, s.at, '', '', 0, sum(c.seconds)
  from (
    select at, seconds from changes where seconds is not null
    union all
    select counted_at, -counted_seconds from changes where counted_seconds is not null
  ) c
  cross join lateral workgate.spans_of('effort', c.at) s
  group by s.span, s.at
  having sum(c.seconds) <> 0
  on conflict (project_id, kind, span, at, key, part)
  do update set seconds = t.seconds + excluded.seconds;
end
$$;
comment on function workgate.compact_tallies(uuid, bigint, bigint) is
  'Adds up to at_most deltas of a project to its tallies. Does nothing if the project has fewer than at_least deltas and fewer '
  'than at_least effort marks, or if another session is compacting it. Does not change any sum that readers see.';

create function workgate.compact_next_tallies(after uuid, projects integer) returns uuid
language plpgsql volatile
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  project uuid := after;
begin
  for _ in 1 .. projects loop
    project := least(
      (select project_id from workgate.tally_deltas where project_id > project order by project_id limit 1),
      (select project_id from workgate.effort_marks where project_id > project order by project_id limit 1));
    exit when project is null;
    perform workgate.compact_tallies(project, at_most => 20000);
  end loop;
  return project;
end
$$;
comment on function workgate.compact_next_tallies(uuid, integer) is
  'Compacts the tallies of the next projects that have deltas, in order of id. Returns the last id, or null after the '
  'last project.';

-- Recount

create function workgate.wrong_efforts(project uuid) returns table (task_id uuid, at timestamptz, counted bigint, seconds bigint)
language sql stable
as $$
  select coalesce(e.task_id, f.task_id), coalesce(e.at, f.at), coalesce(f.seconds, 0), coalesce(e.seconds, 0)
  from (
    select t.id as task_id, e.*
    from workgate.tasks t
    cross join lateral workgate.effort_of(t.project_id, t.id) e
    where t.project_id = project
  ) e
  full join (select * from workgate.task_efforts where project_id = project) f on f.task_id = e.task_id
  where (e.at, e.seconds) is distinct from (f.at, f.seconds)
    and not exists (
      select
      from workgate.effort_marks m
      where m.project_id = project
        and m.task_id = coalesce(e.task_id, f.task_id))
$$;

create function workgate.wrong_tallies(project uuid)
returns table (
  kind text, span text, at timestamptz, key text, part text,
  counted_n bigint, counted_seconds bigint, n bigint, seconds bigint)
language sql stable
as $$
  select a.kind, a.span, a.at, a.key, a.part,
    sum(a.counted_n)::bigint, sum(a.counted_seconds)::bigint, sum(a.n)::bigint, sum(a.seconds)::bigint
  from (
    select t.kind, t.span, t.at, t.key, t.part, t.n as counted_n, t.seconds as counted_seconds, 0 as n, 0 as seconds
    from workgate.tallies t
    where t.project_id = project
    union all
    select d.kind, s.span, s.at, d.key, d.part, d.n, d.seconds, 0, 0
    from workgate.tally_deltas d
    cross join lateral workgate.spans_of(d.kind, d.at) s
    where d.project_id = project
    union all
    select r.kind, s.span, s.at, r.key, r.part, 0, 0, r.n, r.seconds
    from (
      select c.kind, c.at, c.key, c.part, sum(c.n) as n, sum(c.seconds) as seconds
      from (
        select * from workgate.tallies_from_rows(project)
        union all
        -- The counted effort. wrong_efforts() compares it with the rows.
        select 'effort', f.at, '', '', 0, f.seconds from workgate.task_efforts f where f.project_id = project
      ) c
      group by c.kind, c.at, c.key, c.part
    ) r
    cross join lateral workgate.spans_of(r.kind, r.at) s
  ) a
  group by a.kind, a.span, a.at, a.key, a.part
  having sum(a.counted_n) <> sum(a.n) or sum(a.counted_seconds) <> sum(a.seconds)
$$;

create function workgate.recount(project uuid, repair boolean default true)
returns table (
  kind text, span text, at timestamptz, key text, part text,
  counted_n bigint, counted_seconds bigint, n bigint, seconds bigint)
language plpgsql volatile
as $$
#variable_conflict use_column
begin
  -- One statement sees rows and tallies in the same snapshot, and the lock prevents compaction by others.
  perform workgate.lock_compaction(project);
  return query
  with wrong as materialized (select * from workgate.wrong_tallies(project)),
  repaired as (
    insert into workgate.tallies as t (project_id, kind, span, at, key, part, n, seconds)
    select project, w.kind, w.span, w.at, w.key, w.part, w.n - w.counted_n, w.seconds - w.counted_seconds
    from wrong w
    where repair
    on conflict (project_id, kind, span, at, key, part)
    do update set n = t.n + excluded.n, seconds = t.seconds + excluded.seconds
  )
  select * from wrong;
  return query
  with wrong as materialized (select * from workgate.wrong_efforts(project)),
  repaired as (
    insert into workgate.effort_marks (project_id, task_id)
    select project, w.task_id
    from wrong w
    where repair
  )
  select 'effort', '', w.at, w.task_id::text, '', 0::bigint, w.counted, 0::bigint, w.seconds
  from wrong w;
  if repair then
    perform workgate.compact_tallies(project);
    delete from workgate.tallies t where t.project_id = project and t.n = 0 and t.seconds = 0;
    -- Invalidates cached responses.
    perform workgate.mark_scope(project);
  end if;
end
$$;
comment on function workgate.recount(uuid, boolean) is
  'Compares the tallies of a project with its rows, repairs them and returns the differences. There are none unless '
  'triggers were disabled. Pass repair => false to compare without repairing.';
