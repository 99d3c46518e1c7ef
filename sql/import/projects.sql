-- Creates the projects that find-projects.sql has not found. Existing ones are not changed. Teams and members are those of an
-- export.
do $$
declare
  missing record;
begin
  for missing in select * from target_projects where id is null order by line, imported_id loop
    insert into workgate.projects (
      id, key, name, description, status, owner_id, start_date, due_date, created_at, updated_at, version)
    select
      missing.new_id,
      (
        select k.key
        from generate_series(1, 1 + (select count(*)::integer from workgate.projects)) n
        cross join lateral (select case when n = 1 then '' else n::text end as suffix) s
        cross join lateral (
          select left(coalesce(missing.data ->> 'key', missing.data ->> 'keyBase'), 12 - length(s.suffix)) || s.suffix as key
        ) k
        where not exists (select from workgate.projects p where p.key = k.key)
        order by n
        limit 1
      ),
      missing.data ->> 'name', missing.data ->> 'description', coalesce(missing.data ->> 'status', 'active'),
      (select u.id from target_users u where u.imported_id = (missing.data ->> 'ownerId')::uuid),
      (missing.data ->> 'startDate')::date, (missing.data ->> 'dueDate')::date,
      coalesce((missing.data ->> 'createdAt')::timestamptz, n.at), coalesce((missing.data ->> 'updatedAt')::timestamptz, n.at),
      coalesce((missing.data ->> 'version')::bigint, 1)
    from (select workgate.present() as at) n;
  end loop;
end
$$;

insert into results
select
  'projects', case when t.id is null then 'created' else 'unchanged' end, count(*),
  (array_agg(p.key || ' ' || p.name order by t.line))[1:3]
from target_projects t
join workgate.projects p on p.id = coalesce(t.id, t.new_id)
group by 2;

insert into results
select 'note', 'projects are archived, and were brought up to date nevertheless (' || string_agg(p.key, ', ' order by p.key) || ')', count(*)
from target_projects t
join workgate.projects p on p.id = t.id
where p.status = 'archived'
having count(*) > 0;

update target_projects set id = new_id where id is null;
analyze target_projects;

insert into workgate.project_members (project_id, user_id, role, joined_at, updated_at)
select p.id, u.id, coalesce(m.role, 'member'), m."joinedAt"::timestamptz, m."updatedAt"::timestamptz
from target_projects p
cross join jsonb_to_recordset(p.data -> 'members') as m ("userId" uuid, role text, "joinedAt" text, "updatedAt" text)
join target_users u on u.imported_id = m."userId"
on conflict do nothing;

-- A team that exists keeps its members. If the user has named the project, it is not linked either: keys of the project would
-- read who is in it.
create temporary table created_teams on commit drop as
with created as (
  insert into workgate.teams (id, name, description, created_at, updated_at)
  select
    i.id, i.data ->> 'name', i.data ->> 'description', coalesce((i.data ->> 'createdAt')::workgate.moment, n.at),
    coalesce((i.data ->> 'updatedAt')::workgate.moment, n.at)
  from imported i, (select workgate.present() as at) n
  where i.kind = 'team'
  on conflict do nothing
  returning id, name
)
select * from created;

insert into results
select 'teams', 'created', count(*), (array_agg(name order by name))[1:3] from created_teams;

insert into results
select 'teams', 'unchanged', (select count(*) from imported where kind = 'team') - sum(n) from results where kind = 'teams';

insert into workgate.team_members (team_id, user_id, joined_at)
select c.id, u.id, m."joinedAt"::timestamptz
from created_teams c
join imported i on i.kind = 'team' and i.id = c.id
cross join jsonb_to_recordset(i.data -> 'members') as m ("userId" uuid, "joinedAt" text)
join target_users u on u.imported_id = m."userId"
on conflict do nothing;

insert into workgate.project_teams (project_id, team_id, added_at)
select p.id, t."teamId", t."addedAt"::timestamptz
from target_projects p
cross join jsonb_to_recordset(p.data -> 'teams') as t ("teamId" uuid, "addedAt" text)
join workgate.teams on teams.id = t."teamId"
where not p.data ? 'byKey'
  or exists (select from created_teams c where c.id = t."teamId")
on conflict do nothing;
