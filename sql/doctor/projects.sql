-- workgate doctor: the projects whose tallies to compare with their rows. Tallies of deleted projects are wrong too.
select coalesce(p.id, t.project_id) as id, coalesce(p.key, 'deleted') as key
from workgate.projects p
full join (
  select distinct project_id from workgate.tallies
  union
  select distinct project_id from workgate.tally_deltas
) t on t.project_id = p.id
order by p.key
