-- workgate distribute: the number of shards of each table, for distribute-tables.sql.
select set_config('workgate.shards', :shards::text, true)
