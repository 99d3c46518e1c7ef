-- Finds the users that the rows mention: the one with the derived id, the one that it was merged into, the one with the e-mail
-- address, or with the full name if one of the two has no address. An export, whose users have times, names everybody by their
-- ids.
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
