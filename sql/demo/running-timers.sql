-- workgate demo: running timers of a few people, each on one of their own tasks.
insert into workgate.time_entries (project_id, id, task_id, user_id, spent_on, started_at, billable, created_at, updated_at)
select
  project_id, pg_temp.id(0, 'timer ' || email), task_id, people.id, started_at::date, started_at, false,
  started_at, started_at
from brief
cross join people
cross join lateral (
  select t.project_id, t.id as task_id
  from planned_members m
  join workgate.tasks t on t.project_id = m.project_id and t.assignee_id = m.user_id
  join workgate.stages s on s.project_id = t.project_id and s.id = t.stage_id
  where m.user_id = people.id
    and t.state = 'open'
    and s.category = 'active'
    and t.created_at < until - interval '1 day'
  order by t.created_at desc, t.id
  limit 1
) as latest
cross join lateral (
  select date_trunc('milliseconds', until - (0.2 + 3 * pg_temp.dice(people.n, 'timer')) * interval '1 hour') as started_at
) as timer
where people.n % 6 = 1
  and people.gone = 'infinity'
