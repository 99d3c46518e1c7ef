-- With --full: tasks of the sources in the file that the file no longer has. The ids of a source are a range.
with rows as (
  select p.id as project_id, i.id
  from imported i
  join target_projects p on p.imported_id = i.project_id
  where i.kind = 'task'
),
sources as (
  select distinct project_id, left(id::text, 13) as prefix
  from rows
)
insert into missing_tasks
select t.project_id, t.id
from sources s
join workgate.tasks t
  on t.project_id = s.project_id
  and t.id >= (s.prefix || '-8000-8000-000000000000')::uuid
  and t.id <= (s.prefix || '-8fff-bfff-ffffffffffff')::uuid
where not exists (select from rows r where r.project_id = t.project_id and r.id = t.id);
