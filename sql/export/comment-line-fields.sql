-- The fields of the line of comment c
'comment' as kind, {{commentFields}},
array(
  select json_build_object(
    'id', cf.id, 'creatorId', cf.creator_id, 'name', cf.name, 'mimeType', cf.mime_type, 'sizeBytes', cf.size_bytes,
    'sha256', cf.sha256, 'url', cf.url, 'createdAt', workgate.iso(cf.created_at), 'updatedAt', workgate.iso(cf.updated_at))
  from workgate.files cf
  where cf.project_id = c.project_id
    and cf.comment_id = c.id
  order by cf.created_at, cf.id
) as files
