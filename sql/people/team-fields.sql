-- The fields of a team in responses, from row t
t.id, t.name, t.description, workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt"
