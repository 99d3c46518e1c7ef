-- The changes that somebody has to confirm.
select
  p.key, n.added::integer as added, n.existing::integer as existing, n.missing::integer as missing,
  array_to_json(n.names)::text as names
from plan n
join workgate.projects p on p.id = n.project_id
order by p.key
