-- Rows that arrive by logical replication count like any other channel's. There (session_replication_role = replica) none
-- of the triggers of before fires, and nothing is cascaded. Only row-level triggers that are enabled for it do, and of
-- statements those of truncate. What the source says stays; what it does not say is filled in.

create function workgate.is_replica() returns boolean
language sql stable
return current_setting('session_replication_role') = 'replica';
comment on function workgate.is_replica() is
  'Asked by each trigger for replication: "enable trigger user" makes it one for everybody.';

-- Freshness

create function workgate.note(scope uuid) returns void
language plpgsql
as $$
begin
  if not workgate.is_noted(scope) then
    insert into workgate.changes values (scope, pg_current_xact_id());
    perform workgate.with_noted(scope::text);
  end if;
end
$$;

-- Of what comes there is no old row, and of what goes no new one: their fields are null.

create function workgate.note_row() returns trigger
language plpgsql
as $$
begin
  perform workgate.note(coalesce(new.project_id, old.project_id));
  if new.project_id <> old.project_id then
    perform workgate.note(old.project_id);
  end if;
  return null;
end
$$;

create function workgate.note_project() returns trigger
language plpgsql
as $$
begin
  perform workgate.note(coalesce(new.id, old.id));
  if new.id <> old.id then
    perform workgate.note(old.id);
  end if;
  return null;
end
$$;

do $do$
declare
  shown text[];
begin
  foreach shown slice 1 in array array[
    ['projects', 'note_project'],
    ['project_members', 'note_row'], ['project_teams', 'note_row'],
    ['boards', 'note_row'], ['stages', 'note_row'],
    ['tasks', 'note_row'], ['tags', 'note_row'], ['task_tags', 'note_row'], ['task_watchers', 'note_row'],
    ['task_history', 'note_row'],
    ['comments', 'note_row'], ['comment_files', 'note_row'],
    ['time_entries', 'note_row'], ['documents', 'note_row'],
    ['users', 'note_directory'], ['teams', 'note_directory'], ['team_members', 'note_directory'],
    ['api_keys', 'note_directory']
  ] loop
    execute replace(replace($text$
create trigger {{table}}_note_replicated after insert or update or delete on workgate.{{table}}
  for each row when (workgate.is_replica()) execute function workgate.{{note}}();
$text$, '{{table}}', shown[1]), '{{note}}', shown[2]);
  end loop;
end
$do$;

-- Tallies. Tables arrive in any order at first, so rows may be here before their project: they are counted all the same,
-- and what goes is subtracted whether its project is there or not.

do $do$
declare
  counted text;
begin
  foreach counted in array array['tasks', 'task_history', 'time_entries', 'comments', 'documents', 'project_members'] loop
    execute replace($text$
create function workgate.tally_row_of_{{table}}() returns trigger
language plpgsql
as $$
begin
  insert into workgate.tally_deltas (project_id, kind, at, key, part, n, seconds)
  select m.project_id, m.kind, m.at, m.key, m.part, sum(m.n), sum(m.seconds)
  from (
    select new.project_id, c.kind, c.at, c.key, c.part, c.n, c.seconds
    from workgate.tallies_of_{{table}}(new) c
    where tg_op <> 'DELETE'
    union all
    select old.project_id, c.kind, c.at, c.key, c.part, -c.n, -c.seconds
    from workgate.tallies_of_{{table}}(old) c
    where tg_op <> 'INSERT'
  ) m
  group by m.project_id, m.kind, m.at, m.key, m.part
  having sum(m.n) <> 0 or sum(m.seconds) <> 0;
  -- Seldom: what one transaction has folded stays in its way until it ends.
  if random() < 0.002 then
    perform workgate.fold_tallies(coalesce(new.project_id, old.project_id), 1000);
  end if;
  return null;
end
$$;

create trigger {{table}}_tally_replicated after insert or update or delete on workgate.{{table}}
  for each row when (workgate.is_replica()) execute function workgate.tally_row_of_{{table}}();
$text$, '{{table}}', counted);
  end loop;
end
$do$;

create function workgate.mark_effort_of_task() returns trigger
language plpgsql
as $$
begin
  -- One that comes may find its time entries here.
  if coalesce(new.estimate_seconds, old.estimate_seconds) is not null
    and (new.project_id, new.id, new.estimate_seconds is null, new.completed_at)
      is distinct from (old.project_id, old.id, old.estimate_seconds is null, old.completed_at) then
    insert into workgate.effort_marks (project_id, task_id)
    select r.project_id, r.id
    from (values (new.project_id, new.id, new.estimate_seconds), (old.project_id, old.id, old.estimate_seconds))
      as r (project_id, id, estimate_seconds)
    where r.id is not null
    group by r.project_id, r.id
    having count(r.estimate_seconds) > 0;
  end if;
  return null;
end
$$;

create function workgate.mark_effort_of_time_entry() returns trigger
language plpgsql
as $$
begin
  if (new.project_id, new.task_id, new.duration_seconds)
    is distinct from (old.project_id, old.task_id, old.duration_seconds) then
    insert into workgate.effort_marks (project_id, task_id)
    select distinct r.project_id, r.task_id
    from (values (new.project_id, new.task_id), (old.project_id, old.task_id)) as r (project_id, task_id)
    where r.task_id is not null;
  end if;
  return null;
end
$$;

create trigger tasks_mark_effort_replicated after insert or update or delete on workgate.tasks
  for each row when (workgate.is_replica()) execute function workgate.mark_effort_of_task();
create trigger time_entries_mark_effort_replicated after insert or update or delete on workgate.time_entries
  for each row when (workgate.is_replica()) execute function workgate.mark_effort_of_time_entry();

-- What nobody replicates goes with what it belongs to.

create function workgate.forget_project() returns trigger
language plpgsql
as $$
begin
  delete from workgate.task_counters where project_id = old.id;
  -- Otherwise its rows go now or later, each with its tallies, and whoever folds finds that nothing is left.
  if not workgate.has_rows(old.id) then
    perform workgate.fold_lock(old.id);
    perform workgate.drop_tallies(old.id);
  end if;
  return null;
end
$$;

create function workgate.forget_key_use() returns trigger
language plpgsql
as $$
begin
  delete from workgate.api_key_uses where key_id = old.id;
  return null;
end
$$;

create trigger projects_forget_replicated after delete on workgate.projects
  for each row when (workgate.is_replica()) execute function workgate.forget_project();
create trigger api_keys_forget_replicated after delete on workgate.api_keys
  for each row when (workgate.is_replica()) execute function workgate.forget_key_use();

-- Tasks: history, numbers, versions

create function workgate.record_replicated_task() returns trigger
language plpgsql
as $$
begin
  -- The source's own history may be here before, or come later.
  if tg_op = 'INSERT' then
    insert into workgate.task_history (project_id, task_id, version, channel, actor, changes)
    values (new.project_id, new.id, new.version, workgate.channel(), workgate.actor(),
      jsonb_build_object('state', jsonb_build_object('from', null, 'to', new.state)))
    on conflict do nothing;
  elsif tg_op = 'UPDATE' and new.version <> old.version then
    insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes)
    values (new.project_id, new.id, new.version, new.updated_at, workgate.channel(), workgate.actor(),
      workgate.task_changes(old, new))
    on conflict do nothing;
  elsif tg_op = 'DELETE' then
    delete from workgate.task_history where project_id = old.project_id and task_id = old.id;
  end if;
  return null;
end
$$;

create function workgate.replace_history() returns trigger
language plpgsql
as $$
begin
  insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes)
  values (new.project_id, new.task_id, new.version, new.at, new.channel, new.actor, new.changes)
  on conflict (project_id, task_id, version)
  do update set at = excluded.at, channel = excluded.channel, actor = excluded.actor, changes = excluded.changes;
  return null;
end
$$;

create trigger tasks_record_replicated after insert or update or delete on workgate.tasks
  for each row when (workgate.is_replica()) execute function workgate.record_replicated_task();
-- Depth 0 is what the source sends, and more what is recorded here.
create trigger task_history_replicated before insert on workgate.task_history
  for each row when (workgate.is_replica() and pg_trigger_depth() = 0) execute function workgate.replace_history();

create function workgate.number_after_all(project uuid) returns bigint
language plpgsql volatile
-- Planned while the table was empty, the last number would be looked for by sorting them all.
set enable_sort = off
as $$
declare
  counted bigint;
begin
  -- Locked and not updated: a counter that one transaction updates a million times gets slower with each.
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
  -- Beyond the rows that fill_task() numbers.
  new.number := workgate.number_after_all(new.project_id);
  return new;
end
$$;

-- A row without a number got one here, and the source may give the same to another: Workgate numbers the rows of a large
-- statement after they have come, in another order. What the source says stays; the other one gets its own later.
create function workgate.free_number() returns trigger
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
    set number = workgate.number_after_all(new.project_id)
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

create function workgate.count_version() returns trigger
language plpgsql
as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;

create function workgate.count_revision() returns trigger
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
  execute function workgate.free_number();
create trigger tasks_2_fill_replicated before insert or update on workgate.tasks
  for each row when (workgate.is_replica()) execute function workgate.fill_replicated_task();

-- What is counted and dated by triggers where it is written, unless the source has done it. That a task gets its number is
-- no change of it.
do $do$
declare
  kept text[];
  of_a_task constant text := 'id, title, description, state, priority, board_id, stage_id, parent_id, assignee_id, creator_id, '
    'start_date, due_date, estimate_seconds, completed_at, cancelled_at, created_at';
begin
  foreach kept slice 1 in array array[
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
      '{{table}}', kept[1]),
      '{{column}}', kept[2]),
      '{{old}}', regexp_replace(kept[3], '(\w+|\*)', 'old.\1', 'g')),
      '{{new}}', regexp_replace(kept[3], '(\w+|\*)', 'new.\1', 'g')),
      '{{function}}', case kept[2] when 'updated_at' then 'mark_updated' else 'count_' || kept[2] end);
  end loop;
end
$do$;

-- In force for whom is decided by names, so that it can be put right. "disable trigger user", and after it "enable trigger user",
-- leave all triggers in force for everybody but replication.

create function workgate.wrong_triggers() returns table (name text, on_table regclass, enable text)
language sql stable
as $$
  select t.tgname, t.tgrelid::regclass, w.enable
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  cross join lateral (
    select case
      when t.tgname like '%\_replicated' then 'replica'
      when t.tgname like any (array['%\_note\_truncated', '%\_clear\_tallies']) or t.tgname = 'tasks_fill' then 'always'
      else ''
    end as enable
  ) w
  where c.relnamespace = 'workgate'::regnamespace
    and not t.tgisinternal
    and t.tgenabled <> case w.enable when 'replica' then 'R' when 'always' then 'A' else 'O' end
  order by t.tgrelid::regclass::text, t.tgname
$$;
comment on function workgate.wrong_triggers() is 'Triggers that are switched off, or in force for others than they should be.';

create function workgate.enable_triggers() returns void
language plpgsql volatile
as $$
declare
  wrong record;
begin
  for wrong in select * from workgate.wrong_triggers() loop
    execute format('alter table %s enable %s trigger %I', wrong.on_table, wrong.enable, wrong.name);
  end loop;
end
$$;
comment on function workgate.enable_triggers() is
  'Puts all triggers in force for whom they should be. What was changed meanwhile is not made up for: see touch() and recount().';

select workgate.enable_triggers();
