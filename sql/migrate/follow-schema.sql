-- workgate migrate: whether to grant workgate_api its privileges again after a change of the schema. True if
-- workgate_api has privileges in this database and this role can grant them.
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
