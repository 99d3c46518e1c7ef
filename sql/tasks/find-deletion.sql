-- GET /projects/:projectId/tasks/:taskId, POST /projects/:projectId/tasks/:taskId/complete
-- Runs only if the task does not exist: the receipt of its deletion, unless the project does not exist either. Scans
-- journal_by_object.
select d.receipt::text as receipt
from (
  {{deletion}}
) d
where exists (select from workgate.projects where id = :projectId::uuid)
