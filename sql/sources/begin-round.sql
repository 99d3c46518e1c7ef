-- Numbers a round, and renews the lease. Committed before the first request of the round. No row: somebody else has the lease.
update workgate.source_progress
set
  round = round + 1,
  round_at = clock_timestamp(),
  lease_until = clock_timestamp() + make_interval(secs => :leaseSeconds::double precision)
where project_id = :projectId::uuid
  and fence = :fence::bigint
returning round::text as round, round_at::text as at, cursor::text as cursor
