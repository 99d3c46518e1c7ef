-- Before every answer: what it rests on, from one snapshot that was taken after its request came. since: when the
-- server started; what was seen before may be lost, and nothing that rests on it is looked at again.
select
  workgate.iso(now()) as at,
  pg_postmaster_start_time()::text as since,
  max(version) filter (where place = 1)::text as directory,
  (array_to_json(array_agg(version::text order by place) filter (where place > 1)))::text as versions
from workgate.versions_of('00000000-0000-0000-0000-000000000000'::uuid || :scopes::uuid[])
