-- Returns whether this database was ever migrated. Needs no privilege other than connect.
select to_regclass('workgate.migrations') is not null as exist
