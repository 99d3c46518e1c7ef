-- GET /projects/:projectId/time-entries, GET /projects/:projectId/time-entries/:timeEntryId, GET /time-entries
select
  {{rowId}} as id,
  t.position,
  (
    select row_to_json(f)
    from (
      select
        t.id, t.project_id as "projectId", t.task_id as "taskId", t.user_id as "userId", t.description,
        t.spent_on as "spentOn",
        workgate.iso(t.started_at) as "startedAt", workgate.iso(t.ended_at) as "endedAt",
        t.duration_seconds as "durationSeconds", t.billable,
        workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt"
    ) f
  )::text as item
from (
  {{matching}}
) t
