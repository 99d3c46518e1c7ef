-- GET /projects/:projectId/analytics/time
-- Includes the statement that computes the groups. Selects and names the groups to show, sums the others, and adds the
-- figures that do not depend on groups, all from one snapshot. Tallies of days are stored at their midnights in UTC.
with range as materialized (
  select :from::date::timestamp at time zone 'UTC' as since, :to::date::timestamp at time zone 'UTC' as until
),
groups as materialized (
{{groups}}
),
shown as materialized (
  select *
  from groups
  order by
    case when :groupBy::text in ('user', 'task') then seconds end desc,
    key
  limit :limit
),
totals as materialized (
  select
    count(*) as rows,
    coalesce(workgate.total(seconds), 0) as seconds,
    coalesce(workgate.total(billable_seconds), 0) as billable_seconds,
    coalesce(workgate.total(entries), 0) as entries
  from groups
),
tallies as materialized (
  select
    coalesce(sum(t.n) filter (
      where t.kind = 'running' {{#billable}}and (t.part = 'billable') = :billable::boolean{{/billable}}), 0) as running,
    coalesce(sum(t.n) filter (where t.kind = 'estimate'), 0) as tasks,
    coalesce(sum(t.seconds) filter (where t.kind = 'estimate'), 0) as estimated_seconds,
    coalesce(sum(t.seconds) filter (where t.kind = 'effort'), 0) as actual_seconds
  from range r
  cross join lateral workgate.tallied(:projectId::uuid, '{running,estimate,effort}', r.since, r.until) t
),
named as (
  select
    s.key,
    case :groupBy
      when 'user' then (select u.name from workgate.users u where u.id = s.key::text::uuid)
      when 'task' then (select t.title from workgate.tasks t where t.project_id = :projectId and t.id = s.key::text::uuid)
      when 'day' then s.key::text
      when 'week' then to_char(s.key::text::date, 'IYYY-"W"IW')
      when 'month' then to_char(s.key::text::date, 'YYYY-MM')
    end as name,
    s.seconds as "totalSeconds", coalesce(s.billable_seconds, 0) as "billableSeconds", s.entries
  from shown s
),
other as (
  select
    t.rows - s.rows as rows,
    t.seconds - s.seconds as "totalSeconds",
    t.billable_seconds - s.billable_seconds as "billableSeconds",
    t.entries - s.entries as entries
  from totals t
  cross join (
    select
      count(*) as rows,
      coalesce(workgate.total(seconds), 0) as seconds,
      coalesce(workgate.total(billable_seconds), 0) as billable_seconds,
      coalesce(workgate.total(entries), 0) as entries
    from shown
  ) s
),
running as (
  select
    {{^userId}}
    t.running as entries
    {{/userId}}
    {{#userId}}
    (
      select count(*)
      from workgate.time_entries e
      where e.project_id = :projectId
        and e.spent_on >= :from
        and e.spent_on < :to
        and e.ended_at is null
        and e.user_id = any (:userId::uuid[])
        {{#billable}}and e.billable = :billable::boolean{{/billable}}
    ) as entries
    {{/userId}}
  from tallies t
)
select
  exists (select from workgate.projects where id = :projectId) as found,
  (
    select row_to_json(f)
    from (
      select
        :from::date as "from", :to::date as "to", :groupBy as "groupBy",
        :billable::boolean as billable, :userId::uuid[] as "userId",
        array(select row_to_json(n) from named n) as rows,
        (select row_to_json(o) from other o) as other,
        (
          select row_to_json(a)
          from (
            select t.seconds as "totalSeconds", t.billable_seconds as "billableSeconds", t.entries
            from totals t
          ) a
        ) as totals,
        (select entries from running) as running,
        (
          select row_to_json(e)
          from (
            select
              a.estimated_seconds as "estimatedSeconds",
              a.actual_seconds as "actualSeconds",
              round(a.actual_seconds / nullif(a.estimated_seconds, 0), 4) as ratio,
              a.tasks
            from tallies a
          ) e
        ) as "estimateVsActual"
    ) f
  )::text as data
