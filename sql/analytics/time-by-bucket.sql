-- GET /projects/:projectId/analytics/time?groupBy=day, week or month
-- Reads tallies. With a filter by user, it scans time_entries_by_user instead.
with buckets as materialized (
  select n, first_day, since, until
  from workgate.buckets(:from::date, :to::date, :groupBy, :zone)
),
bounds as materialized (
  select array_agg(since order by n) || max(until) as bounds, min(since) as since, max(until) as until
  from buckets
),
entries as (
  {{^userId}}
  select t.bucket, t.part = 'billable' as billable, t.n, t.seconds
  from bounds b
  cross join lateral workgate.tallied_in_buckets(:projectId::uuid, '{time}', b.bounds) t
  {{/userId}}
  {{#userId}}
  select width_bucket(e.started_at, b.bounds) as bucket, e.billable, 1 as n, e.duration_seconds as seconds
  from bounds b
  cross join lateral (
    select e.started_at::timestamptz, e.billable, e.duration_seconds
    from workgate.time_entries e
    where e.project_id = :projectId
      and e.user_id = any (:userId::uuid[])
      and e.started_at >= b.since
      and e.started_at < b.until
      and e.duration_seconds is not null
    -- Without "offset 0" PostgreSQL might read all entries of the project, because it does not know the range.
    offset 0
  ) e
  {{/userId}}
),
sums as (
  select
    e.bucket,
    workgate.total(e.n) as entries,
    workgate.total(e.seconds) as seconds,
    workgate.total(e.seconds) filter (where e.billable) as billable_seconds
  from entries e
  where :billable::boolean is null
    or e.billable = :billable
  group by e.bucket
)
select
  b.first_day as key,
  b.since,
  coalesce(s.entries, 0) as entries,
  coalesce(s.seconds, 0) as seconds,
  s.billable_seconds
from buckets b
left join sums s on s.bucket = b.n
