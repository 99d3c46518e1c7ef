-- The percentiles of the lead times of tasks that were completed in the range :from to :to: whole days from tallies, the rest
-- from tasks_by_completed_at.
with range as (
  select
    since, until,
    workgate.utc_day(since + interval '23:59:59.999999') as first_day,
    workgate.utc_day(until) as end_day
  from (select workgate.start_of_day(:from::date, :zone::text) as since, workgate.start_of_day(:to::date, :zone) as until) r
),
leads as (
  select t.key::integer as bucket, t.n
  from range r
  cross join lateral workgate.tallied(:projectId::uuid, '{lead}', r.first_day, r.end_day) t
  {{#leftOut}}where t.part <> all (:leftOut::text[]){{/leftOut}}
  union all
  select rest.bucket, rest.n
  from range r
  cross join lateral (
    values (r.since, least(r.first_day, r.until)), (greatest(r.first_day, r.end_day), r.until)
  ) as e (since, until)
  cross join lateral (
    -- Grouped here rather than in an outer query, so that each end takes one index scan.
    select workgate.lead_bucket(workgate.lead_seconds(t.created_at, t.completed_at)) as bucket, count(*) as n
    from workgate.tasks t
    where t.project_id = :projectId
      and coalesce(t.completed_at, 'infinity') >= e.since
      and coalesce(t.completed_at, 'infinity') < e.until
      {{#leftOut}}and coalesce(t.type, '') <> all (:leftOut::text[]){{/leftOut}}
    group by 1
  ) rest
),
ranked as (
  select
    workgate.lead_in_bucket(l.bucket) as seconds,
    sum(sum(l.n)) over (order by l.bucket) as up_to,
    sum(sum(l.n)) over () as total
  from leads l
  group by l.bucket
  -- Drops buckets whose tallies cancel out: completions that were undone or moved to another time.
  having sum(l.n) <> 0
)
select
  min(r.seconds) filter (where r.up_to * 100 >= r.total * 50) as p50,
  min(r.seconds) filter (where r.up_to * 100 >= r.total * 85) as p85,
  min(r.seconds) filter (where r.up_to * 100 >= r.total * 95) as p95
from ranked r
