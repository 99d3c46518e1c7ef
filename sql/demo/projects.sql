-- workgate demo: plans the projects with their teams, members, boards, stages and tags.

-- starts, last_task and ends are ticks of the clock. first_task is an index into the tasks of all projects.
create temp table planned_projects (
  n           integer primary key,
  id          uuid not null,
  key         text not null,
  theme       integer not null,
  repeat      integer not null,
  archived    boolean not null,
  owner       integer not null,
  starts      float8 not null,
  last_task   float8 not null,
  ends        float8 not null,
  tasks       bigint not null,
  first_task  bigint not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);

insert into planned_projects
with drawn as (
  select
    n, theme, repeat,
    case when repeat = 0 then key else key || repeat + 1 end as key,
    case when repeat = 0 then archived else pg_temp.dice(n, 'archived') < 0.2 end as archived,
    -- A project starts after its owner has joined.
    50 + (ticks - 50) * case when repeat = 0 then begins else 0.7 * pg_temp.dice(n, 'begins') end as starts,
    ticks * case when repeat = 0 then lasts else 0.1 + 0.1 * pg_temp.dice(n, 'lasts') end as lasts,
    case when repeat = 0 then weight else weight * (1 + floor(20 * pg_temp.dice(n, 'big') ^ 4))::integer end as weight,
    -- The examples in the documentation need the same owners in larger data sets, which have more people.
    ceil(case when repeat = 0 then 28 else people * 7 / 10 end * pg_temp.dice(n, 'owner'))::integer as founder,
    least(5, tasks / projects) as few, tasks as total, projects, ticks
  from brief
  cross join (select count(*) as ticks from clock) as year
  cross join lateral (
    select n, 1 + (n - 1) % 12 as theme, (n - 1) / 12 as repeat
    from generate_series(1, projects) as n
  ) as listed
  join themes using (theme)
), cut as (
  select *,
    case when archived then starts + lasts else ticks end as ends,
    few * (n - 1) + spare * (sum(weight) over (order by n) - weight) / sum(weight) over () as first_task,
    few * n + spare * sum(weight) over (order by n) / sum(weight) over () as next_task
  from drawn
  cross join lateral (select total - few * projects as spare) as rest
)
select
  n, pg_temp.id(0, 'project ' || key), key, theme, repeat, archived,
  -- Every 13th person leaves and cannot own a project.
  greatest(1, founder - (founder % 13 = 0)::integer), starts,
  case when archived then starts + (ends - starts) * 0.85 else ends end, ends,
  next_task - first_task, first_task,
  pg_temp.moment(first_clock, starts), pg_temp.moment(last_clock, changed)
from cut
cross join lateral (
  select
    case when archived then ends else starts + (ends - starts) * (1 - 0.4 * pg_temp.dice(n, 'changed')) end as changed
) as latest
join clock first_clock on first_clock.tick = floor(starts)
join clock last_clock on last_clock.tick = floor(changed);

create temp table planned_teams (project_id uuid not null, team_id uuid not null, added_at timestamptz not null);
insert into planned_teams
select p.id, crews.id, greatest(p.created_at, crews.made_at)
from brief
cross join planned_projects p
join themes using (theme)
join crews on crews.n = crew + 6 * (repeat % (teams / 6))
  or (p.n % 3 = 0 and crews.n = 1 + p.n % teams);

-- The owner comes first and viewers last, so that tasks can be assigned to the first "workers" members.
create temp table planned_members (
  project_id  uuid not null,
  n           bigint not null,
  user_id     uuid not null,
  role        text not null,
  joined      float8 not null,
  gone        float8 not null,
  workers     bigint not null,
  members     bigint not null,
  primary key (project_id, n)
);

insert into planned_members
select
  project_id, row_number() over (partition by project_id order by rank, luck), user_id,
  case rank when 0 then 'owner' when 2 then 'viewer' else case when luck < 0.12 then 'admin' else 'member' end end,
  joined, gone,
  count(*) filter (where rank < 2) over (partition by project_id),
  count(*) over (partition by project_id)
from (
  select distinct on (p.id, people.n)
    p.id as project_id, people.id as user_id, rank, greatest(joined, starts) as joined, gone,
    pg_temp.dice(p.n * 1000 + people.n, 'order') as luck
  from planned_projects p
  cross join lateral (
    select 0 as rank, owner as person
    union all
    select 1, people.n
    from planned_teams pt
    join crew_members tm using (team_id)
    join people on people.id = tm.user_id
    where pt.project_id = p.id
    union all
    select 2, 1 + ((p.n * 7 + nth * 11) % (select people from brief))
    from generate_series(1, 2) as nth
  ) as chosen
  join people on people.n = person
  where people.gone > starts
  order by p.id, people.n, rank
) as members;

create temp table planned_stages (
  project_id  uuid not null,
  board       integer not null,
  board_id    uuid not null,
  board_name  text not null,
  position    integer not null,
  stages      integer not null,
  id          uuid not null,
  name        text not null,
  category    text not null,
  made_at     timestamptz not null,
  primary key (project_id, board, position)
);

insert into planned_stages
select
  p.id, nth, pg_temp.id(0, 'board ' || p.key || nth), board_name, position, cardinality(names),
  pg_temp.id(0, 'stage ' || p.key || nth || position), stage,
  case cardinality(names) - position when 0 then 'done' when 1 then 'active' when 2 then 'active' else 'backlog' end,
  made_at
from planned_projects p
join themes t using (theme)
cross join lateral (
  values (1, t.board, t.stages), (2, side_board, side_stages), (3, 'Old board', case when p.n % 12 = 1 then t.stages end)
) as boards (nth, board_name, names)
cross join lateral unnest(names) with ordinality as listed (stage, position)
cross join lateral (select p.created_at + nth * interval '7 minutes' as made_at) as made;

create temp table planned_tags (
  project_id  uuid not null,
  n           bigint not null,
  id          uuid not null,
  name        text not null,
  primary key (project_id, n)
);

insert into planned_tags
select p.id, nth, pg_temp.id(0, 'tag ' || p.key || nth), tag
from planned_projects p
join themes using (theme)
join languages using (language)
cross join lateral unnest(themes.tags || languages.tags) with ordinality as listed (tag, nth);

analyze planned_projects, planned_members, planned_stages, planned_tags;
