-- On the coordinator, regularly: the nodes, and the places on each of them.
select
  n.groupid as "group",
  n.nodename as host,
  n.nodeport as port,
  array_to_json(array(
    select s.shardid
    from pg_dist_shard s
    join pg_dist_placement p on p.shardid = s.shardid
    where s.logicalrelid = 'workgate.tasks'::regclass
      and p.groupid = n.groupid
    order by s.shardid
  ))::text as places
from pg_dist_node n
where n.noderole = 'primary'
order by n.groupid
