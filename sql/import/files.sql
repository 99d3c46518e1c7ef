-- Files of tasks themselves. Only values that differ are written.
create temporary table incoming_task_files on commit drop as
select
  p.id as project_id, i.id, f.id is not null as known, t.id as task_id,
  case when i.data ? 'creatorId' then creator.id else f.creator_id end as creator_id,
  i.data ->> 'name' as name,
  i.data ->> 'mimeType' as mime_type,
  case when i.data ? 'sizeBytes' then (i.data ->> 'sizeBytes')::bigint else f.size_bytes end as size_bytes,
  case when i.data ? 'sha256' then i.data ->> 'sha256' else f.sha256 end as sha256,
  i.data ->> 'url' as url,
  coalesce((i.data ->> 'createdAt')::workgate.moment, f.created_at, (select workgate.present())) as created_at,
  coalesce(
    (i.data ->> 'updatedAt')::workgate.moment, (i.data ->> 'createdAt')::workgate.moment, (select workgate.present())) as updated_at
from imported i
join target_projects p on p.imported_id = i.project_id
left join workgate.tasks t on t.project_id = p.id and t.id = (i.data ->> 'taskId')::uuid
left join workgate.files f on f.project_id = p.id and f.id = i.id
left join target_users creator on creator.imported_id = (i.data ->> 'creatorId')::uuid
where i.kind = 'file';
create unique index on incoming_task_files (project_id, id);
analyze incoming_task_files;

with removed as (
  delete from incoming_task_files where task_id is null returning 1
)
insert into results select 'note', 'files of tasks that are not in the project were left out', count(*) from removed;

with created as (
  insert into workgate.files (
    project_id, id, task_id, creator_id, name, mime_type, size_bytes, sha256, url, created_at, updated_at)
  select project_id, id, task_id, creator_id, name, mime_type, size_bytes, sha256, url, created_at, updated_at
  from incoming_task_files
  where not known
  order by created_at, id
  returning 1
)
insert into results select 'files', 'created', count(*) from created;

with updated as (
  update workgate.files f
  set
    task_id = i.task_id, comment_id = null, creator_id = i.creator_id, name = i.name, mime_type = i.mime_type,
    size_bytes = i.size_bytes, sha256 = i.sha256, url = i.url, created_at = i.created_at
  from incoming_task_files i
  where i.known
    and f.project_id = i.project_id
    and f.id = i.id
    and (f.task_id, f.comment_id, f.creator_id, f.name, f.mime_type, f.size_bytes, f.sha256, f.url, f.created_at)
      is distinct from (i.task_id, null, i.creator_id, i.name, i.mime_type, i.size_bytes, i.sha256, i.url, i.created_at)
  returning 1
)
insert into results select 'files', 'updated', count(*) from updated;

insert into results
select
  'files', 'unchanged',
  (select count(*) from incoming_task_files where known)
    - (select sum(n) from results where kind = 'files' and outcome = 'updated');
