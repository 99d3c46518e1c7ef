-- With --full: tasks of the sources in the file that the file no longer has.
create temporary table source_tasks on commit drop as
select
  t.project_id, t.id, t.number, t.title,
  not exists (
    select
    from imported i
    join target_projects p on p.imported_id = i.project_id
    where p.id = t.project_id
      and i.kind = 'task'
      and i.id = t.id
  ) as missing
from sources s
join workgate.tasks t
  on t.project_id = s.project_id
  and t.id >= (s.prefix || '-8000-8000-000000000000')::uuid
  and t.id <= (s.prefix || '-8fff-bfff-ffffffffffff')::uuid;

insert into missing_tasks
select project_id, id from source_tasks where missing;

insert into plan
select
  project_id, 0, count(*), count(*) filter (where missing), (array_agg(title order by number) filter (where missing))[1:3]
from source_tasks
group by project_id
having bool_or(missing);
