-- Whether anything was ever migrated here; asks for no right but to connect.
select to_regclass('workgate.migrations') is not null as exist
