-- workgate distribute, on the coordinator: the statements that create on another node what Citus does not create there, in
-- their order. They can be repeated.
select statement
from (
  select
    1 as part, c.oid::bigint as place,
    format(
      'create table if not exists workgate.%I (%s)%s', c.relname,
      (
        select string_agg(
          format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
            case when a.attnotnull then ' not null' else '' end,
            coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''),
            case a.attidentity when 'a' then ' generated always as identity' else '' end),
          ', ' order by a.attnum)
        from pg_attribute a
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid
          and a.attnum > 0
          and not a.attisdropped
      ),
      coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')) as statement
  from pg_class c
  where c.relnamespace = 'workgate'::regnamespace
    and c.relname = any ({{nodeTables}})
  union all
  select 2, i.indexrelid, regexp_replace(pg_get_indexdef(i.indexrelid), '^(CREATE.*? INDEX) ', '\1 if not exists ')
  from pg_index i
  join pg_class c on c.oid = i.indrelid
  where c.relnamespace = 'workgate'::regnamespace
    and c.relname = any ({{nodeTables}})
  union all
  select 3, p.oid, pg_get_functiondef(p.oid)
  from pg_proc p
  where p.pronamespace = 'workgate'::regnamespace
    and p.prokind = 'f'
    and not exists (select from pg_dist_object o where o.classid = 'pg_proc'::regclass and o.objid = p.oid)
  union all
  select
    4, p.oid,
    format('create or replace aggregate %s (sfunc = %s, combinefunc = %s, stype = %s, parallel = safe)',
      p.oid::regprocedure, a.aggtransfn, a.aggcombinefn, a.aggtranstype::regtype)
  from pg_proc p
  join pg_aggregate a on a.aggfnoid = p.oid
  where p.pronamespace = 'workgate'::regnamespace
  union all
  select 5, p.oid, format('revoke execute on function %s from public', p.oid::regprocedure)
  from pg_proc p
  where p.pronamespace = 'workgate'::regnamespace
    and not has_function_privilege('public', p.oid, 'execute')
  union all
  select
    6, c.oid,
    format('do $do$ begin create cast (%s as %s) with inout as assignment; exception when duplicate_object then null; end $do$',
      c.castsource::regtype, c.casttarget::regtype)
  from pg_cast c
  join pg_type t on t.oid = c.casttarget
  where t.typnamespace = 'workgate'::regnamespace
    and c.castmethod = 'i'
) definitions
order by part, place
