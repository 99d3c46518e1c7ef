-- The tasks as they should be: values that the file does not have are those of the existing task.
create temporary table incoming_tasks on commit drop as
select
  p.id as project_id, i.id, i.line, t.id is not null as known,
  i.data ->> 'title' as title,
  case when i.data ? 'description' then i.data ->> 'description' else t.description end as description,
  coalesce(i.data ->> 'state', t.state, 'open') as state,
  coalesce((i.data ->> 'priority')::workgate.priority, t.priority, 'none') as priority,
  case when i.data ? 'stageId' then coalesce(s.board_id, b.id) when t.id is null then f.board_id else t.board_id end as board_id,
  case when i.data ? 'stageId' then s.id when t.id is null then f.id else t.stage_id end as stage_id,
  case when i.data ? 'parentId' then (i.data ->> 'parentId')::uuid else t.parent_id end as parent_id,
  case when i.data ? 'assigneeIds' then a.ids[1] else t.assignee_id end as assignee_id,
  case when not i.data ? 'assigneeIds' then t.assignee_ids when cardinality(a.ids) > 1 then a.ids end as assignee_ids,
  case when i.data ? 'creatorId' then creator.id else t.creator_id end as creator_id,
  {{copiedImport}},
  -- An export has all own fields of a task. A tool has those of its columns, and null for those that are empty.
  nullif(jsonb_strip_nulls(
    coalesce(i.data -> 'fields', coalesce(t.fields, '{}') || coalesce(i.data -> 'givenFields', '{}'))), '{}') as fields,
  case coalesce(i.data ->> 'state', t.state)
    when 'completed' then coalesce(
      (i.data ->> 'completedAt')::workgate.moment, t.completed_at, (i.data ->> 'updatedAt')::workgate.moment,
      (i.data ->> 'createdAt')::workgate.moment, (select workgate.present()))
  end::workgate.moment as completed_at,
  case coalesce(i.data ->> 'state', t.state)
    when 'cancelled' then coalesce(
      (i.data ->> 'cancelledAt')::workgate.moment, t.cancelled_at, (i.data ->> 'updatedAt')::workgate.moment,
      (i.data ->> 'createdAt')::workgate.moment, (select workgate.present()))
  end::workgate.moment as cancelled_at,
  case when i.data ? 'externalId' then i.data ->> 'externalId' else t.external_id end as external_id,
  coalesce((i.data ->> 'createdAt')::workgate.moment, t.created_at, (select workgate.present())) as created_at,
  coalesce(
    (i.data ->> 'updatedAt')::workgate.moment, (i.data ->> 'createdAt')::workgate.moment, (select workgate.present())) as updated_at,
  (i.data ->> 'number')::bigint as number,
  coalesce((i.data ->> 'version')::bigint, 1) as version,
  i.data -> 'tags' as tags,
  i.data -> 'watcherIds' as watchers,
  false as changed
from imported i
join target_projects p on p.imported_id = i.project_id
left join workgate.tasks t on t.project_id = p.id and t.id = i.id
left join target_stages s on s.project_id = p.id and s.imported_id = (i.data ->> 'stageId')::uuid
left join target_boards b on b.project_id = p.id and b.imported_id = (i.data ->> 'boardId')::uuid
left join first_stages f
  on f.project_id = p.id and f.is_done = (coalesce(i.data ->> 'state', 'open') = 'completed') and i.data ->> 'state' is distinct from 'cancelled'
left join lateral (
  select array_agg(u.id order by u.n) as ids
  from (
    select u.id, min(n.nth) as n
    from jsonb_array_elements_text(i.data -> 'assigneeIds') with ordinality as n (imported_id, nth)
    join target_users u on u.imported_id = n.imported_id::uuid
    group by u.id
  ) u
) a on true
left join target_users creator on creator.imported_id = (i.data ->> 'creatorId')::uuid
where i.kind = 'task';
create unique index on incoming_tasks (project_id, id);
analyze incoming_tasks;

-- An externalId identifies one task of a project, also if another source or a person has given it.
insert into refused
select
  i.line, 'externalId', i.external_id,
  format('belongs to task %s, which did not come from this source', p.key || '-' || t.number)
from incoming_tasks i
join workgate.tasks t on t.project_id = i.project_id and t.external_id = i.external_id and t.id <> i.id
join workgate.projects p on p.id = i.project_id;

insert into refused
select i.line, 'externalId', i.external_id, 'is also that of a task of another source in this file'
from (
  select line, external_id, row_number() over (partition by project_id, external_id order by line) as n
  from incoming_tasks
  where external_id is not null
) i
where i.n > 1;

delete from incoming_tasks i using refused r where r.name = 'externalId' and r.line = i.line and r.value = i.external_id;

insert into refused
select line, 'fields', '', 'has more than 50 own fields, or more than 16 KB of them' from incoming_tasks where not workgate.fields_fit(fields);

delete from incoming_tasks where not workgate.fields_fit(fields);

-- Tools allow values that this service does not.
with repaired as (
  update incoming_tasks set start_date = null where start_date > due_date returning 1
)
insert into results select 'note', 'start dates after the due date were left out', count(*) from repaired;

with repaired as (
  update incoming_tasks i
  set parent_id = null
  where i.parent_id = i.id
    or (i.parent_id is not null
      and not exists (select from incoming_tasks p where p.project_id = i.project_id and p.id = i.parent_id)
      and not exists (
        select from workgate.tasks t
        where t.project_id = i.project_id
          and t.id = i.parent_id
          and not exists (select from missing_tasks m where m.project_id = t.project_id and m.id = t.id)))
  returning 1
)
insert into results select 'note', 'parents that are not in the project were left out', count(*) from repaired;

-- Tasks whose parents end are found from above: those without a parent, their children, and so on.
with recursive parents (project_id, id, parent_id) as (
  select project_id, id, parent_id from incoming_tasks
  union all
  select t.project_id, t.id, t.parent_id
  from workgate.tasks t
  where exists (select from incoming_tasks i where i.project_id = t.project_id and i.parent_id is not null)
    and not exists (select from incoming_tasks i where i.project_id = t.project_id and i.id = t.id)
),
ending (project_id, id) as (
  select project_id, id from parents where parent_id is null
  union all
  select p.project_id, p.id
  from ending e
  join parents p on p.project_id = e.project_id and p.parent_id = e.id
),
repaired as (
  update incoming_tasks i
  set parent_id = null
  where parent_id is not null
    and not exists (select from ending e where e.project_id = i.project_id and e.id = i.id)
  returning 1
)
insert into results select 'note', 'parents that form a cycle were left out', count(*) from repaired;

-- The number of a new task, if no other has it.
with repaired as (
  update incoming_tasks i
  set number = null
  from (
    select
      project_id, id,
      row_number() over (partition by project_id, number order by line, id) > 1
        or exists (select from workgate.tasks t where t.project_id = n.project_id and t.number = n.number) as is_taken
    from incoming_tasks n
    where not known
      and number is not null
  ) n
  where n.is_taken
    and i.project_id = n.project_id
    and i.id = n.id
  returning 1
)
insert into results select 'note', 'tasks got another number, because theirs is in use', count(*) from repaired;

-- Everybody who is mentioned in a project is a member. An export names the members: of others, only assignees and watchers
-- have to be one.
insert into workgate.project_members (project_id, user_id)
select m.project_id, m.user_id
from (
  select project_id, unnest(workgate.assignees_of(assignee_id, assignee_ids)), true from incoming_tasks
  union
  select project_id, creator_id, false from incoming_tasks
  union
  select i.project_id, u.id, true
  from incoming_tasks i
  cross join jsonb_array_elements_text(i.watchers) w (imported_id)
  join target_users u on u.imported_id = w.imported_id::uuid
  union
  select p.id, u.id, false
  from imported i
  join target_projects p on p.imported_id = i.project_id
  join target_users u on u.imported_id = coalesce(i.data ->> 'authorId', i.data ->> 'userId', i.data ->> 'creatorId')::uuid
  where i.kind in ('comment', 'file', 'time_entry')
) m (project_id, user_id, must_be_member)
where m.user_id is not null
  and (m.must_be_member or not exists (select from target_projects p where p.id = m.project_id and p.data ? 'members'))
on conflict do nothing;

with created as (
  insert into workgate.tasks (
    project_id, id, number, title, description, state, priority, board_id, stage_id, parent_id, assignee_id, assignee_ids, creator_id,
    {{copiedColumns}}, fields, completed_at, cancelled_at, external_id, created_at, updated_at, version)
  select
    project_id, id, number, title, description, state, priority, board_id, stage_id, parent_id, assignee_id, assignee_ids, creator_id,
    {{copiedColumns}}, fields, completed_at, cancelled_at, external_id, created_at, updated_at, version
  from incoming_tasks
  where not known
  order by number, created_at, line
  returning project_id, id
)
insert into results
select 'tasks', 'created', count(*), (array_agg(i.title order by i.line))[1:3]
from created c
join incoming_tasks i on i.project_id = c.project_id and i.id = c.id;

with updated as (
  update workgate.tasks t
  set (
    title, description, state, priority, board_id, stage_id, parent_id, assignee_id, assignee_ids, creator_id, {{copiedColumns}}, fields,
    completed_at, cancelled_at, external_id, created_at
  ) = (
    i.title, i.description, i.state, i.priority, i.board_id, i.stage_id, i.parent_id, i.assignee_id, i.assignee_ids, i.creator_id,
    {{copiedOfImport}}, i.fields, i.completed_at, i.cancelled_at, i.external_id, i.created_at
  )
  from incoming_tasks i
  where i.known
    and t.project_id = i.project_id
    and t.id = i.id
    and (
      t.title, t.description, t.state, t.priority, t.board_id, t.stage_id, t.parent_id, t.assignee_id, t.assignee_ids, t.creator_id,
      {{copiedOfTask}}, t.fields, t.completed_at, t.cancelled_at, t.external_id, t.created_at)
    is distinct from (
      i.title, i.description, i.state, i.priority, i.board_id, i.stage_id, i.parent_id, i.assignee_id, i.assignee_ids, i.creator_id,
      {{copiedOfImport}}, i.fields, i.completed_at, i.cancelled_at, i.external_id, i.created_at)
  returning t.project_id, t.id
)
update incoming_tasks i
set changed = true
from updated u
where i.project_id = u.project_id
  and i.id = u.id;
