-- GET /projects/:projectId/analytics/progress
-- Reads tallies. It scans tasks_by_completed_at for the ends of the range that are not whole days in UTC.
with buckets as materialized (
  select 'series' as of, b.n, b.first_day, b.end_day, b.since, b.until
  from workgate.buckets(:from::date, :to::date, :interval::text, :zone::text) b
  union all
  -- The days that the forecast samples, unless the buckets are days.
  select 'sample', d.n, d.first_day, d.end_day, d.since, d.until
  from workgate.buckets(greatest(:from, least(:to, :today::date) - 400), least(:to, :today), 'day', :zone) d
  where :interval <> 'day'
),
bounds as materialized (
  select b.of, array_agg(b.since order by b.n) || max(b.until) as bounds
  from buckets b
  group by b.of
),
range as materialized (
  select
    min(b.since) as since,
    max(b.until) as until,
    max(b.n) as buckets,
    least(:to, :today + 1) - :from as days_so_far
  from buckets b
  where b.of = 'series'
),
-- All time before and after the series, so that running sums start at zero and end at the current value, and the days
-- of the range so far.
spans as materialized (
  select 'series' as of, 0 as n, timestamptz '-infinity' as since, r.since as until
  from range r
  union all
  select 'series', r.buckets + 1, r.until, 'infinity'
  from range r
  union all
  select 'so far', 0, r.since, workgate.start_of_day(:from + r.days_so_far, :zone)
  from range r
  where r.days_so_far > 0
),
events as (
  select b.of, t.bucket as n, t.kind, t.key, t.n as tasks, t.seconds
  from bounds b
  cross join lateral workgate.tallied_in_buckets(:projectId::uuid, '{flow,reopened}', b.bounds) t
  where t.bucket between 1 and cardinality(b.bounds) - 1
  union all
  select s.of, s.n, t.kind, t.key, t.n, t.seconds
  from spans s
  cross join lateral workgate.tallied(:projectId, '{flow,reopened}', s.since, s.until) t
),
sums as (
  select
    e.of, e.n,
    sum(e.tasks) filter (where e.key = 'created') as created,
    sum(e.tasks) filter (where e.key = 'completed') as completed,
    sum(e.tasks) filter (where e.key = 'cancelled') as cancelled,
    sum(e.tasks) filter (where e.kind = 'reopened') as reopened,
    sum(e.seconds) filter (where e.key = 'completed') as lead_seconds
  from events e
  group by e.of, e.n
),
counts as materialized (
  select
    b.*,
    coalesce(s.created, 0) as created,
    coalesce(s.completed, 0) as completed,
    coalesce(s.cancelled, 0) as cancelled,
    coalesce(s.reopened, 0) as reopened,
    coalesce(s.lead_seconds, 0) as lead_seconds
  from (
    select of, n, first_day, end_day, since, until from buckets
    union all
    select of, n, null, null, since, until from spans
  ) b
  left join sums s on s.of = b.of and s.n = b.n
),
series as materialized (
  select
    c.*,
    sum(c.created - c.cancelled) over (order by c.n) as scope,
    sum(c.completed) over (order by c.n) as done
  from counts c
  where c.of = 'series'
),
whole_days as (
  select
    r.since,
    workgate.utc_day(r.since + interval '23:59:59.999999') as first,
    workgate.utc_day(r.until) as bound,
    r.until
  from range r
),
leads as (
  select t.key::integer as bucket, t.n
  from whole_days w
  cross join lateral workgate.tallied(:projectId, '{lead}', w.first, w.bound) t
  union all
  select rest.bucket, rest.n
  from whole_days w
  cross join lateral (values (w.since, least(w.first, w.until)), (greatest(w.first, w.bound), w.until)) as e (since, until)
  cross join lateral (
    -- Grouped here rather than in an outer query, so that each end takes one index scan.
    select workgate.lead_bucket(workgate.lead_seconds(t.created_at, t.completed_at)) as bucket, count(*) as n
    from workgate.tasks t
    where t.project_id = :projectId
      and coalesce(t.completed_at, 'infinity') >= e.since
      and coalesce(t.completed_at, 'infinity') < e.until
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
),
lead_time as (
  select
    d.count,
    min(r.seconds) filter (where r.up_to * 100 >= r.total * 50) as "p50Seconds",
    min(r.seconds) filter (where r.up_to * 100 >= r.total * 85) as "p85Seconds",
    min(r.seconds) filter (where r.up_to * 100 >= r.total * 95) as "p95Seconds",
    round(d.seconds / nullif(d.count, 0)) as "meanSeconds"
  from (
    select sum(s.completed) as count, sum(s.lead_seconds) as seconds
    from series s
    where s.first_day is not null
  ) d
  left join ranked r on true
  group by d.count, d.seconds
)
select
  exists (select from workgate.projects where id = :projectId) as found,
  (
    select bool_and(c.since = workgate.quarter_hour(c.since) and c.until = workgate.quarter_hour(c.until))
    from counts c
  ) as aligned,
  (
    select row_to_json(f)
    from (
      select
        :from as "from", :to as "to", :interval as interval, :timezone::text as timezone,
        array(
          select row_to_json(b)
          from (
            select
              s.first_day as start, s.end_day as "end", s.created, s.completed, s.cancelled, s.reopened, s.scope, s.done,
              s.scope - s.done as remaining
            from series s
            where s.first_day is not null
            order by s.n
          ) b
        ) as series,
        (select row_to_json(l) from lead_time l) as "leadTime",
        (
          select trim_scale(round(c.completed * 7 / r.days_so_far, 2))
          from counts c, range r
          where c.of = 'so far'
        ) as "throughputPerWeek"
    ) f
  )::text as figures,
  (select s.scope - s.done from series s order by s.n desc limit 1)::integer as remaining,
  (
    select coalesce(json_agg(c.completed order by c.n), '[]')
    from counts c
    where c.of = 'sample'
      or (:interval = 'day' and c.first_day >= least(:to, :today) - 400 and c.first_day < :today)
  )::text as "completedPerDay"
