-- Takes the leases of sources that nobody holds, and renews those of the holder. Only the clock of the database counts. A lease
-- that changes hands gets another fence.
update workgate.source_progress g
set
  lease_holder = :holder::text,
  lease_until = clock_timestamp() + make_interval(secs => :leaseSeconds::double precision),
  fence = case when g.lease_holder = :holder then g.fence else g.fence + 1 end
from workgate.sources s
join workgate.projects p on p.id = s.project_id
where s.project_id = g.project_id
  and s.state <> 'paused'
  and (g.lease_holder = :holder or g.lease_until is null or g.lease_until < clock_timestamp())
returning
  g.project_id as "projectId", g.fence::text as fence, p.key, s.tool, s.address, s.namespace, s.tracker_id as "trackerId",
  s.token_file as "tokenFile", s.token_env as "tokenEnv", s.allow_local as "allowLocal"
