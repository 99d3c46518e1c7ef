-- Statistics of all tables after a restore. Without them, the first plans would be made for empty tables.
do $$
declare
  name regclass;
begin
  for name in select oid from pg_class where relnamespace = 'workgate'::regnamespace and relkind = 'r' loop
    execute format('analyze %s', name);
  end loop;
end
$$
