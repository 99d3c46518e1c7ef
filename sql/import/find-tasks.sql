-- Entries of time sheets belong to the task that they name by its reference, such as WEB-20, to the one that an earlier import
-- has created for them, or to one that has the title. Of the others, those with the name of a task come with this task, which
-- is missing, and the rest belongs to no task.
create temporary table named_entries on commit drop as
select i.project_id, i.id, p.id as place, i.data #>> '{named,text}' as text, lower(i.data #>> '{named,title}') as title, i.task_id
from (select *, (data ->> 'taskId')::uuid as task_id from imported where kind = 'time_entry' and data ? 'named') i
join target_projects p on p.imported_id = i.project_id;
analyze named_entries;

create temporary table entries_of_missing_tasks on commit drop as
with found as (
  select n.project_id, n.id, n.task_id as own_id, coalesce(referred.id, own.id, titled.id) as task_id
  from named_entries n
  join workgate.projects on projects.id = n.place
  left join workgate.tasks referred
    on referred.project_id = n.place
    and referred.number = substring(n.text from '(?i)\m' || projects.key || '-(\d{1,9})\M')::bigint
  left join workgate.tasks own on own.project_id = n.place and own.id = n.task_id
  left join (
    select distinct on (t.project_id, lower(t.title)) t.project_id, lower(t.title) as title, t.id
    from workgate.tasks t
    where (t.project_id, lower(t.title)) in (select place, title from named_entries)
    order by t.project_id, lower(t.title), t.state <> 'open', t.number
  ) titled on titled.project_id = n.place and titled.title = n.title
),
moved as (
  update imported i
  set data = jsonb_set(i.data, '{taskId}', to_jsonb(f.task_id))
  from found f
  where i.kind = 'time_entry'
    and i.project_id = f.project_id
    and i.id = f.id
    and f.task_id is not null
)
select project_id, id, own_id as task_id
from found
where task_id is null
  and own_id is not null;

insert into results
select 'note', 'time entries name no task of the project, and so belong to none', count(*)
from imported
where kind = 'time_entry'
  and data ? 'named'
  and data ->> 'taskId' is null;

-- Tasks that no entry needs. One that an earlier import has created is brought up to date.
delete from imported i
where kind = 'task'
  and data ? 'ofEntries'
  and not exists (select from entries_of_missing_tasks u where u.project_id = i.project_id and u.task_id = i.id)
  and not exists (
    select
    from target_projects p
    join workgate.tasks t on t.project_id = p.id and t.id = i.id
    where p.imported_id = i.project_id
  );
