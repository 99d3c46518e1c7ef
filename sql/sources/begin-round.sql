-- Numbers a round. Committed before the first request of the round. No row: somebody else has the lease.
update workgate.source_progress
set round = round + 1, round_at = clock_timestamp()
where project_id = :projectId::uuid
  and fence = :fence::bigint
returning round::text as round, round_at::text as at, cursor::text as cursor
