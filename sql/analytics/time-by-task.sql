-- GET /projects/:projectId/analytics/time?groupBy=task
-- Adds up the entries of the range, since tallies per task could not cover arbitrary ranges. time_entries_by_task contains
-- the figures; short ranges and filters by user use other indexes.
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
