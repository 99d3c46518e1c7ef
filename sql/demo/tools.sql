-- workgate demo: settings, functions and tables for the other files in this folder, which fill.ts runs in order.
-- Everything is in the temporary schema of the session and dropped with it.

set search_path = pg_temp;
set work_mem = '16MB';
-- Merge joins would sort a whole batch by computed values, on disk, to join tables of a few hundred rows.
set enable_mergejoin = off;
-- Otherwise each foreign key check is planned again for each row, which more than doubles the time.
set plan_cache_mode = auto;
set client_min_messages = warning;

-- A pseudorandom number from 0 up to, but not including, 1, the same on every run.
-- Hash functions return the same values in all versions of PostgreSQL, because hash partitions depend on them.
create function pg_temp.dice(key bigint, aspect text) returns float8
language sql immutable parallel safe
return (hashtextextended(aspect collate "C", key) & 2147483647)::float8 / 2147483648;

create function pg_temp.pick(choices text[], roll float8) returns text
language sql immutable parallel safe
return choices[1 + floor(roll * cardinality(choices))::integer];

-- A version 7 UUID, as workgate.new_id() returns, with a hash in place of the random part. The time is a constant plus
-- an ordinal, so that ids do not depend on the day of the demo: the documentation contains some of them. In large
-- tables, the ordinal is the number of the task: new rows are then next to each other in indexes.
create function pg_temp.id(ordinal bigint, name text) returns uuid
language sql immutable parallel safe
return (
  lpad(to_hex(1763741700000 + ordinal), 12, '0')
  || '7' || overlay(substr(md5(name), 14) placing 'a' from 4 for 1)
)::uuid;

create temp table brief (
  until     timestamptz not null,
  projects  integer not null,
  tasks     bigint not null,
  people    integer not null,
  teams     integer not null
);

-- The working year, divided into ticks: many in a busy hour, few in the evening, none at night. Every event is placed
-- on this scale as a fractional tick, and so falls into working hours.
create temp table clock (
  tick  integer primary key,
  at    timestamptz not null,
  span  interval not null
);

create function pg_temp.moment(c clock, tick float8) returns timestamptz
language sql stable parallel safe
return date_trunc('milliseconds', c.at + c.span * (tick - floor(tick)));

-- One batch of planned tasks. k is an index into the tasks of all projects. created, updated and quiet (the end of the
-- discussion) are ticks of the clock.
create temp table planned_tasks (
  k             bigint not null,
  project_id    uuid not null,
  number        bigint not null,
  id            uuid not null,
  theme         integer not null,
  nth_child     integer not null,
  parent_id     uuid,
  state         text not null,
  priority      workgate.priority not null,
  type          text,
  board         integer,
  -- reached: the last stage that the task entered step by step. position: its current stage. A completed task jumps
  -- from reached to the last stage.
  reached       integer not null,
  position      integer not null,
  assigned_late boolean not null,
  raised        boolean not null,
  version       integer not null,
  owner_id      uuid not null,
  creator_id    uuid not null,
  assignee_id   uuid,
  workers       integer not null,
  members       integer not null,
  created       float8 not null,
  updated       float8 not null,
  quiet         float8 not null,
  life          float8 not null,
  created_at    timestamptz not null,
  updated_at    timestamptz not null
) on commit delete rows;
