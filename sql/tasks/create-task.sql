-- POST /projects/:projectId/tasks
-- Parts that the body does not need are left out: even if they insert no row, their triggers run while the counter of
-- the project is locked.
stage as materialized (
  select s.board_id, s.id, s.category
  from workgate.stages s
  join workgate.boards b on b.project_id = :projectId and b.id = s.board_id
  where s.project_id = :projectId
    {{#stageId}}
    and s.id = :stageId::uuid
    {{/stageId}}
    {{^stageId}}
    and not b.archived
    {{/stageId}}
  order by b.position, b.id, s.position, s.id
  limit 1
),
{{#tags}}
wanted_tags as materialized (
  select distinct on (lower(name)) name, lower(name) as folded
  from unnest(:tags::text[]) with ordinality as given (name, n)
  order by lower(name), n
),
known_tags as materialized (
  select t.id, w.folded
  from wanted_tags w
  join workgate.tags t on t.project_id = :projectId and lower(t.name) = w.folded
),
{{/tags}}
{{#parentId}}
parent as materialized (
  select p.id
  from workgate.tasks p
  where p.project_id = :projectId
    and p.id = (
      select
        {{namedTask}}
      from (select :parentId::text as name) named
    )
),
{{/parentId}}
{{#externalId}}
existing as materialized (
  select t.*
  from workgate.tasks t
  where t.project_id = :projectId
    and t.external_id = :externalId::text
),
{{/externalId}}
-- The fields of the body that refer to objects outside the project, and own fields that its tasks cannot have.
faults as materialized (
  select array(
    {{#stageId}}
    select 'stageId'
    where not exists (select from stage)
    union all
    {{/stageId}}
    {{^assigneeIds}}
    select 'assigneeId'
    where :assigneeId::uuid is not null
      and not exists (select from workgate.project_members where project_id = :projectId and user_id = :assigneeId)
    {{/assigneeIds}}
    {{#assigneeIds}}
    select 'assigneeIds.' || n - 1
    from unnest(:assigneeIds::uuid[]) with ordinality as given (user_id, n)
    where not exists (select from workgate.project_members m where m.project_id = :projectId and m.user_id = given.user_id)
    {{/assigneeIds}}
    union all
    select 'creatorId'
    where :creatorId::uuid is not null
      and not exists (select from workgate.project_members where project_id = :projectId and user_id = :creatorId)
    {{#parentId}}
    union all
    select 'parentId'
    where not exists (select from parent)
    {{/parentId}}
    {{#watcherIds}}
    union all
    select 'watcherIds.' || n - 1
    from unnest(:watcherIds::uuid[]) with ordinality as given (user_id, n)
    where not exists (select from workgate.project_members m where m.project_id = :projectId and m.user_id = given.user_id)
    {{/watcherIds}}
    {{#fields}}
    union all
    select 'fields.' || f.name || '/' || f.fault
    from workgate.field_faults(:projectId, :fields::jsonb) f
    {{/fields}}
  ) as names
),
verdict as materialized (
  select
    case
      when f.names <> '{}' then 'VALIDATION_FAILED'
      when p.status = 'archived' then 'PROJECT_ARCHIVED'
      {{#externalId}}
      when exists (select from existing) then 'EXTERNAL_ID_TAKEN'
      {{/externalId}}
    end as refusal,
    f.names as faults,
    workgate.present() as at
  from may_write, project p, faults f
),
created as (
  insert into workgate.tasks (
    project_id, title, description, state, priority, board_id, stage_id, parent_id, {{^assigneeIds}}assignee_id{{/assigneeIds}}{{#assigneeIds}}assignee_ids{{/assigneeIds}}, creator_id,
    {{copiedColumns}}, {{#fields}}fields, {{/fields}}completed_at, external_id, created_at, updated_at)
  select
    :projectId, :title::text, :description::text, case when s.category = 'done' then 'completed' else 'open' end,
    :priority::workgate.priority, s.board_id, s.id,
    {{#parentId}}(select id from parent){{/parentId}}{{^parentId}}null::uuid{{/parentId}}, {{^assigneeIds}}:assigneeId{{/assigneeIds}}{{#assigneeIds}}:assigneeIds{{/assigneeIds}}, :creatorId,
    {{copiedParams}}, {{#fields}}:fields::jsonb, {{/fields}}case when s.category = 'done' then v.at end, :externalId, v.at, v.at
  from verdict v
  left join stage s on true
  where v.refusal is null
  returning *
),
{{#tags}}
-- Creates tags in order of name, so that two writers of the same new tags cannot deadlock. On conflict it returns the
-- tag that another writer has just created.
made_tags as (
  insert into workgate.tags as g (project_id, name)
  select :projectId, w.name
  from wanted_tags w, created
  where w.folded not in (select folded from known_tags)
  order by w.folded
  on conflict (project_id, lower(name)) do update set name = g.name
  returning id
),
tagged as (
  insert into workgate.task_tags (project_id, task_id, tag_id)
  select :projectId, c.id, t.id
  from created c, (select id from known_tags union all select id from made_tags) t
),
{{/tags}}
{{#watcherIds}}
watched as (
  insert into workgate.task_watchers (project_id, task_id, user_id)
  select distinct :projectId::uuid, c.id, w.user_id
  from created c, unnest(:watcherIds) as w (user_id)
),
{{/watcherIds}}
outcome as (
  select
    v.refusal, v.faults,
    case when t.id is not null then
      {{taskJson}}
      || '}'
    end as item
  from verdict v
  left join {{^externalId}}created{{/externalId}}{{#externalId}}(select * from created union all select * from existing){{/externalId}} t on true
)
