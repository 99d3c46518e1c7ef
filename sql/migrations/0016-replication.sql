-- Logical replication into Workgate. The subscriber applies rows with session_replication_role = replica: ordinary
-- triggers do not fire, and foreign keys do not cascade. Only triggers that are enabled for replicas fire: row-level
-- triggers, and statement-level triggers on truncate. The triggers in this file do the work of the ordinary ones for
-- replicated rows. They keep values from the source and fill in missing ones.

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
  for each row when (workgate.applies_replicated_rows() and pg_trigger_depth() = 0) execute function workgate.replace_history_entry();

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
      when t.tgname like any (array['%\_on\_truncate', '%\_maintain']) or t.tgname in ('tasks_fill', 'tasks_update', 'files_fill') then 'always'
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
