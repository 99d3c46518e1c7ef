-- workgate people
-- Each table is read once, in any number of projects.
with members as (
  select m.user_id, array_agg(p.key order by p.key) as keys
  from workgate.project_members m
  join workgate.projects p on p.id = m.project_id
  group by m.user_id
),
assigned as (
  select a.user_id, count(*) as n
  from workgate.tasks t
  cross join unnest(workgate.assignees_of(t.assignee_id, t.assignee_ids)) as a (user_id)
  group by a.user_id
),
created as (
  select creator_id as user_id, count(*) as n
  from workgate.tasks
  group by creator_id
),
commented as (
  select author_id as user_id, count(*) as n
  from workgate.comments
  group by author_id
),
booked as (
  select user_id, count(*) as n
  from workgate.time_entries
  group by user_id
)
select
  u.id, u.name, u.email, array_to_json(coalesce(m.keys, '{}'))::text as projects, coalesce(a.n, 0)::integer as tasks,
  (coalesce(a.n, 0) + coalesce(c.n, 0) + coalesce(w.n, 0) + coalesce(b.n, 0))::integer as uses
from workgate.users u
left join members m on m.user_id = u.id
left join assigned a on a.user_id = u.id
left join created c on c.user_id = u.id
left join commented w on w.user_id = u.id
left join booked b on b.user_id = u.id
order by lower(u.name), u.id
