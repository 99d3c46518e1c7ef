-- The fields of a document in responses, from row d
d.id, d.project_id as "projectId", d.path, d.title, d.task_id as "taskId", d.author_id as "authorId",
d.size_bytes as "sizeBytes", d.word_count as "wordCount", d.headings, d.sha256, d.revision,
workgate.iso(d.created_at) as "createdAt", workgate.iso(d.updated_at) as "updatedAt"
