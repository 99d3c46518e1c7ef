-- workgate demo: compacts the tallies of the projects that have new rows.
select workgate.compact_tallies(project_id)
from (select distinct project_id from workgate.tally_deltas order by project_id) as changed
