-- workgate people merge
-- For each text, the user with this id, or else with this address, or else all with this name.
select t.n::integer - 1 as at, f.id, f.name, f.email
from unnest(:texts::text[]) with ordinality as t (text, n)
cross join lateral (
  select
    u.id, u.name, u.email,
    rank() over (order by case when u.id::text = lower(t.text) then 1 when lower(u.email) = lower(t.text) then 2 else 3 end) as rank
  from workgate.users u
  where u.id::text = lower(t.text)
    or lower(u.email) = lower(t.text)
    or lower(u.name) = lower(t.text)
) f
where f.rank = 1
order by t.n, f.id
