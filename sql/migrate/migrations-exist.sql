-- Returns whether this database was ever migrated. Needs no privilege except to connect.
select to_regclass('workgate.migrations') is not null as exist
