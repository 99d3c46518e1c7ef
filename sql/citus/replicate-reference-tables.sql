-- workgate distribute, on the coordinator: copies reference tables to new workers. Citus does it only once shards move there.
select replicate_reference_tables()
