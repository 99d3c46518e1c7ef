-- The fields of a stage in responses, from row s
s.id, s.project_id as "projectId", s.board_id as "boardId", s.name, s.position, s.category, s.wip_limit as "wipLimit",
workgate.iso(s.created_at) as "createdAt", workgate.iso(s.updated_at) as "updatedAt"
