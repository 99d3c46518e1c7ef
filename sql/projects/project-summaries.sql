-- The figures of every project that the key can access. Reads the tallies of all projects by kind (tallies_by_kind), and
-- the last entry of an index by updated_at for each table of each project.
with tallies as (
  select t.project_id, t.kind, t.part, t.n, t.seconds
  from workgate.tallies t
  where t.kind in ('state', 'time')
    and t.span = 'ever'
    {{^allProjects}}and t.project_id = any (:projectIds::uuid[]){{/allProjects}}
  union all
  select t.project_id, t.kind, t.part, t.n, t.seconds
  from workgate.covering_spans('-infinity', date_trunc('day', now(), 'UTC')) e
  join workgate.tallies t on t.span = e.span and t.at >= e.first and t.at < e.bound
  where t.kind = 'due'
    and t.n <> 0
    {{^allProjects}}and t.project_id = any (:projectIds::uuid[]){{/allProjects}}
  union all
  select d.project_id, d.kind, d.part, d.n, d.seconds
  from workgate.tally_deltas d
  where (d.kind in ('state', 'time') or (d.kind = 'due' and d.at < date_trunc('day', now(), 'UTC')))
    {{^allProjects}}and d.project_id = any (:projectIds::uuid[]){{/allProjects}}
),
figures as (
  select
    project_id,
    workgate.total(n) filter (where kind = 'state') as total,
    workgate.total(n) filter (where kind = 'state' and part = 'open') as open,
    workgate.total(n) filter (where kind = 'state' and part = 'completed') as completed,
    workgate.total(n) filter (where kind = 'state' and part = 'cancelled') as cancelled,
    workgate.total(n) filter (where kind = 'due') as overdue,
    workgate.total(seconds) filter (where kind = 'time') as total_seconds,
    workgate.total(seconds) filter (where kind = 'time' and part = 'billable') as billable_seconds
  from tallies
  group by project_id
)
select
  p.id, p.key, p.name, p.status, p.due_date,
  coalesce(f.total, 0) as total, coalesce(f.open, 0) as open, coalesce(f.completed, 0) as completed,
  coalesce(f.cancelled, 0) as cancelled, coalesce(f.overdue, 0) as overdue,
  coalesce(f.total_seconds, 0) as total_seconds, coalesce(f.billable_seconds, 0) as billable_seconds,
  greatest(
    p.updated_at,
    (select max(updated_at) from workgate.tasks where project_id = p.id),
    (select max(updated_at) from workgate.comments where project_id = p.id),
    (select max(updated_at) from workgate.time_entries where project_id = p.id),
    (select max(updated_at) from workgate.documents where project_id = p.id)
  ) as last_activity_at
from workgate.projects_here p
left join figures f on f.project_id = p.id
{{^allProjects}}where p.id = any (:projectIds::uuid[]){{/allProjects}}
