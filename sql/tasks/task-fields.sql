-- The fields of a task in responses, from row t
t.id, t.project_id as "projectId", t.number,
(select key from workgate.projects where id = {{project}}) || '-' || t.number as reference,
t.title, t.description, t.state, t.priority,
t.board_id as "boardId", t.stage_id as "stageId", t.parent_id as "parentId",
t.assignee_id as "assigneeId", t.creator_id as "creatorId",
t.start_date as "startDate", t.due_date as "dueDate", t.estimate_seconds as "estimateSeconds",
workgate.iso(t.completed_at) as "completedAt", workgate.iso(t.cancelled_at) as "cancelledAt",
t.external_id as "externalId", t.external_url as "externalUrl",
workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt", t.version
