-- The tallies compared with the rows, and put right.

create function workgate.counted_from_rows(project uuid)
returns table (kind text, at timestamptz, key text, part text, n bigint, seconds bigint)
language sql stable
as $$
  select c.* from workgate.tasks r cross join lateral workgate.tallies_of_tasks(r) c where r.project_id = project
  union all
  select c.* from workgate.task_history r cross join lateral workgate.tallies_of_task_history(r) c where r.project_id = project
  union all
  select c.* from workgate.time_entries r cross join lateral workgate.tallies_of_time_entries(r) c where r.project_id = project
  union all
  select c.* from workgate.comments r cross join lateral workgate.tallies_of_comments(r) c where r.project_id = project
  union all
  select c.* from workgate.documents r cross join lateral workgate.tallies_of_documents(r) c where r.project_id = project
  union all
  select c.* from workgate.project_members r cross join lateral workgate.tallies_of_project_members(r) c where r.project_id = project
  union all
  -- As it is counted. Whether it is counted right is a question of its own.
  select 'effort', f.at, '', '', 0, f.seconds from workgate.task_efforts f where f.project_id = project
$$;

create function workgate.efforts_of(project uuid) returns table (task_id uuid, at timestamptz, seconds bigint)
language sql stable
as $$
  select t.id, coalesce(workgate.quarter_hour(t.completed_at), '-infinity'), sum(e.duration_seconds)::bigint
  from workgate.tasks t
  join workgate.time_entries e on e.project_id = t.project_id and e.task_id = t.id
  where t.project_id = project
    and e.project_id = project
    and t.estimate_seconds is not null
  group by t.id, t.completed_at
  having sum(e.duration_seconds) <> 0
$$;
comment on function workgate.efforts_of(uuid) is 'effort_of all tasks of a project, at once.';

create function workgate.wrong_efforts(project uuid) returns table (task_id uuid, at timestamptz, counted bigint, seconds bigint)
language sql stable
as $$
  select coalesce(e.task_id, f.task_id), coalesce(e.at, f.at), coalesce(f.seconds, 0), coalesce(e.seconds, 0)
  from workgate.efforts_of(project) e
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
      from workgate.counted_from_rows(project) c
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
  -- One statement sees rows and tallies as of one moment, whoever writes meanwhile; the lock keeps others from folding.
  perform workgate.fold_lock(project);
  return query
  with wrong as materialized (
    select * from workgate.wrong_tallies(project)
  ),
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
  with wrong as materialized (
    select * from workgate.wrong_efforts(project)
  ),
  repaired as (
    insert into workgate.effort_marks (project_id, task_id)
    select project, w.task_id
    from wrong w
    where repair
  )
  select 'effort', '', w.at, w.task_id::text, '', 0::bigint, w.counted, 0::bigint, w.seconds
  from wrong w;
  if repair then
    perform workgate.fold_tallies(project);
    delete from workgate.tallies t where t.project_id = project and t.n = 0 and t.seconds = 0;
    -- Changes nothing, and is a change to whoever keeps answers about the project.
    update workgate.projects set name = name where id = project;
  end if;
end
$$;
comment on function workgate.recount(uuid, boolean) is
  'Compares the tallies of a project with its rows, puts them right, and gives what was wrong: nothing, unless triggers '
  'were switched off. repair => false only compares.';

do $$
begin
  perform workgate.recount(id) from workgate.projects;
end
$$;
