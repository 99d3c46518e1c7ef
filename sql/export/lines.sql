-- The lines of an export: objects with the fields of the API, and whatever else is needed to create the same rows again.
-- One statement, so that all lines are from the same state. Objects follow those that they refer to.
with scope as materialized (
  select current_setting('workgate.exported_project') as key
  where current_setting('workgate.exported_project') <> ''
),
chosen as materialized (
  select *
  from workgate.projects
  where not exists (select from scope)
    or key = (select key from scope)
),
people as materialized (
  select c.owner_id as id from chosen c
  union
  select m.user_id from chosen c join workgate.project_members m on m.project_id = c.id
  union
  select t.creator_id from chosen c join workgate.tasks t on t.project_id = c.id
  union
  select o.author_id from chosen c join workgate.comments o on o.project_id = c.id
  union
  select e.user_id from chosen c join workgate.time_entries e on e.project_id = c.id
  union
  select d.author_id from chosen c join workgate.documents d on d.project_id = c.id
)
select row_to_json(f)::text as line
from (
  select
    'user' as kind, u.id, u.name, u.email, u.active, workgate.iso(u.created_at) as "createdAt",
    workgate.iso(u.updated_at) as "updatedAt"
  from workgate.users u
  where not exists (select from scope)
    or u.id in (select id from people)
  order by u.id
) f
union all
select row_to_json(f)::text
from (
  select
    'team' as kind, t.id, t.name, t.description, workgate.iso(t.created_at) as "createdAt",
    workgate.iso(t.updated_at) as "updatedAt",
    array(
      select json_build_object('userId', m.user_id, 'joinedAt', workgate.iso(m.joined_at))
      from workgate.team_members m
      where m.team_id = t.id
        and (not exists (select from scope) or m.user_id in (select id from people))
      order by m.user_id
    ) as members
  from workgate.teams t
  where not exists (select from scope)
    or t.id in (select pt.team_id from chosen c join workgate.project_teams pt on pt.project_id = c.id)
  order by t.id
) f
union all
select row_to_json(f)::text
from (
  select
    'project' as kind,
    {{projectFields}},
    array(
      select json_build_object(
        'userId', m.user_id, 'role', m.role, 'joinedAt', workgate.iso(m.joined_at), 'updatedAt', workgate.iso(m.updated_at))
      from workgate.project_members m
      where m.project_id = p.id
      order by m.user_id
    ) as members,
    array(
      select json_build_object('teamId', pt.team_id, 'addedAt', workgate.iso(pt.added_at))
      from workgate.project_teams pt
      where pt.project_id = p.id
      order by pt.team_id
    ) as teams
  from chosen p
  order by p.id
) f
union all
select row_to_json(f)::text
from (
  select 'board' as kind, {{boardFields}}
  from chosen c
  join workgate.boards b on b.project_id = c.id
  order by b.project_id, b.id
) f
union all
select row_to_json(f)::text
from (
  select 'stage' as kind, {{stageFields}}
  from chosen c
  join workgate.stages s on s.project_id = c.id
  order by s.project_id, s.id
) f
union all
select row_to_json(f)::text
from (
  select 'tag' as kind, g.id, g.project_id as "projectId", g.name, g.color
  from chosen c
  join workgate.tags g on g.project_id = c.id
  order by g.project_id, g.id
) f
union all
select line
from (
  select
    '{"kind":"task",' || substr({{taskJson}}, 2)
    || ',"tags":' || array_to_json(array(
      select json_build_object('id', g.id, 'name', g.name, 'color', g.color)
      from workgate.task_tags tt
      join workgate.tags g on g.project_id = tt.project_id and g.id = tt.tag_id
      where tt.project_id = t.project_id
        and tt.task_id = t.id
      order by g.id
    ))
    || ',"watcherIds":' || array_to_json(array(
      select w.user_id
      from workgate.task_watchers w
      where w.project_id = t.project_id
        and w.task_id = t.id
      order by w.user_id
    ))
    || '}' as line
  from chosen c
  join workgate.tasks t on t.project_id = c.id
  order by t.project_id, t.id
) f
union all
select row_to_json(f)::text
from (
  select 'comment' as kind, {{commentFields}}, ({{commentFiles}})::json as files
  from chosen p
  join workgate.comments c on c.project_id = p.id
  order by c.project_id, c.id
) f
union all
select row_to_json(f)::text
from (
  select
    'time_entry' as kind, e.id, e.project_id as "projectId", e.task_id as "taskId", e.user_id as "userId", e.description,
    e.spent_on as "spentOn", workgate.iso(e.started_at) as "startedAt", workgate.iso(e.ended_at) as "endedAt", e.billable,
    workgate.iso(e.created_at) as "createdAt", workgate.iso(e.updated_at) as "updatedAt"
  from chosen c
  join workgate.time_entries e on e.project_id = c.id
  order by e.project_id, e.id
) f
union all
select row_to_json(f)::text
from (
  select
    'document' as kind, d.id, d.project_id as "projectId", d.path, d.title, d.task_id as "taskId", d.author_id as "authorId",
    d.markdown, d.revision, workgate.iso(d.created_at) as "createdAt", workgate.iso(d.updated_at) as "updatedAt"
  from chosen c
  join workgate.documents d on d.project_id = c.id
  order by d.project_id, d.id
) f
