-- While a round reads. No row: somebody else has the lease.
update workgate.source_progress
set lease_until = clock_timestamp() + make_interval(secs => :leaseSeconds::double precision)
where project_id = :projectId::uuid
  and fence = :fence::bigint
returning fence::text
