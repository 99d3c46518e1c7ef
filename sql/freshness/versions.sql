-- Before every answer: what it rests on, from one snapshot that was taken after its request came. since: when the
-- server started; a number that was counted before may come again after a failover or a restore.
select
  workgate.iso(now()) as at,
  pg_postmaster_start_time()::text as since,
  workgate.version_of('00000000-0000-0000-0000-000000000000')::text as directory,
  (
    select array_to_json(array_agg(workgate.version_of(scope)::text order by place))::text
    from unnest(:scopes::uuid[]) with ordinality as asked (scope, place)
  ) as versions
