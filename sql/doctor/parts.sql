-- workgate doctor: what schema workgate is made of, by names that are the same in every PostgreSQL and for every search_path
select part
from (
  select case c.relkind when 'i' then 'index' when 'v' then 'view' else 'table' end || ' ' || c.relname as part
  from pg_class c
  where c.relnamespace = 'workgate'::regnamespace
    and c.relkind in ('r', 'i', 'v')
    -- That of a constraint goes with it.
    and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
  union all
  select 'constraint ' || k.conname || ' on ' || c.relname
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = 'workgate'::regnamespace
    -- Since PostgreSQL 18 "not null" is one.
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
