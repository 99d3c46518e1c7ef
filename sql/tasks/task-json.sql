-- The fields of task t in responses, as JSON text without the closing brace. The same text as that of row_to_json, which
-- takes longer because it looks up the type of each value.
concat(
  '{"id":"', t.id, '","projectId":"', t.project_id, '","number":', t.number,
  ',"reference":"', (select key from workgate.projects where id = {{project}}), '-', t.number,
  '","title":', to_json(t.title), ',"description":', coalesce(to_json(t.description)::text, 'null'),
  ',"state":"', t.state, '","priority":"', t.priority,
  '","boardId":', coalesce('"' || t.board_id || '"', 'null'), ',"stageId":', coalesce('"' || t.stage_id || '"', 'null'),
  ',"parentId":', coalesce('"' || t.parent_id || '"', 'null'), ',"assigneeId":', coalesce('"' || t.assignee_id || '"', 'null'),
  ',"assigneeIds":', coalesce(to_json(t.assignee_ids)::text, '["' || t.assignee_id || '"]', '[]'),
  ',"creatorId":', coalesce('"' || t.creator_id || '"', 'null'),
  {{copiedJson}},
  ',"completedAt":', coalesce('"' || workgate.iso(t.completed_at) || '"', 'null'),
  ',"cancelledAt":', coalesce('"' || workgate.iso(t.cancelled_at) || '"', 'null'),
  ',"externalId":', coalesce(to_json(t.external_id)::text, 'null'),
  ',"createdAt":"', workgate.iso(t.created_at), '","updatedAt":"', workgate.iso(t.updated_at), '","version":', t.version)
