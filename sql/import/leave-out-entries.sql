-- Without --create-tasks: entries with the name of a task that the project does not have.
delete from imported i
using entries_of_missing_tasks u
where i.project_id = u.project_id
  and (i.kind = 'time_entry' and i.id = u.id or i.kind = 'task' and i.id = u.task_id);

insert into results
select 'note', 'time entries of tasks that the project does not have were left out (--create-tasks creates these tasks)', count(*)
from entries_of_missing_tasks;
