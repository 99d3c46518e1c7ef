-- GET /projects/:projectId/analytics/time?groupBy=task
-- Scans the entries of the range: with time_entries_by_task, which contains the figures, with time_entries_by_started_at
-- if the range is short, or with time_entries_by_user if there is a filter by user. Tallies per task could not cover
-- arbitrary ranges.
select
  e.task_id as key,
  null::timestamptz as since,
  count(*) as entries,
  sum(e.duration_seconds)::bigint as seconds,
  (sum(e.duration_seconds) filter (where e.billable))::bigint as billable_seconds
from workgate.time_entries e
where e.project_id = :projectId::uuid
  and e.started_at >= workgate.start_of_day(:from::date, :zone)
  and e.started_at < workgate.start_of_day(:to::date, :zone)
  and e.duration_seconds is not null
  and (:billable::boolean is null or e.billable = :billable)
  and (:userId::uuid[] is null or e.user_id = any (:userId))
group by e.task_id
