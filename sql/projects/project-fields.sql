-- The fields of a project in responses, from row p
p.id, p.key, p.name, p.description, p.status, p.owner_id as "ownerId",
p.start_date as "startDate", p.due_date as "dueDate",
workgate.iso(p.created_at) as "createdAt", workgate.iso(p.updated_at) as "updatedAt", p.version
