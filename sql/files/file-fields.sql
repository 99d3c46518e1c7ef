-- The fields of a file in responses, from row f
f.id, f.project_id as "projectId", f.task_id as "taskId", f.comment_id as "commentId", f.creator_id as "creatorId", f.name,
f.mime_type as "mimeType", f.size_bytes as "sizeBytes", f.sha256, f.url, workgate.iso(f.created_at) as "createdAt",
workgate.iso(f.updated_at) as "updatedAt"
