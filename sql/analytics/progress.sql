-- GET /projects/:projectId/analytics/progress
-- Counts events in spans of time, from tallies: in the intervals of the series, in all time before and after them, so that
-- running sums start at zero and end at the current value, in the days of the range so far, and in the days that the
-- forecast samples, unless the intervals are days. Days before the first task are no sample: they would say that the
-- project is slower than it is. With :measure, events count as the values of that own field, in units of 1/10,000.
with spans as materialized (
  select 'series' as part, b.n, b.first_day, b.end_day, b.since, b.until
  from workgate.buckets(:from::date, :to::date, :interval::text, :zone::text) b
  union all
  select 'sample', d.n, d.first_day, d.end_day, d.since, d.until
  from workgate.buckets(greatest(:from, least(:to, :today::date) - 400), least(:to, :today), 'day', :zone) d
  where :interval <> 'day'
  union all
  select s.part, 0, s.first_day, s.end_day, s.since, s.until
  from (select workgate.start_of_day(:from, :zone) as since, workgate.start_of_day(:to, :zone) as until) r
  cross join lateral (
    values
      ('before', null::date, null::date, timestamptz '-infinity', r.since),
      ('after', null, null, r.until, 'infinity'),
      ('so far', :from, least(:to, :today + 1), r.since, workgate.start_of_day(least(:to, :today + 1), :zone))
  ) as s (part, first_day, end_day, since, until)
  where s.since < s.until
),
events as (
  select s.part, t.bucket as n, t.kind, t.key, t.n as size, t.seconds
  from (
    select part, array_agg(since order by n) || max(until) as bounds
    from spans
    where part in ('series', 'sample')
    group by part
  ) s
  cross join lateral workgate.tallied_in_buckets(:projectId::uuid, '{flow,reopened}'::text[]{{#measure}} || ('flow of ' || :measure::text){{/measure}}, s.bounds) t
  {{#leftOut}}where t.part <> all (:leftOut::text[]){{/leftOut}}
  union all
  select s.part, s.n, t.kind, t.key, t.n, t.seconds
  from spans s
  cross join lateral workgate.tallied(:projectId, '{flow,reopened}'::text[]{{#measure}} || ('flow of ' || :measure::text){{/measure}}, s.since, s.until) t
  where s.part in ('before', 'after', 'so far')
    {{#leftOut}}and t.part <> all (:leftOut::text[]){{/leftOut}}
),
counts as materialized (
  select
    s.*,
    coalesce(sum(e.size) filter (where {{#measure}}e.kind like 'flow of %' and {{/measure}}e.key = 'created'), 0) as created,
    coalesce(sum(e.size) filter (where {{#measure}}e.kind like 'flow of %' and {{/measure}}e.key = 'completed'), 0) as completed,
    coalesce(sum(e.size) filter (where {{#measure}}e.kind like 'flow of %' and {{/measure}}e.key = 'cancelled'), 0) as cancelled,
    coalesce(sum(e.size) filter (where e.kind = 'reopened'), 0) as reopened,
    coalesce(sum(e.size) filter (where e.kind = 'flow' and e.key = 'completed'), 0) as completed_tasks,
    coalesce(sum(e.seconds) filter (where e.key = 'completed'), 0) as lead_seconds
  from spans s
  left join events e on e.part = s.part and e.n = s.n
  group by s.part, s.n, s.first_day, s.end_day, s.since, s.until
),
totals as materialized (
  select
    c.*,
    sum(c.created - c.cancelled) over by_time as scope,
    sum(c.completed) over by_time as done
  from counts c
  where c.part in ('before', 'series', 'after')
  window by_time as (order by c.since)
)
select
  (select p.status from workgate.projects p where p.id = :projectId) as status,
  (
    select bool_and(c.since = workgate.quarter_hour(c.since) and c.until = workgate.quarter_hour(c.until))
    from counts c
  ) as aligned,
  (
    select row_to_json(f)
    from (
      select
        :from as "from", :to as "to", :interval as interval, :timezone::text as timezone, :measure::text as measure,
        array(
          select row_to_json(b)
          from (
            select
              t.first_day as start, t.end_day as "end",
              {{^measure}}t.created, t.completed, t.cancelled, t.reopened, t.scope, t.done, t.scope - t.done as remaining{{/measure}}
              {{#measure}}
              trim_scale(t.created * 0.0001) as created, trim_scale(t.completed * 0.0001) as completed,
              trim_scale(t.cancelled * 0.0001) as cancelled, t.reopened, trim_scale(t.scope * 0.0001) as scope,
              trim_scale(t.done * 0.0001) as done, trim_scale((t.scope - t.done) * 0.0001) as remaining
              {{/measure}}
            from totals t
            where t.part = 'series'
            order by t.n
          ) b
        ) as series,
        (
          select row_to_json(l)
          from (
            select
              t.tasks as count, p.p50 as "p50Seconds", p.p85 as "p85Seconds", p.p95 as "p95Seconds",
              round(t.lead_seconds / nullif(t.tasks, 0)) as "meanSeconds"
            from (select sum(completed_tasks) as tasks, sum(lead_seconds) as lead_seconds from totals where part = 'series') t
            cross join (
              {{leadTimes}}
            ) p
          ) l
        ) as "leadTime",
        (
          select trim_scale(round(c.completed{{#measure}} * 0.0001{{/measure}} * 7 / (c.end_day - c.first_day), 2))
          from counts c
          where c.part = 'so far'
        ) as "throughputPerWeek"
    ) f
  )::text as figures,
  (select t.scope - t.done from totals t where t.part = 'after')::double precision as remaining,
  sample."completedPerDay",
  {{^measure}}true as "isNumber", null as "tasksPerDay"{{/measure}}
  {{#measure}}
  (
    {{isNumber}}
  ) as "isNumber",
  sample."tasksPerDay"
  {{/measure}}
from (
  select
    coalesce(json_agg(c.completed order by c.n), '[]')::text as "completedPerDay"
    {{#measure}}, coalesce(json_agg(c.completed_tasks order by c.n), '[]')::text as "tasksPerDay"{{/measure}}
  from counts c
  where (
      c.part = 'sample'
      or (:interval = 'day' and c.part = 'series' and c.first_day >= least(:to, :today) - 400 and c.first_day < :today)
    )
    and c.until > (
      -- A task that was imported without the time of its creation can have been completed before it.
      select least(min(t.created_at), min(coalesce(t.completed_at, 'infinity')))
      from workgate.tasks t
      where t.project_id = :projectId
    )
) sample
