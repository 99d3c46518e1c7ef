-- workgate people merge
-- The number of objects that refer to each user, in any number of projects.
with wanted as (
  select id
  from unnest(:ids::uuid[]) as w (id)
),
tasks as (
  select w.id, count(*) as n
  from wanted w
  join workgate.tasks t on w.id in (t.assignee_id, t.creator_id) or w.id = any (t.assignee_ids)
  group by w.id
),
comments as (
  select author_id as id, count(*) as n
  from workgate.comments
  where author_id in (select id from wanted)
  group by author_id
),
booked as (
  select user_id as id, count(*) as n, sum(duration_seconds) as seconds
  from workgate.time_entries
  where user_id in (select id from wanted)
  group by user_id
),
members as (
  select user_id as id, count(*) as n
  from workgate.project_members
  where user_id in (select id from wanted)
  group by user_id
)
select
  w.id, coalesce(t.n, 0)::integer as tasks, coalesce(c.n, 0)::integer as comments, coalesce(b.n, 0)::integer as "timeEntries",
  coalesce(b.seconds, 0)::float8 as seconds, coalesce(m.n, 0)::integer as projects
from wanted w
left join tasks t on t.id = w.id
left join comments c on c.id = w.id
left join booked b on b.id = w.id
left join members m on m.id = w.id
