-- …/work-packet/verification: which of the tasks are not at these versions any more, by their places in the lists.
-- Walks tasks_pkey, task by task: a join would read the whole table where it is small.
select asked.place::integer - 1 as place
from unnest(:projectIds::uuid[], :taskIds::uuid[], :versions::bigint[])
  with ordinality as asked (project_id, id, version, place)
where asked.version is distinct from (
  select t.version
  from workgate.tasks t
  where t.project_id = asked.project_id
    and t.id = asked.id
)
