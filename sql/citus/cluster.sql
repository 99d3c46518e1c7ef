-- workgate distribute, workgate serve: the Citus cluster of this server, as its metadata say.
select
  (select groupid from pg_dist_local_group) = 0 as "isCoordinator",
  (
    select coalesce(json_agg(json_build_object(
      'group', groupid, 'host', nodename, 'port', nodeport, 'isActive', isactive and hasmetadata, 'hasShards', shouldhaveshards
    ) order by groupid), '[]')
    from pg_dist_node
    where noderole = 'primary'
  )::text as nodes,
  array_to_json(array(
    select c.relname
    from pg_dist_partition p
    join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = to_regnamespace('workgate')
    order by c.relname
  ))::text as distributed,
  array_to_json(array(
    select c.relname
    from pg_class c
    where c.relnamespace = to_regnamespace('workgate')
      and c.relkind = 'r'
      and c.relname <> all ({{nodeTables}})
      and not exists (select from pg_dist_partition p where p.logicalrelid = c.oid)
    order by c.relname
  ))::text as "notDistributed"
