-- The fields of task t in responses, as JSON text without the closing brace. The same text as that of row_to_json, which
-- takes longer because it looks up the type of each value. Each value of concat has a cost, too, so those that are often
-- null contain their names.
concat(
  '{"id":"', t.id, '","projectId":"', t.project_id, '","number":', t.number,
  ',"reference":"', (select key from workgate.projects where id = {{project}}), '-', t.number,
  '","title":', to_json(t.title), coalesce(',"description":' || to_json(t.description)::text, ',"description":null'),
  ',"state":"', t.state, '","priority":"', t.priority, '"',
  coalesce(',"boardId":"' || t.board_id || '"', ',"boardId":null'),
  coalesce(',"stageId":"' || t.stage_id || '"', ',"stageId":null'),
  coalesce(',"parentId":"' || t.parent_id || '"', ',"parentId":null'),
  coalesce(',"assigneeId":"' || t.assignee_id || '"', ',"assigneeId":null'),
  coalesce(',"assigneeIds":' || to_json(t.assignee_ids)::text, ',"assigneeIds":["' || t.assignee_id || '"]', ',"assigneeIds":[]'),
  coalesce(',"creatorId":"' || t.creator_id || '"', ',"creatorId":null'),
  {{copiedJson}},
  coalesce(',"fields":' || t.fields::text, ',"fields":{}'),
  coalesce(',"completedAt":"' || workgate.iso(t.completed_at) || '"', ',"completedAt":null'),
  coalesce(',"cancelledAt":"' || workgate.iso(t.cancelled_at) || '"', ',"cancelledAt":null'),
  coalesce(',"externalId":' || to_json(t.external_id)::text, ',"externalId":null'),
  ',"createdAt":"', workgate.iso(t.created_at), '","updatedAt":"', workgate.iso(t.updated_at), '","version":', t.version)
