-- The ids of tasks that are named by their ids, numbers or references. A reference finds nothing if its key is not that
-- of the project.
select named.name::uuid as id
from unnest({{names}}) as named (name)
where length(named.name) = 36
union all
select n.id
from unnest({{names}}) as named (name)
join workgate.tasks n on n.project_id = :projectId::uuid
  and n.number = substring(named.name from '^(?:[A-Z][A-Z0-9]*-)?([0-9]+)$')::bigint
where coalesce(substring(named.name from '^([A-Z][A-Z0-9]*)-') = (select key from workgate.projects where id = :projectId), true)
