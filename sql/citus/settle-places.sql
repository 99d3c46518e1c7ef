-- Runs on every node, in workgate distribute: the functions that create places.

create or replace function workgate_places.tables(is_reference boolean) returns setof text
language sql stable
as $$
  select c.relname
  from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid
  where c.relnamespace = 'workgate'::regnamespace
    and (p.partmethod = 'n') = is_reference
$$;

create or replace function workgate_places.copied_functions(place bigint) returns setof text
language sql stable
as $$
  with recursive uses as materialized (
    select distinct p.proname as name, u.used[1] as used
    from pg_proc p
    cross join regexp_matches(pg_get_functiondef(p.oid), '\mworkgate\.(\w+)', 'g') u (used)
    where p.pronamespace = 'workgate'::regnamespace
      and p.prokind = 'f'
  ),
  copied as (
    select substring(t.definition from 'EXECUTE FUNCTION workgate\.(\w+)') as name
    from workgate_places.triggers t
    where t.table_name in (select workgate_places.tables(place = 0))
    union
    select u.name
    from uses u
    where place <> 0
      and u.used in (select workgate_places.tables(false))
    union
    select u.name
    from uses u
    join copied c on c.name = u.used
  )
  select name from copied
$$;
comment on function workgate_places.copied_functions(bigint) is
  'The functions that the triggers of the place execute, and those that concern tables of projects, directly or through others.';

create or replace function workgate_places.names_in(place bigint) returns jsonb
language sql stable
as $$
  select
    (select jsonb_object_agg(t, workgate_places.shard_of(t, place)::text) from workgate_places.tables(true) t)
    || (select jsonb_object_agg(f, format('workgate_place_%s.%s', place, f)) from workgate_places.copied_functions(place) f)
    || case place
      when 0 then
        '{"present": "workgate_places.present_everywhere", "is_here": "workgate_places.is_project_here",
          "delete_tallies": "workgate_places.delete_tallies", "task_with_number": "workgate_places.task_with_number",
          "places_here": "workgate_places.ready_places", "is_in_doubt": "workgate_places.is_in_doubt"}'
      else
        (select jsonb_object_agg(t, workgate_places.shard_of(t, place)::text) from workgate_places.tables(false) t)
        || jsonb_build_object(
          'projects_here', format('workgate_place_%s.projects_here', place),
          'is_member', 'workgate_places.is_member')
    end
$$;

create or replace function workgate_places.create_projects_here(place bigint) returns void
language plpgsql volatile
as $$
declare
  name constant text := format('workgate_place_%s.projects_here', place);
  c record;
begin
  -- Citus distributes by this hash, and workgate distribute has created an index of it.
  execute format(
    'create view %s as select * from %s where uuid_hash(id) between %s and %s',
    name, workgate_places.shard_of('projects', place), s.shardminvalue, s.shardmaxvalue)
  from pg_dist_shard s
  where s.shardid = place;
  for c in
    select a.attname, pg_get_expr(d.adbin, d.adrelid) as value
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where d.adrelid = 'workgate.projects'::regclass
  loop
    execute format(
      'alter view %s alter %I set default %s',
      name, c.attname, case c.attname when 'id' then format('workgate_places.new_project_id(%s)', place) else c.value end);
  end loop;
  execute format(
    'create trigger projects_create instead of insert on %s for each row execute function workgate_places.create_project()', name);
end
$$;

create or replace function workgate_places.copy_privileges(place bigint) returns void
language plpgsql volatile
set citus.enable_manual_changes_to_shards = on
as $$
declare
  place_schema constant text := format('workgate_place_%s', place);
  statement text;
begin
  for statement in
    select format(g.granted, place_schema) || a.grantee::regrole
    from pg_namespace n
    cross join aclexplode(n.nspacl) a
    cross join (values ('grant usage on schema %I, workgate_places to '), ('grant select on workgate_places.places to ')) as g (granted)
    where n.nspname = 'workgate'
      and a.privilege_type = 'USAGE'
      and a.grantee <> 0
    union all
    select format('grant %s on %I.projects_here to %s', a.privilege_type, place_schema, a.grantee::regrole)
    from pg_class c
    cross join aclexplode(c.relacl) a
    where c.oid = 'workgate.projects_here'::regclass
      and a.privilege_type in ('SELECT', 'INSERT')
      and a.grantee not in (0, c.relowner)
      and place <> 0
    union all
    select format(s.granted, t.shard, a.grantee::regrole, a.privilege_type, a.attname)
    from (
      select workgate_places.shard_of(t, place) as shard, format('workgate.%I', t)::regclass as id
      from workgate_places.tables(place = 0) t
    ) t
    cross join lateral (
      select a.grantee, a.privilege_type, null as attname
      from pg_class c
      cross join aclexplode(c.relacl) a
      where c.oid = t.id
        and a.grantee <> c.relowner
      union all
      select a.grantee, a.privilege_type, b.attname
      from pg_attribute b
      cross join aclexplode(b.attacl) a
      where b.attrelid = t.id
    ) a
    cross join lateral (
      select case when a.attname is null then 'grant %3$s on %1$s to %2$s' else 'grant %3$s (%4$I) on %1$s to %2$s' end as granted
    ) s
    where a.grantee <> 0
    union all
    select format('revoke execute on function %s from public', copy.oid::regprocedure)
    from pg_proc p
    join pg_proc copy on copy.proname = p.proname and copy.pronamespace = to_regnamespace(place_schema)
    where p.pronamespace = 'workgate'::regnamespace
      and not has_function_privilege('public', p.oid, 'execute')
    union all
    select format('grant execute on function %s to %s', copy.oid::regprocedure, a.grantee::regrole)
    from pg_proc p
    cross join aclexplode(p.proacl) a
    join pg_proc copy on copy.proname = p.proname and copy.pronamespace = to_regnamespace(place_schema)
    where p.pronamespace = 'workgate'::regnamespace
      and a.grantee not in (0, p.proowner)
  loop
    execute statement;
  end loop;
end
$$;
comment on function workgate_places.copy_privileges(bigint) is
  'Gives roles the same privileges in a place as on the tables and functions of workgate.';

create or replace function workgate_places.create_place(place bigint) returns void
language plpgsql volatile
as $$
declare
  names constant jsonb := workgate_places.names_in(place);
  definition text;
begin
  execute format('drop schema if exists workgate_place_%s cascade', place);
  execute format('create schema workgate_place_%s', place);
  if place <> 0 then
    perform workgate_places.create_projects_here(place);
  end if;
  for definition in
    select pg_get_functiondef(p.oid)
    from pg_proc p
    where p.pronamespace = 'workgate'::regnamespace
      and names ->> p.proname = format('workgate_place_%s.%s', place, p.proname)
    order by p.oid
  loop
    execute workgate_places.renamed(definition, names);
  end loop;
  for definition in
    select t.definition
    from workgate_places.triggers t
    where t.table_name in (select workgate_places.tables(place = 0))
      -- A project that is created is added on every node, but to the key only once.
      and t.name <> 'projects_add_to_creating_key'
  loop
    execute workgate_places.renamed(regexp_replace(definition, '^CREATE TRIGGER', 'CREATE OR REPLACE TRIGGER'), names);
  end loop;
  if place <> 0 then
    execute format(
      'create or replace trigger comments_set_transaction before insert on %s for each row execute function workgate_places.set_transaction()',
      workgate_places.shard_of('comments', place));
  end if;
  insert into workgate_places.shards (id, place)
  select workgate_places.shard_of(t, place), place
  from workgate_places.tables(place = 0) t;
  insert into workgate_places.places (place, relation, names)
  values (place, workgate_places.shard_of(case place when 0 then 'projects' else 'tasks' end, place), names);
  perform workgate_places.copy_privileges(place);
  -- The versions that this node gave to its projects earlier do not tell of changes that were made elsewhere.
  perform workgate.mark_scope('00000000-0000-0000-0000-000000000000');
end
$$;

create or replace function workgate_places.settle() returns setof bigint
language plpgsql volatile
security definer set search_path = pg_catalog, pg_temp
set check_function_bodies = off
set client_min_messages = warning
set citus.enable_ddl_propagation = off
set citus.enable_manual_changes_to_shards = on
as $$
declare
  one bigint;
begin
  perform pg_advisory_xact_lock(1465336408);
  -- Of shards that have left. Their tables may still exist.
  for one in
    select p.place
    from workgate_places.places p
    where workgate_places.ready_places(array[p.place]) = '{}'
  loop
    execute format('drop schema if exists workgate_place_%s cascade', one);
    delete from workgate_places.shards s where s.place = one;
    delete from workgate_places.places p where p.place = one;
  end loop;
  for one in
    select 0
    where workgate_places.shard_of('projects', 0) is not null
    union all
    select s.shardid
    from pg_dist_shard s
    where s.logicalrelid = 'workgate.tasks'::regclass
      and workgate_places.is_here(s.shardid)
    except
    select p.place
    from workgate_places.places p
    order by 1
  loop
    perform workgate_places.create_place(one);
    return next one;
  end loop;
end
$$;
comment on function workgate_places.settle() is
  'Creates what is missing in the places on this node, removes what is left of others, and returns the places that are new.';
