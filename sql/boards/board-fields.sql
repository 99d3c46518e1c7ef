-- The fields of a board in responses, from row b
b.id, b.project_id as "projectId", b.name, b.description, b.position, b.archived,
workgate.iso(b.created_at) as "createdAt", workgate.iso(b.updated_at) as "updatedAt"
