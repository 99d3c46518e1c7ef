-- Documents of an export. Only values that differ are written.
create temporary table incoming_documents on commit drop as
select
  p.id as project_id, i.id, i.line, d.id is not null as known, i.data ->> 'path' as path, i.data ->> 'title' as title,
  t.id as task_id, author.id as author_id, i.data ->> 'markdown' as markdown, (i.data ->> 'revision')::integer as revision,
  (i.data ->> 'createdAt')::workgate.moment as created_at, (i.data ->> 'updatedAt')::workgate.moment as updated_at
from imported i
join target_projects p on p.imported_id = i.project_id
left join workgate.tasks t on t.project_id = p.id and t.id = (i.data ->> 'taskId')::uuid
left join workgate.documents d on d.project_id = p.id and d.id = i.id
left join target_users author on author.imported_id = (i.data ->> 'authorId')::uuid
where i.kind = 'document';

insert into refused
select i.line, 'path', i.path, 'belongs to another document of the project'
from incoming_documents i
join workgate.documents d on d.project_id = i.project_id and d.path = i.path and d.id <> i.id;

insert into refused
select line, 'path', path, 'is also that of another document in this file'
from (
  select line, path, row_number() over (partition by project_id, path order by line) as n
  from incoming_documents
) i
where i.n > 1;
delete from incoming_documents i using refused r where r.name = 'path' and r.line = i.line and r.value = i.path;

with created as (
  insert into workgate.documents (
    project_id, id, path, title, task_id, author_id, markdown, revision, created_at, updated_at)
  select project_id, id, path, title, task_id, author_id, markdown, revision, created_at, updated_at
  from incoming_documents
  where not known
  returning path
)
insert into results select 'documents', 'created', count(*), (array_agg(path order by path))[1:3] from created;

with updated as (
  update workgate.documents d
  set path = i.path, title = i.title, task_id = i.task_id, author_id = i.author_id, markdown = i.markdown
  from incoming_documents i
  where i.known
    and d.project_id = i.project_id
    and d.id = i.id
    and (d.path, d.title, d.task_id, d.author_id, d.markdown)
      is distinct from (i.path, i.title, i.task_id, i.author_id, i.markdown)
  returning d.path
)
insert into results select 'documents', 'updated', count(*), (array_agg(path order by path))[1:3] from updated;

insert into results
select
  'documents', 'unchanged',
  (select count(*) from incoming_documents where known)
    - (select sum(n) from results where kind = 'documents' and outcome = 'updated');
