-- How many items of each kind a project has.
select kind, count(*)::integer as n
from workgate.source_items
where project_id = :projectId::uuid
group by kind
