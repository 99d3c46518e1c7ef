-- …/work-packet/verification: which of the tasks are not at these versions any more, or came to them at other moments,
-- by their places in the lists. A task that takes the id of another one begins at its version.
-- Walks tasks_pkey and task_history_pkey, task by task: a join would read the whole table where it is small.
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
