-- Runs before every response: returns the current versions of some scopes and of the directory, from one snapshot. A
-- scope can consist of several ids, separated by commas: its version is the sum of theirs.
-- The column "since" is the start time of the server. It changes every version after a restart, a failover or a
-- restore, so that no response cached earlier is used.
-- Names in a path, such as "//WEB/82", are resolved in the same snapshot; see src/api/input/object-names.ts. A key that
-- no project has takes the same look-ups as one that a project has, so that the time does not reveal which keys exist.
select
  workgate.iso(now()) as at,
  pg_postmaster_start_time()::text as since,
  max(version) filter (where seat = 1)::text as directory,
  (array_to_json(array_agg(version::text order by seat) filter (where seat > 1)))::text as versions
  {{#position}}
  -- Read after the snapshot was taken, so every commit that it contains was inserted before. Asynchronous commits may not
  -- be written yet.
  , workgate.current_epoch()::text as epoch
  , case when not pg_is_in_recovery() then (pg_current_wal_insert_lsn() - '0/0')::text end as lsn
  {{/position}}
  {{#places}}
  , array_to_json(workgate.places_here(:places::bigint[]))::text as places
  , workgate.is_in_doubt(pg_current_snapshot()) as in_doubt
  {{/places}}
  {{#names}}
  , (
    select array_to_json(array_agg(json_build_array(v.version::text, nullif(n.project_id, n.none), n.task_id) order by n.seat))::text
    from (
      select
        p.seat, p.project_id, p.none,
        case when p.number <> '' and (p.key = '' or p.key = (select key from workgate.projects where id = p.project_id)) then
          workgate.task_with_number(p.project_id, p.number::bigint)
        end as task_id
      from (
        select
          asked.seat, none.id as none, part[3] as key, part[4] as number,
          coalesce(
            nullif(part[2], '')::uuid,
            (select id from workgate.projects where key = part[3]),
            none.id) as project_id
        from unnest(:names::text[]) with ordinality as asked (names, seat)
        cross join lateral string_to_array(asked.names, '/') as part
        cross join (values (uuid 'ffffffff-0000-0000-0000-000000000000')) as none (id)
        offset 0
      ) p
    ) n
    cross join lateral workgate.versions_of(array[n.project_id]) v
  ) as named
  {{/names}}
from (
  select asked.seat, coalesce(sum(v.version), 0) as version
  from unnest('00000000-0000-0000-0000-000000000000'::text || :scopes::text[]) with ordinality asked (scope, seat)
  left join lateral workgate.versions_of(string_to_array(asked.scope, ',')::uuid[]) v on true
  group by asked.seat
) s
