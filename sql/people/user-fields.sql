-- The fields of a user in responses, from their rows u in users and m in project_members
u.id, u.name, u.email, m.role, u.active, workgate.iso(m.joined_at) as "joinedAt",
workgate.iso(greatest(u.updated_at, m.updated_at)) as "updatedAt"
