-- The fields of a comment in responses, from row c
c.id, c.project_id as "projectId", c.task_id as "taskId", c.author_id as "authorId", c.body, c.body_format as "bodyFormat",
workgate.iso(c.created_at) as "createdAt", workgate.iso(c.updated_at) as "updatedAt"
