-- Before every response: the current versions of some scopes and of the directory, from one snapshot. since is the start of
-- the server: after a restart, a failover or a restore no earlier version is equal, so no earlier response is used.
select
  workgate.iso(now()) as at,
  pg_postmaster_start_time()::text as since,
  max(version) filter (where place = 1)::text as directory,
  (array_to_json(array_agg(version::text order by place) filter (where place > 1)))::text as versions
from workgate.versions_of('00000000-0000-0000-0000-000000000000'::uuid || :scopes::uuid[])
