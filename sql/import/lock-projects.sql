-- Locks projects for an import: those with the ids, and those that the rows probably mean. All imports lock them in one order,
-- which is that of the locks, as two projects could have the same one.
select id, pg_advisory_xact_lock(key)
from (
  select p.id, hashtextextended('workgate import into ' || p.id, 0) as key
  from workgate.projects p
  where p.id = any (:projectIds::uuid[])
    or exists (select from imported i where i.kind = 'project' and (i.id = p.id or i.data ->> 'key' = p.key))
  order by key
) l
