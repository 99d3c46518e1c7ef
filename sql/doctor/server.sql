-- workgate doctor: the version and settings of PostgreSQL.
select
  current_setting('server_version') as version,
  current_setting('server_version_num')::integer as number,
  d.datname as database,
  pg_encoding_to_char(d.encoding) as encoding,
  -- Three upper-case letters and their lower-case forms, as bytes: with another database encoding, a statement could
  -- not contain the letters.
  case when pg_encoding_to_char(d.encoding) = 'UTF8' then
    lower(convert_from('\xc384cea9d096'::bytea, 'UTF8') collate "default") = convert_from('\xc3a4cf89d0b6'::bytea, 'UTF8')
  else false end as "foldsCase",
  pg_database_size(d.oid) as "sizeBytes",
  pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only') = 'on' as "isReadOnly",
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as "fullPageWrites",
  current_setting('synchronous_commit') as "synchronousCommit",
  current_setting('autovacuum') as autovacuum,
  (select setting::integer from pg_settings where name = 'idle_session_timeout') as "idleSessionTimeoutMs",
  least(
    (select sum(case when s.name = 'max_connections' then s.setting::integer else -s.setting::integer end)
     from pg_settings s
     where s.name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')),
    nullif(d.datconnlimit, -1),
    nullif(r.rolconnlimit, -1)
  )::integer as "connectionLimit",
  -- pg_stat_activity hides details of other roles' sessions, but every role can read the number of backends.
  (
    (select sum(s.numbackends) from pg_stat_database s)
    - (select count(*) from pg_stat_activity a where a.application_name like 'workgate%')
  )::integer as "otherConnections",
  r.rolname as role,
  r.rolsuper as "isSuperuser"
from pg_database d
cross join pg_roles r
where d.datname = current_database()
  and r.rolname = current_user
