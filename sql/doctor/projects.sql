-- workgate doctor: whose tallies to compare. Those of a project that is not there any more are wrong as well.
select coalesce(p.id, t.project_id) as id, coalesce(p.key, 'deleted') as key
from workgate.projects p
full join (
  select distinct project_id from workgate.tallies
  union
  select distinct project_id from workgate.tally_deltas
) t on t.project_id = p.id
order by p.key
