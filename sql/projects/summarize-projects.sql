-- GET /projects/summary
-- The totals and the sort order need the figures of every project that the key can access.
with summaries as materialized (
  {{summaries}}
),
sums as (
  select
    count(*) as projects,
    coalesce(workgate.total(total), 0) as total, coalesce(workgate.total(open), 0) as open, coalesce(workgate.total(completed), 0) as completed,
    coalesce(workgate.total(cancelled), 0) as cancelled, coalesce(workgate.total(overdue), 0) as overdue,
    coalesce(workgate.total(total_seconds), 0) as total_seconds, coalesce(workgate.total(billable_seconds), 0) as billable_seconds,
    max(last_activity_at) as last_activity_at
  from summaries
),
totals as materialized (
  select row_to_json(f)::text as totals
  from (
    select
      s.projects,
      (select row_to_json(c) from (select s.total, s.open, s.completed, s.cancelled, s.overdue) c) as tasks,
      round(s.completed::numeric / nullif(s.open + s.completed, 0), 4) as progress,
      (select row_to_json(c) from (select s.total_seconds as "totalSeconds", s.billable_seconds as "billableSeconds") c) as time,
      workgate.iso(s.last_activity_at) as "lastActivityAt"
    from sums s
  ) f
)
select
  s.id,
  {{sortKey}} as sort_key,
  case when s.id is not null then (
    select row_to_json(f)
    from (
      select
        s.id as "projectId", s.key, s.name, s.status, s.due_date as "dueDate",
        (select row_to_json(c) from (select s.total, s.open, s.completed, s.cancelled, s.overdue) c) as tasks,
        round(s.completed::numeric / nullif(s.open + s.completed, 0), 4) as progress,
        (select row_to_json(c) from (select s.total_seconds as "totalSeconds", s.billable_seconds as "billableSeconds") c) as time,
        workgate.iso(s.last_activity_at) as "lastActivityAt"
    ) f
  )::text end as item,
  t.totals
from totals t
-- A left join, because totals are returned even if the page is empty.
left join summaries s on true
  {{#status}}and s.status = any (:status::text[]){{/status}}
  {{#q}}and s.id in (
    select p.id
    from workgate.projects p
    where workgate.terms(p.key || ' ' || p.name || ' ' || coalesce(p.description, '')) @@ workgate.words_of(:q::text)){{/q}}
  {{#updatedAfter}}and s.last_activity_at >= :updatedAfter::timestamptz{{/updatedAfter}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
