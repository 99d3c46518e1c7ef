-- Creates the users that find-users.sql has not found, and brings the others up to date.
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

-- Somebody who was found by an address or a name is found by the id from now on, also if the address or the name changes.
insert into workgate.user_aliases as a (id, user_id)
select imported_id, id
from target_users
where id <> imported_id
  and not data ? 'createdAt'
on conflict (id) do update set user_id = excluded.user_id
where a.user_id <> excluded.user_id;

-- The name of a person who came from this source follows the tool, unless it is only a login, and an address is added. The
-- import of a project that the user has named changes nothing outside of it.
with updated as (
  update workgate.users u
  set
    name = case when t.id = t.imported_id and not t.data ? 'isLogin' then t.name else u.name end,
    email = coalesce(u.email, t.email)
  from (
    select distinct on (n.id)
      n.id, n.imported_id, n.name, n.data,
      case when not exists (select from workgate.users o where lower(o.email) = lower(n.email)) then n.email end as email
    from target_users n
    order by n.id, n.imported_id <> n.id, n.email, n.line
  ) t
  where u.id = t.id
    and (t.id = t.imported_id and not t.data ? 'isLogin' and u.name <> t.name or u.email is null and t.email is not null)
    and not exists (select from imported i where i.kind = 'project' and i.data ? 'byKey')
  returning u.name
)
insert into results
select 'users', 'updated', count(*), (array_agg(name order by name))[1:3] from updated;

insert into results
select 'users', 'unchanged', (select count(*) from target_users) - sum(n) from results where kind = 'users';

create index on target_users (imported_id);
analyze target_users;
