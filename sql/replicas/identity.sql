-- Runs on the primary and on each replica, when the service starts and in the doctor, to compare them.
select
  (select system_identifier::text from pg_control_system()) as system,
  current_database() as database,
  pg_is_in_recovery() as "isStandby",
  case when not pg_is_in_recovery() then (pg_current_wal_insert_lsn() - '0/0')::text end as lsn
