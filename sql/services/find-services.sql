-- The ports of the services that use this database: their sessions have them in their names.
select distinct substring(application_name from '^workgate on port (\d{1,5})$')::integer as port
from pg_stat_activity
where datname = current_database()
  and application_name ~ '^workgate on port \d{1,5}$'
order by port
