-- Entries of time sheets belong to the task that they name by its reference, such as WEB-20, or by its title. The others keep
-- a task of their own, which may exist from an earlier import.
create temporary table unnamed_entries on commit drop as
with named as (
  select i.project_id, i.id, coalesce(referred.id, titled.id) as task_id
  from imported i
  join target_projects p on p.imported_id = i.project_id
  join workgate.projects on projects.id = p.id
  left join workgate.tasks referred
    on referred.project_id = p.id
    and referred.number = substring(i.data #>> '{named,text}' from '(?i)\m' || projects.key || '-(\d{1,9})\M')::bigint
  left join lateral (
    select t.id
    from workgate.tasks t
    where t.project_id = p.id
      and lower(t.title) = lower(i.data #>> '{named,title}')
    order by t.id <> (i.data ->> 'taskId')::uuid, t.state <> 'open', t.number
    limit 1
  ) titled on true
  where i.kind = 'time_entry'
    and i.data ? 'named'
),
moved as (
  update imported i
  set data = jsonb_set(i.data, '{taskId}', to_jsonb(n.task_id))
  from named n
  where i.kind = 'time_entry'
    and i.project_id = n.project_id
    and i.id = n.id
    and n.task_id is not null
)
select n.project_id, n.id, (i.data ->> 'taskId')::uuid as task_id
from named n
join imported i on i.kind = 'time_entry' and i.project_id = n.project_id and i.id = n.id
left join target_projects p on p.imported_id = n.project_id
where n.task_id is null
  and not exists (select from workgate.tasks t where t.project_id = p.id and t.id = (i.data ->> 'taskId')::uuid);

delete from imported i
where kind = 'task'
  and data ? 'ofEntries'
  and not exists (select from unnamed_entries u where u.project_id = i.project_id and u.task_id = i.id)
  and not exists (
    select
    from target_projects p
    join workgate.tasks t on t.project_id = p.id and t.id = i.id
    where p.imported_id = i.project_id
  );
