-- Functions that run with the privileges of the owner are executed by no other role, unless it is granted. Firing a trigger needs
-- no privilege, but creating one does: otherwise, any role could put these functions on a table of its own.

do $do$
declare
  name regprocedure;
begin
  for name in select p.oid from pg_proc p where p.pronamespace = 'workgate'::regnamespace and p.prosecdef loop
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$do$;
