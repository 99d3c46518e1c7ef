-- With --full: deletes the tasks that the file no longer has. Tasks of other sources lose their parent.
with detached as (
  update workgate.tasks t
  set parent_id = null
  from missing_tasks m
  where t.project_id = m.project_id
    and t.parent_id = m.id
    and not exists (select from missing_tasks own where own.project_id = t.project_id and own.id = t.id)
  returning t.number, t.title
)
insert into results
select 'tasks', 'updated', count(*), (array_agg(title order by number))[1:3] from detached;

with deleted as (
  delete from workgate.tasks t
  using missing_tasks m
  where t.project_id = m.project_id
    and t.id = m.id
  returning t.number, t.title
)
insert into results
select 'tasks', 'deleted', count(*), (array_agg(title order by number))[1:3] from deleted;
