-- Finds the projects that the rows mention, and creates those that do not exist. Teams and members are those of an export.
-- A project is the one with the derived id, or with the key that the import or the tool names. Existing ones are not changed.
create temporary table target_projects on commit drop as
select i.id as imported_id, coalesce(own.id, keyed.id) as id, i.data, i.line
from imported i
left join workgate.projects own on own.id = i.id
left join workgate.projects keyed on keyed.key = i.data ->> 'key'
where i.kind = 'project';

do $$
declare
  missing record;
begin
  for missing in select * from target_projects where id is null order by line, imported_id loop
    insert into workgate.projects (
      id, key, name, description, status, owner_id, start_date, due_date, created_at, updated_at, version)
    select
      missing.imported_id,
      (
        select k.base || case when n > 1 then n::text else '' end
        from (select coalesce(missing.data ->> 'key', missing.data ->> 'keyBase') as base) k
        cross join generate_series(1, 1 + (select count(*)::integer from workgate.projects)) n
        where not exists (select from workgate.projects p where p.key = k.base || case when n > 1 then n::text else '' end)
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
join workgate.projects p on p.id = coalesce(t.id, t.imported_id)
group by 2;

insert into results
select 'note', 'projects are archived, and were brought up to date nevertheless (' || string_agg(p.key, ', ' order by p.key) || ')', count(*)
from target_projects t
join workgate.projects p on p.id = t.id
where p.status = 'archived'
having count(*) > 0;

update target_projects set id = imported_id where id is null;
analyze target_projects;

insert into workgate.project_members (project_id, user_id, role, joined_at, updated_at)
select p.id, u.id, coalesce(m.role, 'member'), m."joinedAt"::timestamptz, m."updatedAt"::timestamptz
from target_projects p
cross join jsonb_to_recordset(p.data -> 'members') as m ("userId" uuid, role text, "joinedAt" text, "updatedAt" text)
join target_users u on u.imported_id = m."userId"
on conflict do nothing;

with created as (
  insert into workgate.teams (id, name, description, created_at, updated_at)
  select
    i.id, i.data ->> 'name', i.data ->> 'description', (i.data ->> 'createdAt')::timestamptz,
    (i.data ->> 'updatedAt')::timestamptz
  from imported i
  where i.kind = 'team'
  on conflict do nothing
  returning name
)
insert into results
select 'teams', 'created', count(*), (array_agg(name order by name))[1:3] from created;

insert into results
select 'teams', 'unchanged', (select count(*) from imported where kind = 'team') - sum(n) from results where kind = 'teams';

insert into workgate.team_members (team_id, user_id, joined_at)
select i.id, u.id, m."joinedAt"::timestamptz
from imported i
cross join jsonb_to_recordset(i.data -> 'members') as m ("userId" uuid, "joinedAt" text)
join target_users u on u.imported_id = m."userId"
where i.kind = 'team'
on conflict do nothing;

insert into workgate.project_teams (project_id, team_id, added_at)
select p.id, t."teamId", t."addedAt"::timestamptz
from target_projects p
cross join jsonb_to_recordset(p.data -> 'teams') as t ("teamId" uuid, "addedAt" text)
on conflict do nothing;
