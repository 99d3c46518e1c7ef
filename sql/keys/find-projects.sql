-- workgate keys create, workgate keys projects
-- Resolves project keys. Ids are returned whether or not the project exists: the functions that get them check it.
select
  named.name,
  case when named.name like '%-%' then named.name::uuid else p.id end as id
from unnest(:names::text[]) as named (name)
left join workgate.projects p on p.key = named.name
