-- …/work-packet/verification
-- Returns the positions of the tasks that no longer have the given version, or that reached it at another time. The
-- time matters because a new task with the id of a deleted one can have the same version. Scans tasks_pkey and
-- task_history_pkey task by task: a join would read the whole table if it is small.
select asked.place::integer - 1 as place
from unnest(:projectIds::uuid[], :taskIds::uuid[], :versions::bigint[], :moments::text[])
  with ordinality as asked (project_id, id, version, moment, place)
where asked.version is distinct from (
  select t.version
  from workgate.tasks t
  where t.project_id = asked.project_id
    and t.id = asked.id
)
or asked.moment <> coalesce((
  select workgate.iso(h.at)
  from workgate.task_history h
  where h.project_id = asked.project_id
    and h.task_id = asked.id
    and h.version = asked.version
), '')
