-- …/work-packet/verification: as long as this is the same text, no transaction that could have changed anything has
-- ended.
select pg_current_snapshot()::text as moment
