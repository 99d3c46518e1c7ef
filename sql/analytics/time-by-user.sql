-- GET /projects/:projectId/analytics/time?groupBy=user
-- Reads tallies for whole days in UTC. At both ends of the range it scans time_entries_by_started_at, or
-- time_entries_by_user with a filter by user.
with range as (
  select
    workgate.start_of_day(:from::date, :zone) as since,
    workgate.start_of_day(:to::date, :zone) as until
),
days as materialized (
  -- If the range contains no whole day, first and bound are both the first midnight in or after the range.
  select since, until, first, greatest(first, workgate.utc_day(until)) as bound
  from (select since, until, workgate.utc_day(since + interval '23:59:59.999999') as first from range) r
)
select
  t.key,
  null::timestamptz as since,
  workgate.total(t.n) as entries,
  workgate.total(t.seconds) as seconds,
  workgate.total(t.seconds) filter (where t.billable) as billable_seconds
from (
  select t.key::uuid, t.part = 'billable' as billable, t.n, t.seconds
  from days d
  cross join lateral workgate.tallied(:projectId::uuid, '{user time}', d.first, d.bound) t
  {{#userId}}
  where t.key = any (:userId::uuid[]::text[])
  {{/userId}}
  union all
  select e.user_id, e.billable, 1, e.duration_seconds
  from days d
  cross join lateral (values (d.since, least(d.first, d.until)), (d.bound, d.until)) as edge (since, until)
  cross join lateral (
    select e.user_id, e.billable, e.duration_seconds
    from workgate.time_entries e
    where e.project_id = :projectId
      and e.started_at >= edge.since
      and e.started_at < edge.until
      -- Not duration_seconds, which other indexes contain: PostgreSQL might read all of one instead of the range.
      and e.ended_at is not null
      {{#userId}}
      and e.user_id = any (:userId)
      {{/userId}}
    -- Without "offset 0" PostgreSQL might read all entries, because it does not know the range.
    offset 0
  ) e
) t
where :billable::boolean is null
  or t.billable = :billable
group by t.key
having workgate.total(t.n) > 0
