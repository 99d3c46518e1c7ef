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
  select f.creator_id from chosen c join workgate.files f on f.project_id = c.id
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
select json_strip_nulls(row_to_json(f))::text
from (
  select 'field' as kind, f.id, coalesce(c.id, f.project_id) as "projectId", f.name, f.type
  from workgate.fields f
  left join (select id from chosen where exists (select from scope)) c on f.project_id is null or f.project_id = c.id
  where not exists (select from scope)
    or c.id is not null
  order by f.project_id nulls first, f.name
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
    {{taskLine}} as line
  from chosen c
  join workgate.tasks t on t.project_id = c.id
  order by t.project_id, t.id
) f
union all
select row_to_json(f)::text
from (
  select {{commentLineFields}}
  from chosen p
  join workgate.comments c on c.project_id = p.id
  order by c.project_id, c.id
) f
union all
select row_to_json(f)::text
from (
  select {{fileLineFields}}
  from chosen c
  join workgate.files f on f.project_id = c.id
    and f.comment_id is null
  order by f.project_id, f.id
) f
union all
select row_to_json(f)::text
from (
  select {{timeEntryLineFields}}
  from chosen c
  join workgate.time_entries e on e.project_id = c.id
  order by e.project_id, e.id
) f
union all
select row_to_json(f)::text
from (
  select {{documentLineFields}}
  from chosen c
  join workgate.documents d on d.project_id = c.id
  order by d.project_id, d.id
) f
