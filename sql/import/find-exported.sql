-- Rows of a sheet that was exported from the project that it is imported into: each is the task with its number and its
-- externalId, or its reference if the task has none. The ids of such tasks replace the derived ones. An externalId that is only
-- the reference is not stored.
create temporary table exported_tasks on commit drop as
select
  i.project_id, i.id as imported_id, t.id, i.line, p.key || '-' || t.number as reference, i.data #>> '{sheetRow,parent}' as parent,
  p.id as place, p.key, i.data ->> 'stageId' as stage_id, workgate.assignees_of(t.assignee_id, t.assignee_ids) as assignee_ids, t.creator_id,
  -- Stages of the same name on several boards are one in a sheet: the task stays in its own.
  i.data - 'externalId' - case when lower(s.name) = lower(named.data ->> 'name') then 'stageId' else '' end as data
from imported i
join imported o on o.kind = 'project' and o.project_id = i.project_id and o.id = i.project_id and o.data ? 'byKey'
join workgate.projects p on p.key = o.data ->> 'key' and p.key = i.data #>> '{sheetRow,project}'
join workgate.tasks t
  on t.project_id = p.id
  and t.number = (i.data ->> 'number')::bigint
  and coalesce(t.external_id, p.key || '-' || t.number) = i.data ->> 'externalId'
left join workgate.stages s on s.project_id = p.id and s.id = t.stage_id
left join imported named on named.kind = 'stage' and named.project_id = i.project_id and named.id = (i.data ->> 'stageId')::uuid
where i.kind = 'task'
  and i.data ? 'sheetRow';
create index on exported_tasks (project_id, imported_id);
analyze exported_tasks;

-- Parents, also those that the file does not have.
update exported_tasks e
set data = jsonb_set(e.data, '{parentId}', to_jsonb(parent.id))
from (
  select e.project_id, e.imported_id, coalesce(own.id, known.id) as id
  from exported_tasks e
  left join exported_tasks own on own.project_id = e.project_id and own.imported_id = (e.data ->> 'parentId')::uuid
  left join imported i on i.kind = 'task' and i.project_id = e.project_id and i.id = (e.data ->> 'parentId')::uuid
  left join lateral (
    select t.id
    from workgate.tasks t
    where t.project_id = e.place
      and i.id is null
      and (t.external_id = e.parent
        or t.number = substring(e.parent from '^#?(\d{1,15})$')::bigint
        or t.external_id is null and t.number = substring(e.parent from '^' || e.key || '-(\d{1,15})$')::bigint)
    order by t.external_id is distinct from e.parent
    limit 1
  ) known on true
  where e.data ->> 'parentId' is not null
) parent
where parent.id is not null
  and e.project_id = parent.project_id
  and e.imported_id = parent.imported_id;

update imported i
set data = jsonb_set(i.data, '{parentId}', to_jsonb(e.id))
from exported_tasks e
where i.kind = 'task'
  and i.project_id = e.project_id
  and (i.data ->> 'parentId')::uuid = e.imported_id;

delete from imported i
using exported_tasks e
where i.kind = 'task'
  and i.project_id = e.project_id
  and i.id = e.imported_id;

with replaced as (
  insert into imported (kind, project_id, id, line, data)
  select 'task', project_id, id, line, data
  from exported_tasks
  on conflict do nothing
  returning project_id, id
)
insert into refused
select e.line, 'number', e.data ->> 'number', format('is that of task %s, which another row updates', e.reference)
from exported_tasks e
where not exists (select from replaced r where r.project_id = e.project_id and r.id = e.id);

-- Stages and boards that no row needs any more.
delete from imported s
where s.kind = 'stage'
  and exists (select from exported_tasks e where e.project_id = s.project_id and e.stage_id = s.id::text)
  and not exists (
    select from imported i where i.kind = 'task' and i.project_id = s.project_id and i.data ->> 'stageId' = s.id::text);

delete from imported b
where b.kind = 'board'
  and b.project_id in (select project_id from exported_tasks)
  and not exists (
    select from imported s where s.kind = 'stage' and s.project_id = b.project_id and s.data ->> 'boardId' = b.id::text);

-- People without an e-mail address are those of the tasks that have the name, if it is only one.
create temporary table exported_people on commit drop as
select i.id as imported_id, (array_agg(u.id))[1] as id
from (
  select unnest(assignee_ids) as id from exported_tasks
  union
  select creator_id from exported_tasks
  union
  select w.user_id
  from exported_tasks e
  join workgate.task_watchers w on w.project_id = e.place and w.task_id = e.id
) p
join workgate.users u on u.id = p.id and u.email is null
join imported i on i.kind = 'user' and i.data ->> 'email' is null and i.data ->> 'name' = u.name
group by i.id
having count(*) = 1
  and not exists (select from imported o where o.kind = 'user' and o.id = (array_agg(u.id))[1]);

update imported i
set id = p.id
from exported_people p
where i.kind = 'user'
  and i.id = p.imported_id;

update imported i
set data = i.data
  || case when a.ids is null then '{}' else jsonb_build_object('assigneeIds', a.ids) end
  || case when c.id is null then '{}' else jsonb_build_object('creatorId', c.id) end
  || case when w.ids is null then '{}' else jsonb_build_object('watcherIds', w.ids) end
from imported t
left join exported_people c on c.imported_id = (t.data ->> 'creatorId')::uuid
left join lateral (
  select jsonb_agg(coalesce(p.id::text, n.id) order by n.nth) as ids
  from jsonb_array_elements_text(t.data -> 'assigneeIds') with ordinality as n (id, nth)
  left join exported_people p on p.imported_id = n.id::uuid
) a on true
left join lateral (
  select jsonb_agg(coalesce(p.id::text, n.id)) as ids
  from jsonb_array_elements_text(t.data -> 'watcherIds') as n (id)
  left join exported_people p on p.imported_id = n.id::uuid
) w on true
where exists (select from exported_people)
  and i.kind = 'task'
  and t.kind = 'task'
  and t.project_id = i.project_id
  and t.id = i.id;
