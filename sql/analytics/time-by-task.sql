-- GET /projects/:projectId/analytics/time?groupBy=task
-- Adds up the entries of the range: for each task and day, there are seldom fewer tallies than entries. The indexes
-- time_entries_by_started_at and, with a filter by user, time_entries_by_user contain the figures.
select
  e.task_id as key,
  null::timestamptz as since,
  count(*) as entries,
  workgate.total(e.duration_seconds) as seconds,
  workgate.total(e.duration_seconds) filter (where e.billable) as billable_seconds
from workgate.time_entries e
where e.project_id = :projectId::uuid
  and e.started_at >= workgate.start_of_day(:from::date, :zone)
  and e.started_at < workgate.start_of_day(:to::date, :zone)
  and e.duration_seconds is not null
  and (:billable::boolean is null or e.billable = :billable)
  and (:userId::uuid[] is null or e.user_id = any (:userId))
group by e.task_id
