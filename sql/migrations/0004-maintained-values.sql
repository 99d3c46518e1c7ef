-- Values that the database maintains for every writer: updated_at, version, task numbers and the history of tasks.
--
-- A writer needs privileges only on the tables that it writes to. Triggers that write to other tables (counters,
-- history, and in later files tallies and changes) therefore run as the owner (security definer). Their search_path is
-- fixed, so that other roles cannot substitute the objects that they use; 0021 lets no other role call them.

create function workgate.iso(moment timestamptz) returns text
language sql stable strict parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
comment on function workgate.iso(timestamptz) is 'A time in the format of the API: 2026-11-21T09:30:00.000Z.';

create function workgate.applies_replicated_rows() returns boolean
language sql stable
return current_setting('session_replication_role') = 'replica';
comment on function workgate.applies_replicated_rows() is
  'True in sessions with session_replication_role = replica. Every replica trigger checks this, because "enable '
  'trigger user" enables replica triggers for every session.';

-- Updates. Arguments: the columns to maintain, and project_id if the row is part of a project. updated_at, version and revision
-- change only if a value of the row does. Replicated rows keep the values that the source has changed.

create function workgate.maintain() returns trigger
language plpgsql
as $$
declare
  is_replica constant boolean := workgate.applies_replicated_rows();
begin
  if 'project_id' = any (tg_argv) and not is_replica then
    if new.project_id <> old.project_id then
      raise exception using
        errcode = 'WG001',
        message = format('a row of %s cannot move to another project', tg_table_name),
        hint = 'Insert a new row in the other project and delete this one.';
    end if;
  end if;
  if 'updated_at' = any (tg_argv) then
    if not is_replica or new.updated_at = old.updated_at then
      new.updated_at := workgate.present();
    end if;
  end if;
  if 'version' = any (tg_argv) then
    if not is_replica or new.version = old.version then
      new.version := old.version + 1;
    end if;
  end if;
  if 'revision' = any (tg_argv) then
    if not is_replica or new.revision = old.revision then
      new.revision := old.revision + case when new.markdown is distinct from old.markdown then 1 else 0 end;
    end if;
  end if;
  return new;
end
$$;

do $do$
declare
  made record;
begin
  for made in
    select
      k.table_name,
      array_to_string(
        case k.scope when 'project_id' then array['project_id'] end || k.maintained
          || case k.table_name when 'documents' then array['revision'] end,
        ', ') as arguments,
      format('(old.%s) is distinct from (new.%s)', array_to_string(c.names, ', old.'), array_to_string(c.names, ', new.'))
        -- Numbering is part of the creation of a task. A replicated task can get another number later.
        || case k.table_name when 'tasks' then ' or (new.number <> old.number and not workgate.applies_replicated_rows())' else '' end as is_changed
    from workgate.kinds k
    cross join lateral (
      select array_agg(a.attname::text) as names
      from pg_attribute a
      where a.attrelid = to_regclass('workgate.' || k.table_name)
        and a.attnum > 0
        -- Generated columns of the new row are not computed yet. Rows without maintained columns only stay in their project.
        and a.attgenerated = ''
        and (k.table_name, a.attname) <> ('tasks', 'number')
        and (k.maintained <> '{}' or a.attname = k.scope)
    ) c
    where k.scope = 'project_id'
      or k.maintained <> '{}'
  loop
    execute format(
      'create trigger %1$s_maintain before update on workgate.%1$s for each row when (%2$s) execute function workgate.maintain(%3$s)',
      made.table_name, made.is_changed, made.arguments);
  end loop;
end
$do$;

-- Tasks

-- Triggers call no SQL function that PostgreSQL cannot inline: it would be parsed and planned again in every statement.
create function workgate.board_of(project uuid, stage uuid) returns uuid
language plpgsql stable
as $$
begin
  return (select s.board_id from workgate.stages s where s.project_id = project and s.id = stage);
end
$$;

create function workgate.number_tasks(project uuid, are_numbered boolean, highest bigint, unnumbered uuid[]) returns void
language plpgsql volatile
as $$
declare
  missing constant bigint := coalesce(cardinality(unnumbered), 0);
  numbered bigint;
  ids uuid[];
  positions bigint[];
begin
  if not are_numbered then
    -- The counter can lag behind: replicated rows do not update it.
    highest := (select max(t.number) from workgate.tasks t where t.project_id = project);
  end if;
  insert into workgate.task_counters as c (project_id, last_number)
  values (project, coalesce(highest, 0) + missing)
  on conflict (project_id) do update set last_number = greatest(c.last_number, highest) + missing
    where c.last_number < greatest(c.last_number, highest) + missing
  returning last_number - missing into numbered;
  if missing > 0 then
    -- Tells triggers that this update is part of the creation.
    perform set_config('workgate.housekeeping', 'on', true);
    select array_agg(i.id order by i.id), array_agg(i.n order by i.id)
    into ids, positions
    from unnest(unnumbered) with ordinality as i (id, n);
    -- Not a join: for a project that seems to be empty, it would read the inserted rows again for each task.
    update workgate.tasks t
    set number = numbered + positions[width_bucket(t.id, ids)]
    where t.project_id = project
      and t.id = any (ids);
    perform set_config('workgate.housekeeping', '', true);
  end if;
end
$$;
comment on function workgate.number_tasks(uuid, boolean, bigint, uuid[]) is
  'Gives new tasks the next numbers, in their order, and raises the counter of the project to the highest number of a new task.';

create function workgate.next_task_number(project uuid) returns bigint
language plpgsql volatile
-- A plan made while the table was empty would sort all numbers to find the last one. Without sorts the estimated cost
-- would exceed the threshold of JIT compilation.
set enable_sort = off
set jit = off
as $$
declare
  counted bigint;
begin
  -- Locks the counter without updating it: each update in a transaction would make the next one slower.
  insert into workgate.task_counters as c (project_id, last_number)
  values (project, 0)
  on conflict (project_id) do update set last_number = c.last_number where false;
  select last_number into counted from workgate.task_counters where project_id = project;
  return 1 + greatest(
    counted,
    (select number from workgate.tasks where project_id = project and number is not null order by number desc limit 1));
end
$$;

-- The source may send a number that another task already has here. Tasks that arrive without a number get one here, and
-- a source that is Workgate numbers the rows of a large statement only after inserting them, possibly in another order.
-- The number from the source is kept, and the other task gets a new one until its own arrives.
create function workgate.free_task_number(project uuid, wanted bigint) returns void
language plpgsql volatile
as $$
declare
  other uuid;
begin
  -- Only in a transaction that has given numbers, which are the ones that can be taken.
  if wanted is null or coalesce(current_setting('workgate.numbers_taken', true), '') = '' then
    return;
  end if;
  select t.id into other
  from workgate.tasks t
  where t.project_id = project
    and t.number = wanted;
  if found then
    update workgate.tasks
    set number = workgate.next_task_number(project)
    where project_id = project
      and id = other;
  end if;
end
$$;

create function workgate.refuse_large_number() returns void
language plpgsql
as $$
begin
  raise exception using
    errcode = 'check_violation',
    message = 'the number and the version of a task must be at most 9000000000000000',
    detail = 'Later tasks and versions need larger ones.';
end
$$;

create function workgate.fill_task() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  is_replica constant boolean := workgate.applies_replicated_rows();
  -- The first 100 rows of a transaction get their numbers here, so that "returning number" works. number_tasks() numbers the
  -- rest in one step, because each update of a counter row in the same transaction makes the next one slower.
  taken integer := coalesce(nullif(current_setting('workgate.numbers_taken', true), ''), '0')::integer;
begin
  if is_replica then
    perform workgate.free_task_number(new.project_id, new.number);
  -- Numbers and versions that the database assigns may be larger.
  elsif greatest(new.number, new.version) > 9000000000000000 then
    perform workgate.refuse_large_number();
  end if;
  new.completed_at := case
    when new.state = 'completed' then coalesce(new.completed_at, new.updated_at) when not is_replica then new.completed_at end;
  new.cancelled_at := case
    when new.state = 'cancelled' then coalesce(new.cancelled_at, new.updated_at) when not is_replica then new.cancelled_at end;
  if new.board_id is null and new.stage_id is not null then
    new.board_id := workgate.board_of(new.project_id, new.stage_id);
  end if;
  if new.number is null and taken < 100 then
    -- An upsert that conflicts costs more than an update.
    update workgate.task_counters
    set last_number = greatest(last_number + 1, 1 + (select max(number) from workgate.tasks where project_id = new.project_id))
    where project_id = new.project_id
    returning last_number into new.number;
    if new.number is null then
      insert into workgate.task_counters as c (project_id, last_number)
      values (
        new.project_id,
        1 + coalesce((select max(number) from workgate.tasks where project_id = new.project_id), 0))
      on conflict (project_id) do update set last_number = greatest(c.last_number + 1, excluded.last_number)
      returning last_number into new.number;
    end if;
    taken := set_config('workgate.numbers_taken', (taken + 1)::text, true);
  elsif new.number is null and is_replica then
    new.number := workgate.next_task_number(new.project_id);
  end if;
  return new;
end
$$;

create function workgate.is_housekeeping() returns boolean
language sql stable
-- Only the owner can execute the trigger functions.
return coalesce(current_setting('workgate.housekeeping', true), '') = 'on'
  and has_function_privilege('workgate.fill_task()'::regprocedure, 'execute');
comment on function workgate.is_housekeeping() is
  'Returns whether a trigger function is updating tasks that need no history entry for it. Other roles can set '
  'workgate.housekeeping, but it has no effect on their own updates.';

create function workgate.update_task() returns trigger
language plpgsql
as $$
declare
  is_replica constant boolean := workgate.applies_replicated_rows();
begin
  if is_replica and new.number <> old.number then
    perform workgate.free_task_number(new.project_id, new.number);
  elsif new.number <> old.number and new.number > 9000000000000000 then
    perform workgate.refuse_large_number();
  end if;
  -- A time that the writer gives to a task in another state is refused by a constraint.
  new.completed_at := case
    when new.state = 'completed' then coalesce(new.completed_at, new.updated_at)
    when not is_replica and old.state <> 'completed' then new.completed_at
  end;
  new.cancelled_at := case
    when new.state = 'cancelled' then coalesce(new.cancelled_at, new.updated_at)
    when not is_replica and old.state <> 'cancelled' then new.cancelled_at
  end;
  if new.stage_id is distinct from old.stage_id and new.board_id is not distinct from old.board_id
    and new.stage_id is not null then
    new.board_id := workgate.board_of(new.project_id, new.stage_id);
  end if;
  new.number := coalesce(new.number, old.number);
  return new;
end
$$;

-- PostgreSQL fires the triggers of a table and event in alphabetical order: tasks_maintain comes before tasks_update.
create trigger tasks_fill before insert on workgate.tasks
  for each row when (
    new.number is null or (new.board_id is null and new.stage_id is not null)
    or (new.state = 'completed' and new.completed_at is null) or (new.state = 'cancelled' and new.cancelled_at is null)
    or greatest(new.number, new.version) > 9000000000000000
    or workgate.applies_replicated_rows()
  ) execute function workgate.fill_task();
create trigger tasks_update before update on workgate.tasks
  for each row when (old.number is not null and old.* is distinct from new.*) execute function workgate.update_task();

-- Assignees. Few tasks have several, and only these pay for it.

create function workgate.arrange_assignees() returns trigger
language plpgsql
as $$
declare
  is_same constant boolean := tg_op = 'UPDATE' and new.assignee_ids is not distinct from old.assignee_ids;
  listed uuid[] := new.assignee_ids;
begin
  if is_same and new.assignee_id is null then
    listed := '{}';
  elsif is_same then
    listed := new.assignee_id || new.assignee_ids[2:];
  end if;
  listed := array(
    select l.id
    from (select a.id, min(a.n) as n from unnest(listed) with ordinality a (id, n) where a.id is not null group by a.id) l
    order by l.n);
  if tg_op = 'INSERT' then
    new.assignee_id := coalesce(new.assignee_id, listed[1]);
  elsif new.assignee_id is not distinct from old.assignee_id then
    new.assignee_id := listed[1];
  end if;
  new.assignee_ids := case when cardinality(listed) > 1 then listed end;
  return new;
end
$$;

-- The elements of an array have no foreign key.
create function workgate.refuse_assignee() returns void
language plpgsql
as $$
begin
  raise exception using
    errcode = 'foreign_key_violation',
    constraint = 'tasks_assignees_are_members',
    schema = 'workgate',
    table = 'tasks',
    message = 'every assignee of a task must be a member of its project';
end
$$;

create function workgate.check_assignees() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  members bigint;
begin
  if new.assignee_ids[1] is distinct from new.assignee_id or cardinality(new.assignee_ids) > 50 then
    raise exception using
      errcode = 'check_violation',
      constraint = 'tasks_assignees_begin_with_assignee',
      schema = 'workgate',
      table = 'tasks',
      message = 'assignee_ids must begin with assignee_id, and contain at most 50 ids';
  end if;
  perform from workgate.project_members m
  where m.project_id = new.project_id
    and m.user_id = any (new.assignee_ids)
  order by m.user_id
  for key share;
  get diagnostics members = row_count;
  if members < cardinality(new.assignee_ids) then
    perform workgate.refuse_assignee();
  end if;
  return null;
end
$$;

create function workgate.keep_assignees() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (
      select
      from workgate.tasks t
      where t.project_id = old.project_id
        and t.assignee_ids is not null
        and t.assignee_ids @> array[old.user_id])
    and not exists (select from workgate.project_members m where m.project_id = old.project_id and m.user_id = old.user_id)
    -- The contents of a project are deleted with it, in any order.
    and exists (select from workgate.projects p where p.id = old.project_id) then
    perform workgate.refuse_assignee();
  end if;
  return null;
end
$$;

create trigger tasks_arrange_assignees before insert or update on workgate.tasks
  for each row when (new.assignee_ids is not null) execute function workgate.arrange_assignees();
create trigger tasks_assignees_are_members after insert or update of assignee_id, assignee_ids on workgate.tasks
  for each row when (new.assignee_ids is not null) execute function workgate.check_assignees();
create trigger project_members_keep_assignees after delete or update of user_id on workgate.project_members
  for each row execute function workgate.keep_assignees();

create function workgate.refuse_parent_cycle() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ancestor uuid := new.parent_id;
  seen uuid[] := array[new.id];
begin
  if tg_op = 'INSERT' then
    -- A new task is in a cycle only if it is already the parent of another one.
    if not exists (select from workgate.tasks where project_id = new.project_id and parent_id = new.id) then
      return null;
    end if;
  elsif new.parent_id is not distinct from old.parent_id then
    return null;
  end if;
  while ancestor is not null loop
    if ancestor = any (seen) then
      raise exception using
        errcode = 'WG011',
        message = format('the parents of task %s form a cycle', new.id),
        hint = 'A task cannot be below itself.';
    end if;
    seen := seen || ancestor;
    -- The lock makes a transaction wait that would close the cycle from the other side.
    select parent_id into ancestor
    from workgate.tasks
    where project_id = new.project_id
      and id = ancestor
    for share;
  end loop;
  return null;
end
$$;

-- After the statement: on the way, an update of several rows may have a cycle that its result has not.
create trigger tasks_refuse_parent_cycle after insert or update of parent_id on workgate.tasks
  for each row when (new.parent_id is not null) execute function workgate.refuse_parent_cycle();

-- Files

create function workgate.fill_file() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  new.task_id := (select c.task_id from workgate.comments c where c.project_id = new.project_id and c.id = new.comment_id);
  return new;
end
$$;

create trigger files_fill before insert on workgate.files
  for each row when (new.task_id is null) execute function workgate.fill_file();
