-- Runs before every response: returns the current versions of some scopes and of the directory, from one snapshot. A
-- scope can consist of several ids, separated by commas: its version is the sum of theirs.
-- The column "since" is the start time of the server. It changes every version after a restart, a failover or a
-- restore, so that no response cached earlier is used.
select
  workgate.iso(now()) as at,
  pg_postmaster_start_time()::text as since,
  max(version) filter (where place = 1)::text as directory,
  (array_to_json(array_agg(version::text order by place) filter (where place > 1)))::text as versions
from (
  select asked.place, coalesce(sum(v.version), 0) as version
  from unnest('00000000-0000-0000-0000-000000000000'::text || :scopes::text[]) with ordinality asked (scope, place)
  left join lateral workgate.versions_of(string_to_array(asked.scope, ',')::uuid[]) v on true
  group by asked.place
) s
