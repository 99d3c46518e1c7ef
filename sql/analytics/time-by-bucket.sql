-- GET /projects/:projectId/analytics/time?groupBy=day, week or month
-- Reads tallies. With a filter by user, it scans time_entries_by_user instead.
with buckets as materialized (
  select first_day, since, until
  from workgate.buckets(:from::date, :to::date, :groupBy, :zone)
)
select
  b.first_day as key,
  b.since,
  coalesce(sum(t.n), 0) as entries,
  coalesce(sum(t.seconds), 0) as seconds,
  sum(t.seconds) filter (where t.billable) as billable_seconds
from buckets b
left join lateral (
  select t.part = 'billable' as billable, t.n, t.seconds
  from workgate.tallied(:projectId::uuid, '{time}', b.since, b.until) t
  where :userId::uuid[] is null
  union all
  select e.billable, 1, e.duration_seconds
  from workgate.time_entries e
  where e.project_id = :projectId
    and e.user_id = any (:userId)
    and e.started_at >= b.since
    and e.started_at < b.until
    and e.duration_seconds is not null
) t on :billable::boolean is null or t.billable = :billable
group by b.first_day, b.since
