-- workgate doctor: the projects whose tallies to compare with their rows. Tallies of deleted projects are wrong too. The
-- highest number stands for the number of tasks, which would take longer to count.
select coalesce(p.id, t.project_id) as id, coalesce(p.key, 'deleted') as key, coalesce(c.last_number, 0)::float8 as tasks
from workgate.projects p
left join workgate.task_counters c on c.project_id = p.id
full join (
  select distinct project_id from workgate.tallies
  union
  select distinct project_id from workgate.tally_deltas
) t on t.project_id = p.id
order by p.key
