-- workgate doctor: whether the role exists with which the service serves requests from the embedded database.
select exists (select from pg_roles where rolname = :role::text) as exists
