-- workgate migrate: whether workgate_api has rights here, which have to follow the schema, and whether this role may give them
select
  pg_has_role(s.nspowner, 'usage')
    and exists (
      select
      from pg_roles r
      where r.rolname = 'workgate_api'
        and has_schema_privilege(r.oid, s.oid, 'usage')
    ) as follow
from pg_namespace s
where s.nspname = 'workgate'
