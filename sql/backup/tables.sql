-- The columns that a backup contains, with their types, and the order of the rows, by table. Generated columns are computed
-- again, and the ids of transactions mean nothing on another server.
select
  c.relname as name,
  json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod) order by a.attnum)::text as columns,
  (
    select string_agg(k.attname || case when k.attcollation <> 0 then ' collate "C"' else '' end, ', ' order by k.n)
    from (
      select key.attname, key.attcollation, part.n
      from pg_index i
      cross join unnest(i.indkey) with ordinality part (attnum, n)
      join pg_attribute key on key.attrelid = i.indrelid and key.attnum = part.attnum
      where i.indrelid = c.oid
        and i.indisprimary
    ) k
  ) as row_order
from pg_class c
join pg_attribute a on a.attrelid = c.oid
where c.relnamespace = 'workgate'::regnamespace
  and c.relname = any (:tables::text[])
  and a.attnum > 0
  and not a.attisdropped
  and a.attgenerated = ''
  and a.atttypid <> 'xid8'::regtype
group by c.oid, c.relname
