-- The watchers of task t, as JSON text
select '[' || coalesce(string_agg(row_to_json(f)::text, ','), '') || ']'
from (
  select u.id, u.name
  from workgate.task_watchers w
  join workgate.users u on u.id = w.user_id
  where w.project_id = {{project}}
    and w.task_id = t.id
  order by lower(u.name) collate "C", u.id
) f
