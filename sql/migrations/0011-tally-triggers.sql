-- Who keeps the tallies: triggers that append deltas, the fold, and recount.

create function workgate.try_fold_lock(project uuid) returns boolean
language sql volatile
-- A bounded number of locks, however many projects a transaction touches.
return pg_try_advisory_xact_lock(1465336404, hashtext(project::text) & 63);

create function workgate.fold_lock(project uuid) returns void
language sql volatile
return pg_advisory_xact_lock(1465336404, hashtext(project::text) & 63);

create function workgate.has_rows(project uuid) returns boolean
language sql stable
return exists (select from workgate.tasks where project_id = project)
  or exists (select from workgate.task_history where project_id = project)
  or exists (select from workgate.time_entries where project_id = project)
  or exists (select from workgate.comments where project_id = project)
  or exists (select from workgate.documents where project_id = project)
  or exists (select from workgate.project_members where project_id = project);
comment on function workgate.has_rows(uuid) is 'Whether there is anything in a project that tallies count.';

create function workgate.fold_tallies(project uuid, at_least bigint default 1, at_most bigint default null) returns void
language plpgsql volatile
-- Planned for the tables as they are each time. A plan from before a load would go through all time entries of a project
-- for each of its tasks: while both are few, one index is as good as another.
set plan_cache_mode = force_custom_plan
as $$
begin
  -- A transaction with a snapshot from before could not see what others folded meanwhile.
  if current_setting('transaction_isolation') <> 'read committed'
    or not exists (
      select from workgate.tally_deltas where project_id = project offset at_least - 1)
    and not exists (
      select from workgate.effort_marks where project_id = project offset at_least - 1)
    or not workgate.try_fold_lock(project) then
    return;
  end if;

  -- Left over where a transaction deleted the project and could not see what another had just committed, or where the
  -- project went first and its rows later.
  if not exists (select from workgate.projects where id = project) and not workgate.has_rows(project) then
    perform workgate.drop_tallies(project);
    return;
  end if;

  -- By the places of rows and one by one, so that many take no longer than a few do, each. Beside a place, project_id
  -- would be another way to go, and for many the slow one.
  with folded as (
    delete from workgate.tally_deltas d
    where d.ctid = any (array(select ctid from workgate.tally_deltas where project_id = project limit at_most))
    returning d.kind, d.at, d.key, d.part, d.n, d.seconds
  )
  insert into workgate.tallies as t (project_id, kind, span, at, key, part, n, seconds)
  select project, f.kind, s.span, s.at, f.key, f.part, sum(f.n), sum(f.seconds)
  from (
    select kind, at, key, part, sum(n) as n, sum(seconds) as seconds
    from folded
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
    select u.task_id, e.at, e.seconds, f.place, f.at as counted_at, f.seconds as counted_seconds
    from (select distinct project_id, task_id from unmarked) u
    left join lateral workgate.effort_of(u.project_id, u.task_id) e on true
    left join lateral (
      select ctid as place, at, seconds
      from workgate.task_efforts
      where project_id = u.project_id
        and task_id = u.task_id
      offset 0
    ) f on true
  ),
  gone as (
    delete from workgate.task_efforts
    where ctid = any (array(select place from changes where seconds is null and place is not null))
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
comment on function workgate.fold_tallies(uuid, bigint, bigint) is
  'Adds the deltas of a project to its tallies, if there are so many and nobody else is at it. Changes no figure.';

create function workgate.fold_some(after uuid, projects integer) returns uuid
language plpgsql volatile
as $$
declare
  project uuid := after;
begin
  for _ in 1 .. projects loop
    project := least(
      (select project_id from workgate.tally_deltas where project_id > project order by project_id limit 1),
      (select project_id from workgate.effort_marks where project_id > project order by project_id limit 1));
    exit when project is null;
    perform workgate.fold_tallies(project, at_most => 20000);
  end loop;
  return project;
end
$$;
comment on function workgate.fold_some(uuid, integer) is
  'Folds the next projects that have something to fold, in the order of their ids. Gives the last one, or null at the end.';

create function workgate.fold_now_and_then(added bigint, projects uuid[]) returns void
language plpgsql volatile
as $$
begin
  -- To look takes longer than to append: writers of single rows take turns.
  if added > 500 or random() < 0.02 then
    perform workgate.fold_tallies(project, 1000) from unnest(projects) as project;
  end if;
end
$$;

-- Triggers. What came counts, what went counts with a minus, and what stays the same is zero and left out. The same for
-- each table but for the function that says what a row adds, whose name has to stand in the text: so each table gets
-- its copy of one text.

do $do$
declare
  counted text;
begin
  foreach counted in array array['tasks', 'task_history', 'time_entries', 'comments', 'documents', 'project_members'] loop
    execute replace($text$
create function workgate.tally_{{table}}() returns trigger
language plpgsql
as $$
declare
  added bigint;
begin
  if tg_op = 'INSERT' then
    insert into workgate.tally_deltas (project_id, kind, at, key, part, n, seconds)
    select r.project_id, c.kind, c.at, c.key, c.part, sum(c.n), sum(c.seconds)
    from came r
    cross join lateral workgate.tallies_of_{{table}}(r) c
    group by r.project_id, c.kind, c.at, c.key, c.part;
    get diagnostics added = row_count;
    perform workgate.fold_now_and_then(added, array(select distinct project_id from came order by project_id));
  elsif tg_op = 'DELETE' then
    -- With a project its tallies go as well, whatever is deleted before and after.
    insert into workgate.tally_deltas (project_id, kind, at, key, part, n, seconds)
    select r.project_id, c.kind, c.at, c.key, c.part, -sum(c.n), -sum(c.seconds)
    from went r
    cross join lateral workgate.tallies_of_{{table}}(r) c
    where exists (select from workgate.projects p where p.id = r.project_id)
    group by r.project_id, c.kind, c.at, c.key, c.part;
    get diagnostics added = row_count;
    perform workgate.fold_now_and_then(added, array(select distinct project_id from went order by project_id));
  elsif coalesce(current_setting('workgate.numbering', true), '') = '' then
    insert into workgate.tally_deltas (project_id, kind, at, key, part, n, seconds)
    select m.project_id, m.kind, m.at, m.key, m.part, sum(m.n), sum(m.seconds)
    from (
      select r.project_id, c.kind, c.at, c.key, c.part, c.n, c.seconds
      from came r
      cross join lateral workgate.tallies_of_{{table}}(r) c
      union all
      select r.project_id, c.kind, c.at, c.key, c.part, -c.n, -c.seconds
      from went r
      cross join lateral workgate.tallies_of_{{table}}(r) c
    ) m
    group by m.project_id, m.kind, m.at, m.key, m.part
    having sum(m.n) <> 0 or sum(m.seconds) <> 0;
    get diagnostics added = row_count;
    perform workgate.fold_now_and_then(added, array(select distinct project_id from came order by project_id));
  end if;
  return null;
end
$$;

create trigger {{table}}_tally_came after insert on workgate.{{table}}
  referencing new table as came for each statement execute function workgate.tally_{{table}}();
create trigger {{table}}_tally_went after delete on workgate.{{table}}
  referencing old table as went for each statement execute function workgate.tally_{{table}}();
create trigger {{table}}_tally_changed after update on workgate.{{table}}
  referencing old table as went new table as came for each statement execute function workgate.tally_{{table}}();
$text$, '{{table}}', counted);
  end loop;
end
$do$;

create function workgate.mark_efforts_of_tasks() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' then
    insert into workgate.effort_marks (project_id, task_id)
    select w.project_id, w.id
    from went w
    where w.estimate_seconds is not null
      and exists (select from workgate.projects p where p.id = w.project_id);
  else
    insert into workgate.effort_marks (project_id, task_id)
    select m.project_id, m.id
    from (
      select c.project_id, c.id, case when c.estimate_seconds is not null then coalesce(c.completed_at, 'infinity') end as at from came c
      union all
      select w.project_id, w.id, case when w.estimate_seconds is not null then coalesce(w.completed_at, 'infinity') end from went w
    ) m
    group by m.project_id, m.id
    having min(m.at) <> max(m.at) or count(m.at) = 1;
  end if;
  return null;
end
$$;

create function workgate.mark_efforts_of_time_entries() returns trigger
language plpgsql
as $$
begin
  -- With or without an estimate: another transaction may be giving it one.
  if tg_op = 'INSERT' then
    insert into workgate.effort_marks (project_id, task_id)
    select distinct c.project_id, c.task_id
    from came c
    where c.duration_seconds <> 0;
  elsif tg_op = 'DELETE' then
    insert into workgate.effort_marks (project_id, task_id)
    select distinct w.project_id, w.task_id
    from went w
    where w.duration_seconds <> 0
      and exists (select from workgate.projects p where p.id = w.project_id);
  else
    insert into workgate.effort_marks (project_id, task_id)
    select m.project_id, m.task_id
    from (
      select c.project_id, c.task_id, c.duration_seconds from came c
      union all
      select w.project_id, w.task_id, -w.duration_seconds from went w
    ) m
    group by m.project_id, m.task_id
    having sum(m.duration_seconds) <> 0;
  end if;
  return null;
end
$$;

-- It joins what was with what is. Planned when a session's first update was of one row, it must not go through all rows
-- for each row of a large one.
alter function workgate.record_updated_tasks() set enable_nestloop = off;

create function workgate.clear_tallies() returns trigger
language plpgsql
as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception using
      errcode = 'WG007',
      message = format('%s can be truncated in a transaction of isolation level read committed only', tg_table_name);
  end if;
  -- Whoever folds has ended then, and nobody writes rows of this table.
  lock table workgate.tallies in share row exclusive mode;
  delete from workgate.tally_deltas where kind = any (tg_argv);
  delete from workgate.tallies where kind = any (tg_argv);
  if tg_table_name = 'time_entries' then
    delete from workgate.effort_marks;
    delete from workgate.task_efforts;
  end if;
  return null;
end
$$;

create function workgate.drop_tallies(project uuid) returns void
language plpgsql
as $$
begin
  delete from workgate.tally_deltas where project_id = project;
  delete from workgate.tallies where project_id = project;
  delete from workgate.effort_marks where project_id = project;
  delete from workgate.task_efforts where project_id = project;
end
$$;

create function workgate.forget_tallies() returns trigger
language plpgsql
as $$
declare
  project uuid;
begin
  for project in select id from went order by id loop
    perform workgate.fold_lock(project);
    perform workgate.drop_tallies(project);
  end loop;
  return null;
end
$$;

-- As in 0003, but that tally() is told, and that numbers which the counter does not know of are counted as well.
create or replace function workgate.number_tasks() returns trigger
language plpgsql
as $$
declare
  added record;
  numbered bigint;
begin
  for added in
    select
      i.project_id,
      case
        when count(i.number) = count(*) then max(i.number)
        else (select max(t.number) from workgate.tasks t where t.project_id = i.project_id)
      end as highest,
      count(*) filter (where i.number is null) as missing
    from inserted i
    group by i.project_id
    order by i.project_id
  loop
    insert into workgate.task_counters as c (project_id, last_number)
    values (added.project_id, coalesce(added.highest, 0) + added.missing)
    on conflict (project_id) do update set last_number = greatest(c.last_number, added.highest) + added.missing
      where c.last_number < greatest(c.last_number, added.highest) + added.missing
    returning last_number - added.missing into numbered;

    if added.missing > 0 then
      perform set_config('workgate.numbering', 'on', true);
      update workgate.tasks t
      set number = numbered + i.n
      from (
        select id, row_number() over (order by created_at, id) as n
        from inserted
        where project_id = added.project_id
          and number is null
      ) i
      where t.project_id = added.project_id
        and t.id = i.id;
      perform set_config('workgate.numbering', '', true);
    end if;
  end loop;
  return null;
end
$$;

create trigger tasks_mark_efforts_went after delete on workgate.tasks
  referencing old table as went for each statement execute function workgate.mark_efforts_of_tasks();
create trigger tasks_mark_efforts_changed after update on workgate.tasks
  referencing old table as went new table as came for each statement execute function workgate.mark_efforts_of_tasks();
create trigger time_entries_mark_efforts_came after insert on workgate.time_entries
  referencing new table as came for each statement execute function workgate.mark_efforts_of_time_entries();
create trigger time_entries_mark_efforts_went after delete on workgate.time_entries
  referencing old table as went for each statement execute function workgate.mark_efforts_of_time_entries();
create trigger time_entries_mark_efforts_changed after update on workgate.time_entries
  referencing old table as went new table as came for each statement execute function workgate.mark_efforts_of_time_entries();

create trigger tasks_clear_tallies after truncate on workgate.tasks
  execute function workgate.clear_tallies('state', 'stage', 'priority', 'assignee', 'due', 'flow', 'lead', 'estimate');
create trigger task_history_clear_tallies after truncate on workgate.task_history
  execute function workgate.clear_tallies('reopened');
create trigger time_entries_clear_tallies after truncate on workgate.time_entries
  execute function workgate.clear_tallies('time', 'user time', 'running', 'effort');
create trigger comments_clear_tallies after truncate on workgate.comments
  execute function workgate.clear_tallies('comments');
create trigger documents_clear_tallies after truncate on workgate.documents
  execute function workgate.clear_tallies('documents');
create trigger project_members_clear_tallies after truncate on workgate.project_members
  execute function workgate.clear_tallies('members');

create trigger projects_forget_tallies after delete on workgate.projects
  referencing old table as went for each statement execute function workgate.forget_tallies();
