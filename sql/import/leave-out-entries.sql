-- Without --create-tasks: entries that name no task.
delete from imported i
using unnamed_entries u
where i.project_id = u.project_id
  and (i.kind = 'time_entry' and i.id = u.id or i.kind = 'task' and i.id = u.task_id);

insert into results
select 'note', 'time entries that name no task were left out (--create-tasks makes a task of each description)', count(*)
from unnamed_entries;
