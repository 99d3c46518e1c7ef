-- The fields of the line of time entry e
'time_entry' as kind, e.id, e.project_id as "projectId", e.task_id as "taskId", e.user_id as "userId", e.description,
e.spent_on as "spentOn", workgate.iso(e.started_at) as "startedAt", workgate.iso(e.ended_at) as "endedAt", e.timed, e.billable,
workgate.iso(e.created_at) as "createdAt", workgate.iso(e.updated_at) as "updatedAt"
