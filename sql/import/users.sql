-- Finds the users that the rows mention, and creates those that do not exist.
analyze imported;

-- Users: the one with the derived id, or with the e-mail address.
create temporary table target_users on commit drop as
select
  i.id as imported_id, coalesce(own.id, addressed.id) as id, i.data ->> 'name' as name, i.data ->> 'email' as email, i.data,
  i.line
from imported i
left join workgate.users own on own.id = i.id
left join workgate.users addressed on lower(addressed.email) = lower(i.data ->> 'email')
where i.kind = 'user';

with created as (
  insert into workgate.users (id, name, email, active, created_at, updated_at)
  select distinct on (coalesce(lower(u.email), u.imported_id::text))
    u.imported_id, u.name, u.email, coalesce((u.data ->> 'active')::boolean, true),
    coalesce((u.data ->> 'createdAt')::workgate.moment, n.at), coalesce((u.data ->> 'updatedAt')::workgate.moment, n.at)
  from target_users u, (select workgate.present() as at) n
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

-- The name of a person who came from this source follows the tool. The import of a project that the user has named changes
-- nothing outside of it.
with updated as (
  update workgate.users u
  set name = t.name
  from target_users t
  where u.id = t.id
    and t.id = t.imported_id
    and u.name <> t.name
    and not exists (select from imported i where i.kind = 'project' and i.data ? 'byKey')
  returning u.name
)
insert into results
select 'users', 'updated', count(*), (array_agg(name order by name))[1:3] from updated;

insert into results
select 'users', 'unchanged', (select count(*) from target_users) - sum(n) from results where kind = 'users';

create index on target_users (imported_id);
analyze target_users;
