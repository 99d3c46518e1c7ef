-- Runs on every node of a Citus cluster, in workgate distribute: creates what a node needs to serve its projects.
--
-- Citus stores the projects of one hash range in one shard of each table, all of them on the same node. Such a group of
-- shards is a place. For each place of a node, settle() creates a schema with copies of the functions, and triggers on the
-- shards, in which the names of tables are those of the shards: statements in a place run as in a PostgreSQL of its own.
-- The node is a place, too, with the number 0: that of its copies of reference tables.

create schema if not exists workgate_places;
comment on schema workgate_places is 'The places of a node of a Citus cluster: groups of shards with the same projects.';

create table if not exists workgate_places.triggers (
  table_name  text not null,
  name        text not null,
  definition  text not null,
  constraint triggers_pkey primary key (table_name, name)
);
comment on table workgate_places.triggers is 'The triggers of the tables in workgate, to be created on their shards.';

create table if not exists workgate_places.places (
  place     bigint not null,
  relation  oid not null,
  names     jsonb not null,
  constraint places_pkey primary key (place)
);
comment on table workgate_places.places is 'The places on this node that are settled.';
comment on column workgate_places.places.place is 'The shard of the table tasks; 0 for the node.';
comment on column workgate_places.places.relation is
  'One of its tables. If the place has moved away and come back, it is another one, and the place is not settled.';
comment on column workgate_places.places.names is
  'The names of tables and functions in the place, by their names in workgate.';

create table if not exists workgate_places.shards (
  id     oid not null,
  place  bigint not null,
  constraint shards_pkey primary key (id)
);
comment on table workgate_places.shards is 'The tables of settled places.';

create or replace function workgate_places.renamed(definition text, names jsonb) returns text
language sql immutable
as $$
  select string_agg(
    case n when 1 then part else coalesce(names ->> name, 'workgate.' || name) || substr(part, length(name) + 1) end, '' order by n)
  from regexp_split_to_table(definition, '\mworkgate\.(?=\w)') with ordinality as p (part, n)
  cross join substring(part from '^\w+') as name
$$;
comment on function workgate_places.renamed(text, jsonb) is
  'A statement about tables and functions of workgate, as it is in a place with these names.';

-- Freshness checks and writes call this and ready_places(). PL/pgSQL keeps their plans, SQL would not.
create or replace function workgate_places.is_here(place bigint) returns boolean
language plpgsql stable
as $$
begin
  return place = 0 or exists (
    select
    from pg_dist_placement p
    where p.shardid = place
      and p.groupid = (select l.groupid from pg_dist_local_group l));
end
$$;

create or replace function workgate_places.shard_of(table_name text, place bigint) returns regclass
language sql stable
as $$
  select to_regclass(format('workgate.%s_%s', table_name, s.shardid))
  from pg_dist_shard s
  where s.logicalrelid = format('workgate.%s', table_name)::regclass
    and (s.shardminvalue is null or s.shardminvalue = (select t.shardminvalue from pg_dist_shard t where t.shardid = place))
$$;
comment on function workgate_places.shard_of(text, bigint) is 'The shard of a table in a place, or the copy of a reference table.';

create or replace function workgate_places.ready_places(places bigint[]) returns bigint[]
language plpgsql stable
as $$
begin
  return array(
    select p.place
    from workgate_places.places p
    where p.place = any (places)
      -- Citus hides shards in pg_class.
      and pg_relation_filenode(p.relation) is not null
      and workgate_places.is_here(p.place));
end
$$;
comment on function workgate_places.ready_places(bigint[]) is 'The places among these that are settled and on this node.';

create or replace function workgate_places.place_of(project uuid) returns bigint
language sql stable
as $$ select get_shard_id_for_distribution_column('workgate.tasks', project) $$;

-- A transaction over several nodes is prepared on all of them and then committed, and acknowledged even if a commit did not
-- arrive. What a node does not show yet is prepared there.
create or replace function workgate_places.prepared_commits() returns xid[]
language plpgsql volatile
as $$
begin
  return array(
    select x.transaction
    from pg_prepared_xact() x
    where x.dbid = (select d.oid from pg_database d where d.datname = current_database())
      and x.gid like 'citus\_%');
end
$$;

create or replace function workgate_places.is_in_doubt(shown pg_snapshot) returns boolean
-- Volatile, so that it sees what has happened since the snapshot.
language plpgsql volatile
as $$
begin
  if workgate_places.prepared_commits() <> '{}' then
    return true;
  end if;
  -- If no transaction has ended since the snapshot was taken, none was prepared then.
  return pg_current_snapshot()::text <> shown::text;
end
$$;
comment on function workgate_places.is_in_doubt(pg_snapshot) is
  'False if this snapshot shows whatever was acknowledged before it was taken.';

create or replace function workgate_places.await_commits(most interval) returns void
language plpgsql volatile
as $$
declare
  until constant timestamptz := clock_timestamp() + most;
  in_doubt xid[] := workgate_places.prepared_commits();
begin
  while in_doubt <> '{}' loop
    if clock_timestamp() > until then
      -- A state of the server, for which the service responds with 503.
      raise exception using
        errcode = '58000',
        message = 'a transaction over several nodes has not ended on this one',
        hint = 'Citus ends it within citus.recover_2pc_interval.';
    end if;
    perform pg_sleep(0.002);
    in_doubt := array(select x.transaction from pg_prepared_xact() x where x.transaction = any (in_doubt));
  end loop;
end
$$;
comment on function workgate_places.await_commits(interval) is
  'Waits for the end of the transactions over several nodes that are prepared on this one.';
