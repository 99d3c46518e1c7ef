-- Finds the users that the rows mention, and creates those that do not exist.
-- Users: the one with the derived id, the one that it was merged into, the one with the e-mail address, or with the full name
-- if one of the two has no address. An export, whose users have times, names everybody by their ids.
create temporary table target_users on commit drop as
select
  i.id as imported_id, coalesce(own.id, merged.id, addressed.id, named.id) as id, i.data ->> 'name' as name, i.data ->> 'email' as email,
  i.data, i.line
from imported i
left join workgate.users own on own.id = i.id
left join workgate.user_aliases a on a.id = i.id
left join workgate.users merged on merged.id = a.user_id
left join workgate.users addressed on lower(addressed.email) = lower(i.data ->> 'email')
left join (
  select lower(name) as name, (array_agg(id))[1] as id, (array_agg(email))[1] as email
  from workgate.users
  where name ~ '\S\s+\S'
  group by lower(name)
  having count(*) = 1
) named
  on named.name = lower(i.data ->> 'name')
  and (named.email is null or i.data ->> 'email' is null)
  and not i.data ? 'createdAt'
where i.kind = 'user';

-- In the file, too, a person can come with the address and without it.
update target_users t
set email = n.email
from (
  select lower(name) as name, min(email) as email
  from target_users
  where email is not null
    and name ~ '\S\s+\S'
    and not data ? 'createdAt'
  group by lower(name)
  having count(distinct lower(email)) = 1
) n
where t.id is null
  and t.email is null
  and not t.data ? 'createdAt'
  and lower(t.name) = n.name;

update target_users t
set id = u.id
from workgate.users u
where t.id is null
  and lower(u.email) = lower(t.email);

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
