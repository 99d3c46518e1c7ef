-- Values that the database maintains for every writer: updated_at, version, task numbers and the history of tasks.
--
-- A writer needs privileges only on the tables that it writes to. Triggers that write to other tables (counters,
-- history, and in later files tallies and changes) therefore run as the owner (security definer). Their search_path is
-- fixed, so that other roles cannot substitute the objects that they use. Firing a trigger needs no privilege, but
-- creating one does: execute is revoked from public because otherwise any role could create such a trigger on a table
-- of its own and write anything into these tables.

create function workgate.iso(moment timestamptz) returns text
language sql stable strict parallel safe
return to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
comment on function workgate.iso(timestamptz) is 'A time in the format of the API: 2026-11-21T09:30:00.000Z.';

create function workgate.refuse_project_change() returns trigger
language plpgsql
as $$
begin
  raise exception using
    errcode = 'WG001',
    message = format('a row of %s cannot move to another project', tg_table_name),
    hint = 'Insert a new row in the other project and delete this one.';
end
$$;

create function workgate.set_updated_at() returns trigger
language plpgsql
as $$
begin
  new.updated_at := workgate.present();
  return new;
end
$$;

create function workgate.update_project() returns trigger
language plpgsql
as $$
begin
  new.updated_at := workgate.present();
  new.version := old.version + 1;
  return new;
end
$$;

create function workgate.update_document() returns trigger
language plpgsql
as $$
begin
  new.updated_at := workgate.present();
  new.revision := old.revision + case when new.markdown is distinct from old.markdown then 1 else 0 end;
  return new;
end
$$;

-- Triggers call no SQL function that PostgreSQL cannot inline: it would be parsed and planned again in every statement.
create function workgate.board_of(project uuid, stage uuid) returns uuid
language plpgsql stable
as $$
begin
  return (select s.board_id from workgate.stages s where s.project_id = project and s.id = stage);
end
$$;

create function workgate.fill_task() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  -- The first 100 rows of a transaction get their numbers here, so that "returning number" works. number_tasks()
  -- numbers the rest in one step, because each update of a counter row in the same transaction makes the next one
  -- slower.
  taken integer := coalesce(nullif(current_setting('workgate.numbers_taken', true), ''), '0')::integer;
begin
  if new.board_id is null then
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
    perform set_config('workgate.numbers_taken', (taken + 1)::text, true);
  end if;
  return new;
end
$$;
revoke execute on function workgate.fill_task() from public;

create function workgate.fill_end() returns trigger
language plpgsql
as $$
begin
  if new.state = 'completed' then
    new.completed_at := new.updated_at;
  else
    new.cancelled_at := new.updated_at;
  end if;
  return new;
end
$$;

create function workgate.refuse_large_number() returns trigger
language plpgsql
as $$
begin
  raise exception using
    errcode = 'check_violation',
    message = 'the number and the version of a task must be at most 9000000000000000',
    detail = 'Later tasks and versions need larger ones.';
end
$$;

create function workgate.is_housekeeping() returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(current_setting('workgate.housekeeping', true), '') = 'on'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'workgate.tasks'::regclass);
end
$$;
comment on function workgate.is_housekeeping() is
  'Returns whether a trigger function is updating tasks that need no history entry for it. Other roles can set '
  'workgate.housekeeping, but it has no effect on their own updates.';

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

create function workgate.update_task() returns trigger
language plpgsql
as $$
begin
  new.updated_at := workgate.present();
  if new.state = 'completed' and new.completed_at is null then
    new.completed_at := new.updated_at;
  elsif new.state <> 'completed' and old.state = 'completed' then
    new.completed_at := null;
  end if;
  if new.state = 'cancelled' and new.cancelled_at is null then
    new.cancelled_at := new.updated_at;
  elsif new.state <> 'cancelled' and old.state = 'cancelled' then
    new.cancelled_at := null;
  end if;
  if new.stage_id is distinct from old.stage_id and new.board_id is not distinct from old.board_id
    and new.stage_id is not null then
    new.board_id := workgate.board_of(new.project_id, new.stage_id);
  end if;
  new.number := coalesce(new.number, old.number);
  new.version := old.version + 1;
  return new;
end
$$;

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
revoke execute on function workgate.refuse_parent_cycle() from public;

create function workgate.writing_role() returns text
language sql stable
return case current_setting('role') when 'none' then session_user else current_setting('role') end;
comment on function workgate.writing_role() is
  'The role that is writing. In a security definer function, current_user is the owner of the function instead.';

-- Every session can set workgate.channel and workgate.actor, so who may say what is a matter of privileges. No setting
-- changes session_user.

create function workgate.is_service() returns boolean
language sql stable
as $$ select has_function_privilege(session_user, 'workgate.compact_changes()', 'execute') $$;
comment on function workgate.is_service() is
  'Returns whether the session is that of a role that the service uses: the owner, or one that may maintain its tables.';

create function workgate.write_as(name text, channel text default null) returns void
language plpgsql volatile
as $$
begin
  if channel in ('api', 'import', 'sync', 'system') then
    raise exception using errcode = 'WG013', message = format('only the service can write through channel "%s"', channel);
  end if;
  -- Not by set_config(), which Citus does not pass on to the nodes.
  execute format('set local workgate.actor = %L', jsonb_build_object('name', name));
  execute format('set local workgate.channel = %L', coalesce(channel, ''));
end
$$;
comment on function workgate.write_as(text, text) is
  'Names the person or program for which the transaction writes. What a role says that may not execute this function is '
  'only a claim.';
revoke execute on function workgate.write_as(text, text) from public;

create function workgate.may_name_writers() returns boolean
language sql stable
as $$ select has_function_privilege(session_user, 'workgate.write_as(text, text)', 'execute') $$;

create function workgate.channel() returns text
language plpgsql stable
as $$
declare
  said constant text := nullif(current_setting('workgate.channel', true), '');
begin
  return case
    when said is null then 'sql'
    when workgate.is_service() then said
    when workgate.may_name_writers() and said not in ('api', 'import', 'sync', 'system') then said
    else 'sql'
  end;
end
$$;
comment on function workgate.channel() is
  'The channel of the session: the setting workgate.channel, if the role may set it, or else sql.';

create function workgate.actor() returns jsonb
language plpgsql stable
as $$
declare
  role constant jsonb := jsonb_build_object('role', workgate.writing_role());
  channel constant text := nullif(current_setting('workgate.channel', true), '');
  named constant text := nullif(current_setting('workgate.actor', true), '');
  said jsonb;
begin
  if named is null and channel is null then
    return role;
  end if;
  if named like '{%' then
    begin
      said := named::jsonb;
    exception when invalid_text_representation then
      null; -- Not JSON: a name that starts with a brace.
    end;
  end if;
  said := coalesce(said, jsonb_build_object('name', named));
  if workgate.is_service() then
    return case when named is null then role else said end;
  end if;
  if workgate.may_name_writers() and workgate.channel() = coalesce(channel, 'sql') and not said ?| '{keyId,role,claimed}' then
    return case when named is null then role else said || role end;
  end if;
  return role || jsonb_build_object('claimed', jsonb_strip_nulls(
    jsonb_build_object('channel', channel, 'actor', case when named is not null then said end)));
end
$$;
comment on function workgate.actor() is
  'The writer as JSON: the setting workgate.actor, which is a name or a JSON object, if the role may set it; or else {role}, '
  'and what the session says beside it as {claimed: {channel, actor}}.';

-- Triggers. PostgreSQL fires the triggers of a table and event in alphabetical order.

-- updated_at, version and revision change only if a value of the row changes.

create trigger users_set_updated_at before update on workgate.users
  for each row when (old.* is distinct from new.*) execute function workgate.set_updated_at();
create trigger teams_set_updated_at before update on workgate.teams
  for each row when (old.* is distinct from new.*) execute function workgate.set_updated_at();
create trigger projects_update before update on workgate.projects
  for each row when (old.* is distinct from new.*) execute function workgate.update_project();
create trigger project_members_set_updated_at before update on workgate.project_members
  for each row when (old.* is distinct from new.*) execute function workgate.set_updated_at();
create trigger boards_set_updated_at before update on workgate.boards
  for each row when (old.* is distinct from new.*) execute function workgate.set_updated_at();
create trigger stages_set_updated_at before update on workgate.stages
  for each row when (old.* is distinct from new.*) execute function workgate.set_updated_at();
create trigger comments_set_updated_at before update on workgate.comments
  for each row when (old.* is distinct from new.*) execute function workgate.set_updated_at();

-- In tables with generated columns, compare named columns: generated values of the new row are not computed yet.
create trigger time_entries_set_updated_at before update on workgate.time_entries
  for each row when (
    (old.id, old.task_id, old.user_id, old.description, old.spent_on, old.started_at, old.ended_at, old.billable, old.created_at)
    is distinct from
    (new.id, new.task_id, new.user_id, new.description, new.spent_on, new.started_at, new.ended_at, new.billable, new.created_at)
  ) execute function workgate.set_updated_at();
create trigger documents_update before update on workgate.documents
  for each row when (
    (old.id, old.path, old.title, old.task_id, old.author_id, old.markdown, old.created_at)
    is distinct from
    (new.id, new.path, new.title, new.task_id, new.author_id, new.markdown, new.created_at)
  ) execute function workgate.update_document();

create trigger tasks_fill before insert on workgate.tasks
  for each row when (new.number is null or (new.board_id is null and new.stage_id is not null))
  execute function workgate.fill_task();
create trigger tasks_fill_end before insert on workgate.tasks
  for each row when (
    (new.state = 'completed' and new.completed_at is null) or (new.state = 'cancelled' and new.cancelled_at is null)
  ) execute function workgate.fill_end();
-- Numbers and versions that the database assigns may be larger, so this comes before tasks_fill.
create trigger tasks_bound_on_insert before insert on workgate.tasks
  for each row when (new.number > 9000000000000000 or new.version > 9000000000000000)
  execute function workgate.refuse_large_number();
create trigger tasks_bound_on_update before update of number on workgate.tasks
  for each row when (old.number <> new.number and new.number > 9000000000000000)
  execute function workgate.refuse_large_number();
create trigger tasks_update before update on workgate.tasks
  for each row when (old.number is not null and old.* is distinct from new.*) execute function workgate.update_task();

-- After the statement: on the way, an update of several rows may have a cycle that its result has not.
create trigger tasks_refuse_parent_cycle after insert or update of parent_id on workgate.tasks
  for each row when (new.parent_id is not null) execute function workgate.refuse_parent_cycle();

-- A row cannot move to another project.
create trigger project_members_refuse_project_change before update of project_id on workgate.project_members
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger project_teams_refuse_project_change before update of project_id on workgate.project_teams
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger boards_refuse_project_change before update of project_id on workgate.boards
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger stages_refuse_project_change before update of project_id on workgate.stages
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger tasks_refuse_project_change before update of project_id on workgate.tasks
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger tags_refuse_project_change before update of project_id on workgate.tags
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger task_tags_refuse_project_change before update of project_id on workgate.task_tags
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger task_watchers_refuse_project_change before update of project_id on workgate.task_watchers
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger comments_refuse_project_change before update of project_id on workgate.comments
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger comment_files_refuse_project_change before update of project_id on workgate.comment_files
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger time_entries_refuse_project_change before update of project_id on workgate.time_entries
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger documents_refuse_project_change before update of project_id on workgate.documents
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
create trigger task_history_refuse_project_change before update of project_id on workgate.task_history
  for each row when (old.project_id <> new.project_id) execute function workgate.refuse_project_change();
