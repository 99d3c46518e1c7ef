-- GET /projects/:projectId/tasks/:taskId/work-packet/verification
-- Reads the work packet, for its digest, and the checks, from one snapshot.
select
  found."projectFound", found.packet, found.deletion, checks.items::text as checks, checks.ok,
  concat({{ambiguous}} null) as ambiguous
from (
  {{packet}}
) found
left join workgate.tasks t on t.project_id = :projectId
  and t.id = :taskId
cross join lateral (select found.deletion::json as receipt) d
cross join lateral (
  {{checks}}
) checks
