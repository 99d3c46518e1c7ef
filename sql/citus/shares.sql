-- workgate distribute, on the coordinator: the share of each node.
select
  format('%s:%s', n.nodename, n.nodeport) as node,
  n.groupid = 0 as "isCoordinator",
  n.shouldhaveshards as "hasShards",
  count(s.id)::integer as shards,
  coalesce(sum(s.projects), 0)::integer as projects
from pg_dist_node n
left join (
  select s.shardid as id, c.groupid, coalesce(p.projects, 0) as projects
  from pg_dist_shard s
  join pg_dist_placement c on c.shardid = s.shardid
  left join (
    select workgate_places.place_of(p.id) as shardid, count(*) as projects
    from workgate.projects p
    group by 1
  ) p on p.shardid = s.shardid
  where s.logicalrelid = 'workgate.tasks'::regclass
) s on s.groupid = n.groupid
where n.noderole = 'primary'
group by n.groupid, n.nodename, n.nodeport, n.shouldhaveshards
order by n.groupid
