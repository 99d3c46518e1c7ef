-- Logical replication into Workgate. The subscriber applies rows with session_replication_role = replica: ordinary
-- triggers do not fire, and foreign keys do not cascade. Only triggers that are enabled for replicas fire: row-level
-- triggers, and statement-level triggers on truncate. The triggers in this file do the work of the ordinary ones for
-- replicated rows. They keep values from the source and fill in missing ones.

-- Deletes the rows of deleted projects and keys from tables that are not replicated.

create function workgate.clean_up_project() returns trigger
language plpgsql
as $$
begin
  delete from workgate.task_counters where project_id = old.id;
  -- If the project still has rows, deleting them subtracts them, and compaction deletes the tallies after the last one.
  if not workgate.has_rows(old.id) then
    perform workgate.lock_compaction(old.id);
    perform workgate.delete_tallies(old.id);
  end if;
  return null;
end
$$;

create function workgate.delete_key_use() returns trigger
language plpgsql
as $$
begin
  delete from workgate.api_key_uses where key_id = old.id;
  return null;
end
$$;

create trigger projects_clean_up_replicated after delete on workgate.projects
  for each row when (workgate.is_replica()) execute function workgate.clean_up_project();
create trigger api_keys_delete_use_replicated after delete on workgate.api_keys
  for each row when (workgate.is_replica()) execute function workgate.delete_key_use();

-- Tasks: history, numbers and versions

create function workgate.replace_history_entry() returns trigger
language plpgsql
as $$
begin
  insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes, session_role)
  values (new.project_id, new.task_id, new.version, new.at, new.channel, new.actor, new.changes, new.session_role)
  on conflict (project_id, task_id, version)
  do update set at = excluded.at, channel = excluded.channel, actor = excluded.actor, changes = excluded.changes,
    session_role = excluded.session_role;
  return null;
end
$$;

-- At depth 0 the entry comes from the source, otherwise from record_tasks().
create trigger task_history_replace_entry_replicated before insert on workgate.task_history
  for each row when (workgate.is_replica() and pg_trigger_depth() = 0) execute function workgate.replace_history_entry();

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

create function workgate.number_replicated_task() returns trigger
language plpgsql
as $$
begin
  -- Numbers the rows after the first 100, which fill_task() has numbered.
  new.number := workgate.next_task_number(new.project_id);
  return new;
end
$$;

-- The source may send a number that another task already has here. Tasks that arrive without a number get one here, and
-- a source that is Workgate numbers the rows of a large statement only after inserting them, possibly in another order.
-- The number from the source is kept, and the other task gets a new one until its own arrives.
create function workgate.free_task_number() returns trigger
language plpgsql
as $$
declare
  other uuid;
begin
  if tg_op = 'UPDATE' and new.number = old.number then
    return new;
  end if;
  select t.id into other
  from workgate.tasks t
  where t.project_id = new.project_id
    and t.number = new.number;
  if found then
    update workgate.tasks
    set number = workgate.next_task_number(new.project_id)
    where project_id = new.project_id
      and id = other;
  end if;
  return new;
end
$$;

create function workgate.fill_replicated_task() returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' then
    if new.stage_id is distinct from old.stage_id and new.board_id is not distinct from old.board_id
      and new.stage_id is not null then
      new.board_id := workgate.board_of(new.project_id, new.stage_id);
    end if;
    new.number := coalesce(new.number, old.number);
  end if;
  new.completed_at := case when new.state = 'completed' then coalesce(new.completed_at, new.updated_at) end;
  new.cancelled_at := case when new.state = 'cancelled' then coalesce(new.cancelled_at, new.updated_at) end;
  return new;
end
$$;

create function workgate.increment_version() returns trigger
language plpgsql
as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

create function workgate.increment_revision() returns trigger
language plpgsql
as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;

create trigger tasks_fill_number_replicated before insert on workgate.tasks
  for each row when (workgate.is_replica() and new.number is null) execute function workgate.number_replicated_task();
create trigger tasks_3_free_number_replicated before insert or update on workgate.tasks
  for each row when (workgate.is_replica() and new.number is not null and current_setting('workgate.numbers_taken', true) <> '')
  execute function workgate.free_task_number();
create trigger tasks_2_fill_replicated before insert or update on workgate.tasks
  for each row when (workgate.is_replica()) execute function workgate.fill_replicated_task();

-- Maintains updated_at, version and revision unless the source has changed them. Numbering a task is not a change.
do $do$
declare
  maintained text[];
  of_a_task constant text := 'id, title, description, state, priority, board_id, stage_id, parent_id, assignee_id, creator_id, '
    'start_date, due_date, estimate_seconds, completed_at, cancelled_at, external_id, external_url, created_at';
begin
  foreach maintained slice 1 in array array[
    ['users', 'updated_at', '*'], ['teams', 'updated_at', '*'],
    ['projects', 'updated_at', '*'], ['projects', 'version', '*'],
    ['project_members', 'updated_at', '*'], ['boards', 'updated_at', '*'], ['stages', 'updated_at', '*'],
    ['tasks', 'updated_at', of_a_task], ['tasks', 'version', of_a_task],
    ['comments', 'updated_at', '*'],
    ['time_entries', 'updated_at', 'id, task_id, user_id, description, spent_on, started_at, ended_at, billable, created_at'],
    ['documents', 'updated_at', 'id, path, title, task_id, author_id, markdown, created_at'],
    ['documents', 'revision', 'markdown']
  ] loop
    execute replace(replace(replace(replace(replace($text$
create trigger {{table}}_1_{{column}}_replicated before update on workgate.{{table}}
  for each row when (workgate.is_replica() and old.{{column}} = new.{{column}} and ({{old}}) is distinct from ({{new}}))
  execute function workgate.{{function}}();
$text$,
      '{{table}}', maintained[1]),
      '{{column}}', maintained[2]),
      '{{old}}', regexp_replace(maintained[3], '(\w+|\*)', 'old.\1', 'g')),
      '{{new}}', regexp_replace(maintained[3], '(\w+|\*)', 'new.\1', 'g')),
      '{{function}}', case maintained[2] when 'updated_at' then 'set_updated_at' else 'increment_' || maintained[2] end);
  end loop;
end
$do$;

-- The name of a trigger determines in which sessions it is enabled, so that enable_triggers() can restore this. By
-- contrast, "enable trigger user" after "disable trigger user" enables all triggers for ordinary sessions.

create function workgate.misconfigured_triggers() returns table (name text, on_table regclass, enable text, foreign_key name)
language sql stable
as $$
  select t.tgname, t.tgrelid::regclass, w.enable, k.conname
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  left join pg_constraint k on k.oid = t.tgconstraint and k.contype = 'f'
  cross join lateral (
    select case
      when t.tgisinternal then ''
      when t.tgname like '%\_replicated' then 'replica'
      when t.tgname like '%\_on\_truncate' or t.tgname = 'tasks_fill' then 'always'
      else ''
    end as enable
  ) w
  where c.relnamespace = 'workgate'::regnamespace
    -- Internal triggers belong to constraints. Those of foreign keys can be disabled with the others.
    and (not t.tgisinternal or k.oid is not null)
    and t.tgenabled <> case w.enable when 'replica' then 'R' when 'always' then 'A' else 'O' end
  order by t.tgisinternal desc, t.tgrelid::regclass::text, k.conname, t.tgname
$$;
comment on function workgate.misconfigured_triggers() is
  'Triggers that are disabled, or enabled for the wrong replication role, those of foreign keys included.';

create function workgate.enable_triggers() returns void
language plpgsql volatile
as $$
declare
  wrong record;
  may_alter_all constant boolean := (select rolsuper from pg_roles where rolname = current_user);
  remaining text;
begin
  for wrong in select * from workgate.misconfigured_triggers() m where may_alter_all or m.foreign_key is null loop
    execute format('alter table %s enable %s trigger %I', wrong.on_table, wrong.enable, wrong.name);
  end loop;
  select string_agg(distinct m.foreign_key, ', ') into remaining from workgate.misconfigured_triggers() m;
  if remaining is not null then
    raise warning 'foreign keys are still disabled, because only a superuser can enable them: %', remaining
      using hint = 'As a superuser, run "select workgate.enable_triggers()".';
  end if;
end
$$;
comment on function workgate.enable_triggers() is
  'Enables all triggers for the right replication role. A superuser must run it if triggers of foreign keys are disabled. '
  'Afterwards, call touch() and recount() to account for changes made while triggers were disabled, and orphans() to find '
  'rows that refer to nothing.';

select workgate.enable_triggers();
