-- workgate demo: writes the projects with their teams, members, own fields, boards, stages and tags.

insert into workgate.projects (
  id, key, name, description, status, owner_id, start_date, due_date, created_at, updated_at, version)
select
  p.id, p.key,
  t.name || case when repeat = 0 then '' else ' – ' || places[1 + repeat % 16] end
    || case when repeat >= 16 then ' ' || 1 + repeat / 16 else '' end,
  t.description, case when p.archived then 'archived' else 'active' end, people.id,
  p.created_at::date,
  case
    when p.archived then p.updated_at::date
    -- The forecast of one project is later than its due date.
    when p.n = 1 then until::date + 21
    when pg_temp.dice(p.n, 'due') < 0.6 then until::date + 20 + (120 * pg_temp.dice(p.n, 'due when'))::integer
  end,
  p.created_at, p.updated_at, 2 + floor(4 * pg_temp.dice(p.n, 'version'))::integer
from brief
cross join planned_projects p
join themes t on t.theme = p.theme
join people on people.n = p.owner
cross join (
  select '{Lisboa,Nairobi,Toronto,大阪,Gdańsk,São Paulo,서울,Tallinn,İzmir,Málaga,Reykjavík,Київ,Montréal,دبي,Zürich,Cork}'::text[]
    as places
) as towns;

insert into workgate.project_teams (project_id, team_id, added_at)
select project_id, team_id, added_at
from planned_teams;

insert into workgate.project_members (project_id, user_id, role, joined_at, updated_at)
select m.project_id, m.user_id, m.role, made_at, made_at
from planned_members m
join clock c on c.tick = floor(m.joined)
cross join lateral (select pg_temp.moment(c, m.joined) as made_at) as made;

insert into workgate.fields (id, name, type)
values (pg_temp.id(0, 'storyPoints'), 'storyPoints', 'number'), (pg_temp.id(0, 'sprint'), 'sprint', 'text');

insert into workgate.boards (project_id, id, name, position, archived, created_at, updated_at)
select
  project_id, board_id, board_name, board, board = 3, made_at,
  made_at + case board when 3 then interval '61 days' else '0' end
from planned_stages
where position = 1;

insert into workgate.stages (project_id, id, board_id, name, position, category, wip_limit, created_at, updated_at)
select
  s.project_id, s.id, s.board_id, s.name, s.position, s.category,
  case when s.category = 'active' then 4 + 2 * (s.position % 3) + p.tasks / 80 end, s.made_at, s.made_at
from planned_stages s
join planned_projects p on p.id = s.project_id;

insert into workgate.tags (project_id, id, name, color)
select
  project_id, id, name,
  (array['#4f81bd', '#c0504d', '#9bbb59', '#8064a2', '#f79646', '#2aa198', '#e0457b', '#7f8c8d', '#d4a017', '#34495e'])[n]
from planned_tags;
