-- In the transaction of a round: moves the marks. No row: the transaction must not commit, because somebody else has the lease,
-- or the project has another key, and the rows may be in another project. Rounds can take longer than the lease, so only the
-- fence counts.
with source as (
  update workgate.sources
  set state = 'following', problem = null, tracker_id = :trackerId::text
  where project_id = :projectId::uuid
    and state <> 'paused'
    and (state, coalesce(problem, ''), coalesce(tracker_id, '')) <> ('following', '', :trackerId)
)
update workgate.source_progress
set
  cursor = :cursor::jsonb,
  failures = 0,
  applied_round = greatest(applied_round, :round::bigint),
  synced_through = greatest(synced_through, :at::timestamptz - make_interval(secs => :lagSeconds::double precision)),
  audited_through = case
    when :audited::boolean then :at::timestamptz - make_interval(secs => :lagSeconds::double precision)
    else audited_through
  end
where project_id = :projectId::uuid
  and fence = :fence::bigint
  and exists (select from workgate.projects p where p.id = :projectId and p.key = :key::text)
returning fence::text
