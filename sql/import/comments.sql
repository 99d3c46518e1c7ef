-- Comments and their files. Only values that differ are written. A comment cannot be stored without text: one that has lost
-- its text is deleted, before its files can come with another one.
with empty as (
  select p.id as project_id, i.id
  from imported i
  join target_projects p on p.imported_id = i.project_id
  where i.kind = 'comment'
    and i.data ? 'isEmpty'
),
deleted as (
  delete from workgate.comments c
  using empty e
  where c.project_id = e.project_id
    and c.id = e.id
  returning 1
)
insert into results
select 'comments', 'deleted', (select count(*) from deleted)
union all
select 'note', 'comments without text were left out', (select count(*) from empty) - (select count(*) from deleted);

create temporary table incoming_comments on commit drop as
select
  p.id as project_id, i.id, i.line, c.id is not null as known, t.id as task_id,
  i.data ->> 'body' as body,
  case when i.data ? 'bodyFormat' then i.data ->> 'bodyFormat' else c.body_format end as body_format,
  case when i.data ? 'authorId' then author.id else c.author_id end as author_id,
  coalesce((i.data ->> 'createdAt')::workgate.moment, c.created_at, (select workgate.present())) as created_at,
  coalesce(
    (i.data ->> 'updatedAt')::workgate.moment, (i.data ->> 'createdAt')::workgate.moment, (select workgate.present())) as updated_at,
  i.data -> 'files' as files,
  false as changed
from imported i
join target_projects p on p.imported_id = i.project_id
left join workgate.tasks t on t.project_id = p.id and t.id = (i.data ->> 'taskId')::uuid
left join workgate.comments c on c.project_id = p.id and c.id = i.id
left join target_users author on author.imported_id = (i.data ->> 'authorId')::uuid
where i.kind = 'comment'
  and not i.data ? 'isEmpty';
create unique index on incoming_comments (project_id, id);
analyze incoming_comments;

with removed as (
  delete from incoming_comments where task_id is null returning 1
)
insert into results select 'note', 'comments on tasks that are not in the project were left out', count(*) from removed;

with created as (
  insert into workgate.comments (project_id, id, task_id, author_id, body, body_format, created_at, updated_at)
  select project_id, id, task_id, author_id, body, body_format, created_at, updated_at
  from incoming_comments
  where not known
  order by created_at, id
  returning project_id, id
)
insert into results select 'comments', 'created', count(*) from created;

-- Files move with their comment.
with moved as (
  update workgate.files f
  set task_id = i.task_id
  from incoming_comments i
  where i.known
    and f.project_id = i.project_id
    and f.comment_id = i.id
    and f.task_id <> i.task_id
),
updated as (
  update workgate.comments c
  set task_id = i.task_id, author_id = i.author_id, body = i.body, body_format = i.body_format, created_at = i.created_at
  from incoming_comments i
  where i.known
    and c.project_id = i.project_id
    and c.id = i.id
    and (c.task_id, c.author_id, c.body, c.body_format, c.created_at)
    is distinct from (i.task_id, i.author_id, i.body, i.body_format, i.created_at)
  returning c.project_id, c.id
)
update incoming_comments i
set changed = true
from updated u
where i.project_id = u.project_id
  and i.id = u.id;

-- Files are added and changed. None is removed: the file that is imported may not list them all.
create temporary table incoming_files on commit drop as
select distinct on (i.project_id, f.id)
  i.project_id, i.task_id, i.id as comment_id, f.id, f.name, f."mimeType" as mime_type, f."sizeBytes" as size_bytes, f.sha256, f.url,
  creator.id as creator_id, coalesce(f."createdAt"::workgate.moment, i.created_at) as created_at,
  coalesce(f."updatedAt"::workgate.moment, f."createdAt"::workgate.moment, i.created_at) as updated_at
from incoming_comments i
cross join jsonb_to_recordset(i.files)
  as f (id uuid, name text, "mimeType" text, "sizeBytes" bigint, sha256 text, url text, "creatorId" uuid, "createdAt" text,
    "updatedAt" text)
left join target_users creator on creator.imported_id = f."creatorId"
order by i.project_id, f.id;

with added as (
  insert into workgate.files as c (
    project_id, id, task_id, comment_id, creator_id, name, mime_type, size_bytes, sha256, url, created_at, updated_at)
  select project_id, id, task_id, comment_id, creator_id, name, mime_type, size_bytes, sha256, url, created_at, updated_at
  from incoming_files
  order by project_id, id
  on conflict (project_id, id) do update
  set name = excluded.name, mime_type = excluded.mime_type, size_bytes = excluded.size_bytes, url = excluded.url
  where (c.name, c.mime_type, c.size_bytes, c.url)
    is distinct from (excluded.name, excluded.mime_type, excluded.size_bytes, excluded.url)
  returning project_id, comment_id
)
update incoming_comments i
set changed = true
from added a
where i.project_id = a.project_id
  and i.id = a.comment_id;

insert into results
select 'comments', case when changed then 'updated' else 'unchanged' end, count(*)
from incoming_comments
where known
group by changed;
