-- workgate distribute, on the coordinator, in one transaction: distributes the tables, with what is in them. Their triggers
-- are kept in workgate_places.triggers, and created on the shards later. Until then, hold_place() refuses writes.
do $$
declare
  -- In the order of their foreign keys.
  reference_tables constant text[] := '{users,user_aliases,teams,team_members,api_keys,api_key_uses,cursor_secrets,imports,import_changes,projects,fields}';
  project_tables constant text[] := array(
    select c.relname
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'workgate'::regnamespace
      and c.relkind = 'r'
      and a.attname = 'project_id'
      and c.relname <> all (reference_tables)
    order by c.relname <> 'tasks', c.relname);
  foreign_keys constant text[] := array(
    select format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid))
    from pg_constraint k
    where k.contype = 'f'
      and k.connamespace = 'workgate'::regnamespace);
  name text;
  statement text;
begin
  set local client_min_messages = warning;
  -- The settings workgate.actor and workgate.channel of a transaction reach the nodes, and a transaction can change several
  -- tables and then delete a project.
  execute format('alter database %I set citus.propagate_set_commands = local', current_database());
  execute format('alter database %I set citus.multi_shard_modify_mode = sequential', current_database());
  -- Citus demands these for foreign keys between reference and distributed tables, and for triggers on its tables.
  set local citus.multi_shard_modify_mode = 'sequential';
  set local citus.enable_unsafe_triggers = on;
  set local citus.enable_ddl_propagation = on;

  insert into workgate_places.triggers (table_name, name, definition)
  select c.relname, t.tgname, pg_get_triggerdef(t.oid)
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'workgate'::regnamespace
    and c.relname = any (project_tables || reference_tables)
    and not t.tgisinternal
    -- For logical replication into Workgate, which Citus does not support.
    and t.tgname not like '%\_replicated';

  for statement in
    select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'workgate'::regnamespace
      and c.relname = any (project_tables || reference_tables)
      and not t.tgisinternal
    union all
    select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname)
    from pg_constraint k
    where k.contype = 'f'
      and k.connamespace = 'workgate'::regnamespace
  loop
    execute statement;
  end loop;

  foreach name in array reference_tables loop
    perform create_reference_table(format('workgate.%I', name));
  end loop;
  -- The projects of a place are those in a range of hashes.
  create index projects_by_hash on workgate.projects (uuid_hash(id));
  foreach name in array project_tables loop
    -- A move copies shards by logical replication, for which rows need an identity.
    if not exists (select from pg_index where indrelid = format('workgate.%I', name)::regclass and indisprimary) then
      execute format('alter table workgate.%I replica identity full', name);
    end if;
    perform create_distributed_table(
      format('workgate.%I', name), 'project_id',
      colocate_with => case name when 'tasks' then 'none' else 'workgate.tasks' end,
      shard_count => case name when 'tasks' then current_setting('workgate.shards')::integer end);
    execute format(
      'create trigger "0_hold_place" before insert or update or delete on workgate.%I '
        'for each statement execute function workgate_places.hold_place()',
      name);
  end loop;
  -- The rows that were copied remain in the tables on the coordinator, where Citus does not show them.
  foreach name in array reference_tables || project_tables loop
    perform truncate_local_data_after_distributing_table(format('workgate.%I', name));
  end loop;
  -- Citus creates triggers before truncate only on shards that have moved.
  foreach name in array project_tables loop
    execute format(
      'create trigger "0_hold_places" before truncate on workgate.%I '
        'for each statement execute function workgate_places.hold_places()',
      name);
  end loop;
  foreach name in array reference_tables || project_tables loop
    execute format(
      'create trigger "0_refuse_replicated" before insert or update or delete on workgate.%I '
        'for each statement execute function workgate_places.refuse_replica()',
      name);
    execute format(
      'create trigger "0_refuse_truncate_replicated" before truncate on workgate.%I '
        'for each statement execute function workgate_places.refuse_replica()',
      name);
    execute format('alter table workgate.%I enable replica trigger "0_refuse_replicated"', name);
    execute format('alter table workgate.%I enable replica trigger "0_refuse_truncate_replicated"', name);
  end loop;
  foreach statement in array foreign_keys loop
    execute statement;
  end loop;
  -- Citus keeps functions on all nodes that are created after the tables whose rows they take. When it synchronizes the
  -- metadata of a node, it drops the tables there, and with them all other functions that take their rows.
  for statement in
    select pg_get_functiondef(p.oid)
    from pg_proc p
    where p.pronamespace = 'workgate'::regnamespace
      and p.prokind = 'f'
      and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  loop
    execute statement;
  end loop;
end
$$;
