-- Runs before every response: returns the current versions of some scopes and of the directory, from one snapshot.
-- The column "since" is the start time of the server. It changes every version after a restart, a failover or a
-- restore, so that no response cached earlier is used.
select
  workgate.iso(now()) as at,
  pg_postmaster_start_time()::text as since,
  max(version) filter (where place = 1)::text as directory,
  (array_to_json(array_agg(version::text order by place) filter (where place > 1)))::text as versions
from workgate.versions_of('00000000-0000-0000-0000-000000000000'::uuid || :scopes::uuid[])
