-- GET /projects/:projectId/time-entries, GET /projects/:projectId/time-entries/:timeEntryId
-- Scans time_entries_by_started_at, _by_spent_on, _by_updated_at, _by_task, _by_user or, for running=true, _running.
select
  t.id,
  {{position}} as position,
  (
    select row_to_json(f)
    from (
      select
        t.id, t.task_id as "taskId", t.user_id as "userId", t.description, t.spent_on as "spentOn",
        workgate.iso(t.started_at) as "startedAt", workgate.iso(t.ended_at) as "endedAt",
        t.duration_seconds as "durationSeconds", t.billable,
        workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt"
    ) f
  )::text as item
from workgate.time_entries t
where t.project_id = :projectId::uuid
  and (:id::uuid is null or t.id = :id)
  -- A comparison with one value preserves the index order of later columns; "= any" does not.
  and (:taskId::uuid[] is null
    or case cardinality(:taskId) when 1 then t.task_id = (:taskId)[1] else t.task_id = any (:taskId) end)
  and (:userId::uuid[] is null
    or case cardinality(:userId) when 1 then t.user_id = (:userId)[1] else t.user_id = any (:userId) end)
  and (:billable::boolean is null or t.billable = :billable)
  and (:running::boolean is null or (t.ended_at is null) = :running)
  and (:spentAfter::date is null or t.spent_on >= :spentAfter)
  and (:spentBefore::date is null or t.spent_on < :spentBefore)
  and (:startedAfter::timestamptz is null or t.started_at >= :startedAfter)
  and (:startedBefore::timestamptz is null or t.started_at < :startedBefore)
  and (:createdAfter::timestamptz is null or t.created_at >= :createdAfter)
  and (:createdBefore::timestamptz is null or t.created_at < :createdBefore)
  and (:updatedAfter::timestamptz is null or t.updated_at >= :updatedAfter)
  and (:updatedBefore::timestamptz is null or t.updated_at < :updatedBefore)
  and {{keyset}}
order by {{order}}
limit :limit::integer + 1
