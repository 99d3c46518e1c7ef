-- Says why a source cannot be followed. The marks stand still.
with progress as (
  update workgate.source_progress
  set failures = failures + 1
  where project_id = :projectId::uuid
    and fence = :fence::bigint
  returning project_id
)
update workgate.sources s
set state = 'failing', problem = :problem::text
from progress g
where s.project_id = g.project_id
  and s.state <> 'paused'
  and (s.state, s.problem) is distinct from ('failing', :problem)
