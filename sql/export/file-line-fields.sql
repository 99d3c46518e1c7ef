-- The fields of the line of file f of a task itself. Files of comments are in their lines.
'file' as kind, f.id, f.project_id as "projectId", f.task_id as "taskId", f.creator_id as "creatorId", f.name,
f.mime_type as "mimeType", f.size_bytes as "sizeBytes", f.sha256, f.url, workgate.iso(f.created_at) as "createdAt",
workgate.iso(f.updated_at) as "updatedAt"
