-- The fields of a time entry in responses, from row t
t.id, t.project_id as "projectId", t.task_id as "taskId", t.user_id as "userId", t.description, t.spent_on as "spentOn",
workgate.iso(t.started_at) as "startedAt", workgate.iso(t.ended_at) as "endedAt",
t.duration_seconds as "durationSeconds", t.timed, t.billable,
workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt"
