-- workgate projects
-- Reads the tallies of all projects by kind (tallies_by_kind).
with tallies as (
  select t.project_id, t.part, t.n
  from workgate.tallies t
  where t.kind = 'state'
    and t.span = 'ever'
  union all
  select d.project_id, d.part, d.n
  from workgate.tally_deltas d
  where d.kind = 'state'
),
tasks as (
  select
    project_id,
    workgate.total(n) filter (where part = 'open') as open,
    workgate.total(n) filter (where part = 'completed') as completed
  from tallies
  group by project_id
),
members as (
  select project_id, count(*) as n
  from workgate.project_members
  group by project_id
)
select
  p.key, p.id, p.name, p.status,
  coalesce(t.open, 0)::integer as "openTasks", coalesce(t.completed, 0)::integer as "completedTasks",
  coalesce(m.n, 0)::integer as members
from workgate.projects p
left join tasks t on t.project_id = p.id
left join members m on m.project_id = p.id
order by p.key
