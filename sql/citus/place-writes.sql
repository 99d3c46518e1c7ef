-- Runs on every node, in workgate distribute: what writes in places need, and what statements about the node do in places.

create or replace function workgate_places.hold(place bigint) returns void
language plpgsql volatile
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('workgate.held_place', true) = place::text then
    return;
  end if;
  -- The lock that writes through Citus take. A move waits for the end of this transaction before it ends.
  perform lock_shard_metadata(5, array[place]);
  if not workgate_places.is_here(place) then
    raise exception using
      errcode = 'WG011',
      message = format('shard %s is not on this node any more', place),
      hint = 'Repeat the statement on the coordinator.';
  elsif workgate_places.ready_places(array[place]) = '{}' then
    raise exception using
      errcode = 'WG012',
      message = format('shard %s has just come to this node, and has no triggers yet', place),
      hint = 'A running service creates them within a second. Without one, run "workgate distribute".';
  end if;
  perform set_config('workgate.held_place', place::text, true);
end
$$;
comment on function workgate_places.hold(bigint) is 'Keeps a settled place on this node until the end of the transaction.';

create or replace function workgate_places.refuse_replica() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  shard constant bigint := substring(tg_table_name from '\d+$');
begin
  -- A shard that is still being copied to this node is not here yet: Citus writes it as a replica.
  if workgate.applies_replicated_rows() and (shard is null or workgate_places.is_here(shard)) then
    raise exception using
      errcode = 'WG013',
      message = 'a session with session_replication_role = replica cannot write to a database that Citus distributes',
      hint = 'Write in an ordinary session. Triggers then record the changes.';
  end if;
  return null;
end
$$;
comment on function workgate_places.refuse_replica() is 'Refuses writes that no other trigger would notice.';

create or replace function workgate_places.hold_place() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform workgate_places.hold(coalesce(
    (select s.place from workgate_places.shards s where s.id = tg_relid),
    -- The shard is not known yet: its place is not settled.
    (
      select t.shardid
      from pg_dist_shard s
      join pg_dist_shard t on t.logicalrelid = 'workgate.tasks'::regclass and t.shardminvalue = s.shardminvalue
      where s.shardid = substring(tg_table_name from '\d+$')::bigint
    )));
  return null;
end
$$;
comment on function workgate_places.hold_place() is
  'Refuses writes to a shard that has no triggers yet, or has left. Citus creates this trigger on every shard.';

create or replace function workgate_places.hold_places() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Deletes nothing, but executes hold_place() on every shard.
  execute format('delete from %s where current_setting(''workgate.held_place'', true) = ''none''', tg_relid::regclass);
  return null;
end
$$;
comment on function workgate_places.hold_places() is 'Does for truncate what hold_place() does for other writes.';

-- In place of functions of workgate, in triggers on the copies of reference tables.

create or replace function workgate_places.present_everywhere() returns timestamptz
language sql volatile
as $$
  select coalesce(
    (select date_trunc('milliseconds', t.transaction_stamp) from get_current_transaction_id() t where t.transaction_number <> 0),
    workgate.present())
$$;
comment on function workgate_places.present_everywhere() is 'The same on every node in a transaction over several nodes.';

create or replace function workgate_places.is_committed(transaction xid) returns boolean
language plpgsql volatile
as $$
declare
  now constant bigint := pg_current_xact_id()::text;
begin
  -- Numbers of transactions begin again after 32 bits.
  return transaction <> 0
    and pg_xact_status((now - ((now - transaction::text::bigint) & 4294967295))::text::xid8) = 'committed';
end
$$;

create or replace function workgate_places.is_project_here(project uuid) returns boolean
language plpgsql volatile
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  place constant bigint := workgate_places.place_of(project);
begin
  -- A move is committed on each node by itself. The lock waits until it is, or neither node would record the change.
  perform lock_shard_metadata(5, array[place]);
  if exists (select from pg_dist_placement p where p.shardid = place and workgate_places.is_committed(p.xmax)) then
    -- The transaction keeps a snapshot that shows the place where it was.
    raise exception using
      errcode = '40001',
      message = 'the project has moved to another node since the transaction began',
      hint = 'Repeat the transaction.';
  end if;
  if not workgate_places.is_here(place) then
    return false;
  end if;
  perform workgate_places.hold(place);
  return true;
end
$$;

create or replace function workgate_places.delete_tallies(project uuid) returns void
language plpgsql
as $$
begin
  if workgate_places.is_project_here(project) then
    execute format('select workgate_place_%s.delete_tallies($1)', workgate_places.place_of(project)) using project;
  end if;
end
$$;

create or replace function workgate_places.task_with_number(project uuid, number bigint) returns uuid
language plpgsql stable
as $$
declare
  place constant bigint := workgate_places.place_of(project);
  task uuid;
begin
  if workgate_places.ready_places(array[place]) <> '{}' then
    execute format('select workgate_place_%s.task_with_number($1, $2)', place) into task using project, number;
  end if;
  return task;
end
$$;

-- In place of a function of workgate in places: the projects can be on other nodes, so this asks Citus.
create or replace function workgate_places.is_member(candidate uuid, projects uuid[]) returns boolean
-- Not a function that PostgreSQL would inline, after Citus has planned the statement.
language plpgsql stable
as $$
begin
  -- With a column: Citus fails at a subquery without any.
  return exists (select 1 from workgate.project_members m where m.project_id = any (projects) and m.user_id = candidate);
end
$$;

-- Citus computes defaults on the coordinator, which has other transaction ids.
create or replace function workgate_places.set_transaction() returns trigger
language plpgsql
as $$
begin
  new.xid := pg_current_xact_id();
  return new;
end
$$;

-- The statement that creates a project inserts into a view of the projects of the place.
create or replace function workgate_places.create_project() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into workgate.projects (id, key, name, description, status, owner_id, start_date, due_date, created_at, updated_at, version)
  values (
    new.id, new.key, new.name, new.description, new.status, new.owner_id, new.start_date, new.due_date, new.created_at,
    new.updated_at, new.version)
  -- There is none with this id. But Citus runs such inserts one after the other; otherwise two nodes that take the same key
  -- would each wait for the other one.
  on conflict (id) do nothing;
  perform workgate.add_to_creating_key(array[new.id]);
  return new;
end
$$;

create or replace function workgate_places.new_project_id(place bigint) returns uuid
language plpgsql volatile
as $$
declare
  id uuid;
begin
  loop
    id := workgate.new_id();
    if workgate_places.place_of(id) = place then
      return id;
    end if;
  end loop;
end
$$;
