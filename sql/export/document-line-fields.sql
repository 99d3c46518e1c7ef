-- The fields of the line of document d
'document' as kind, d.id, d.project_id as "projectId", d.path, d.title, d.task_id as "taskId", d.author_id as "authorId",
d.markdown, d.revision, workgate.iso(d.created_at) as "createdAt", workgate.iso(d.updated_at) as "updatedAt"
