-- workgate distribute, workgate serve: the versions of the software of a node, and whether it has been prepared.
select
  (select extversion from pg_extension where extname = 'citus') as citus,
  current_setting('server_version_num')::integer / 10000 as postgres,
  to_regprocedure('workgate_places.settle()') is not null as "isPrepared"
