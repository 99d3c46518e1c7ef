-- Deletes tags that tasks of the file have lost and that no task has any more, such as a label under its name before it was
-- renamed. Tags that people or other sources have created remain: derived ids begin with that of the source.
create temporary table deleted_tags on commit drop as
select t.project_id, t.id
from workgate.tags t
where substr(t.id::text, 15, 1) = '8'
  and exists (select from lost_tags l where l.project_id = t.project_id and l.id = t.id)
  and exists (select from sources s where s.project_id = t.project_id and s.prefix = left(t.id::text, 13))
order by t.project_id, t.id
-- If somebody is adding such a tag to a task, this waits, and the next statement sees the task.
for update of t;

with deleted as (
  delete from workgate.tags t
  using deleted_tags d
  where t.project_id = d.project_id
    and t.id = d.id
    and not exists (select from workgate.task_tags tt where tt.project_id = t.project_id and tt.tag_id = t.id)
  returning t.name
)
insert into results
select 'tags', 'deleted', count(*), (array_agg(name order by name))[1:3] from deleted;
