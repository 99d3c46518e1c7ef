-- The files of comment c, as JSON text
select '[' || coalesce(string_agg(row_to_json(f)::text, ','), '') || ']'
from (
  select
    cf.id, cf.name, cf.mime_type as "mimeType", cf.size_bytes as "sizeBytes", cf.sha256, cf.url,
    workgate.iso(cf.created_at) as "createdAt"
  from workgate.files cf
  where cf.project_id = {{project}}
    and cf.comment_id = c.id
  order by cf.created_at, cf.id
) f
