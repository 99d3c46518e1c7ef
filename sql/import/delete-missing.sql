-- With --full: tasks of the sources in the file that the file no longer has. The ids of a source are a range.
with sources as (
  select distinct project_id, left(id::text, 13) as prefix
  from incoming_tasks
),
deleted as (
  delete from workgate.tasks t
  using sources s
  where t.project_id = s.project_id
    and t.id >= (s.prefix || '-8000-8000-000000000000')::uuid
    and t.id <= (s.prefix || '-8fff-bfff-ffffffffffff')::uuid
    and not exists (select from incoming_tasks i where i.project_id = t.project_id and i.id = t.id)
  returning t.number, t.title
)
insert into results
select 'tasks', 'deleted', count(*), (array_agg(title order by number))[1:3] from deleted;
