-- workgate doctor: the objects in schema workgate, by names that do not depend on the PostgreSQL version or
-- search_path.
select part
from (
  select case c.relkind when 'i' then 'index' when 'v' then 'view' else 'table' end || ' ' || c.relname as part
  from pg_class c
  where c.relnamespace = 'workgate'::regnamespace
    and c.relkind in ('r', 'i', 'v')
    -- Omits indexes of constraints, which are listed as constraints.
    and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
  union all
  select 'constraint ' || k.conname || ' on ' || c.relname
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'workgate'::regnamespace
    -- Omits "not null", which is stored as a constraint only in PostgreSQL 18 and later.
    and k.contype in ('p', 'u', 'x', 'f', 'c')
  union all
  select 'function ' || replace(p.oid::regprocedure::text, 'workgate.', '')
  from pg_proc p
  where p.pronamespace = 'workgate'::regnamespace
  union all
  select 'trigger ' || t.tgname || ' on ' || c.relname
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'workgate'::regnamespace
    and not t.tgisinternal
) made
order by part collate "C"
