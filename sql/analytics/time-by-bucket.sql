-- GET /projects/:projectId/analytics/time?groupBy=day, week or month
-- Reads tallies of days: those of the project or, with a filter by user, those of users.
with buckets as materialized (
  select n, first_day, since, until
  from workgate.buckets(:from::date, :to::date, :groupBy, 'UTC')
),
sums as (
  select
    t.bucket,
    workgate.total(t.n) as entries,
    workgate.total(t.seconds) as seconds,
    workgate.total(t.seconds) filter (where t.part = 'billable') as billable_seconds
  from (select array_agg(since order by n) || max(until) as bounds from buckets) b
  {{^userId}}cross join lateral workgate.tallied_in_buckets(:projectId::uuid, '{time}', b.bounds) t{{/userId}}
  {{#userId}}cross join lateral workgate.tallied_in_buckets(:projectId::uuid, '{user time}', b.bounds) t{{/userId}}
  where t.bucket between 1 and cardinality(b.bounds) - 1
    {{#userId}}and t.key = any (:userId::uuid[]::text[]){{/userId}}
    {{#billable}}and (t.part = 'billable') = :billable::boolean{{/billable}}
  group by t.bucket
)
select
  b.first_day as key,
  coalesce(s.entries, 0) as entries,
  coalesce(s.seconds, 0) as seconds,
  s.billable_seconds
from buckets b
left join sums s on s.bucket = b.n
