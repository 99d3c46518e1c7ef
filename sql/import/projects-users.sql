-- Finds the projects and users that the rows mention, and creates those that do not exist.
analyze imported;

-- Projects: one with the derived id, or with the key that the import or the tool names. Existing ones are not changed.
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
    insert into workgate.projects (id, key, name, description)
    select
      missing.imported_id,
      (
        select k.base || case when n > 1 then n::text else '' end
        from (select coalesce(missing.data ->> 'key', missing.data ->> 'keyBase') as base) k
        cross join generate_series(1, 999999) n
        where not exists (select from workgate.projects p where p.key = k.base || case when n > 1 then n::text else '' end)
        order by n
        limit 1
      ),
      missing.data ->> 'name', missing.data ->> 'description';
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

update target_projects set id = imported_id where id is null;

-- Users: the one with the derived id, or with the e-mail address.
create temporary table target_users on commit drop as
select
  i.id as imported_id, coalesce(own.id, addressed.id) as id, i.data ->> 'name' as name, i.data ->> 'email' as email, i.line
from imported i
left join workgate.users own on own.id = i.id
left join workgate.users addressed on lower(addressed.email) = lower(i.data ->> 'email')
where i.kind = 'user';

with created as (
  insert into workgate.users (id, name, email)
  select distinct on (coalesce(lower(u.email), u.imported_id::text)) u.imported_id, u.name, u.email
  from target_users u
  where u.id is null
  order by coalesce(lower(u.email), u.imported_id::text), u.line
  returning name
)
insert into results
select 'users', 'created', count(*), (array_agg(name order by name))[1:3] from created;

update target_users t
set id = u.id
from workgate.users u
where t.id is null
  and (u.id = t.imported_id or lower(u.email) = lower(t.email));

-- A user who came from this tool gets the name and the address that it has now, unless another user has the address.
with updated as (
  update workgate.users u
  set name = t.name, email = case when taken.id is null then coalesce(t.email, u.email) else u.email end
  from target_users t
  left join workgate.users taken on lower(taken.email) = lower(t.email) and taken.id <> t.imported_id
  where u.id = t.id
    and t.id = t.imported_id
    and (u.name, coalesce(u.email, '')) is distinct from (t.name, case when taken.id is null then coalesce(t.email, u.email, '') else coalesce(u.email, '') end)
  returning u.name
)
insert into results
select 'users', 'updated', count(*), (array_agg(name order by name))[1:3] from updated;

insert into results
select 'users', 'unchanged', (select count(*) from target_users) - sum(n) from results where kind = 'users';

create index on target_users (imported_id);
analyze target_users, target_projects;
