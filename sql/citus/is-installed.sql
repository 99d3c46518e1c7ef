-- workgate distribute, workgate serve: true if this database has the extension Citus.
select exists (select from pg_extension where extname = 'citus') as installed
