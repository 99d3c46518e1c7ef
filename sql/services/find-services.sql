-- The names of the sessions of services that use this database.
select distinct application_name as name
from pg_stat_activity
where datname = current_database()
  and application_name like 'workgate on port %'
order by 1
