-- workgate distribute: the sessions of services and of other commands.
select count(*)::integer as count
from pg_stat_activity a
where a.datname = current_database()
  and a.application_name like 'workgate%'
  and a.pid <> pg_backend_pid()
