-- GET /changes in a cluster, on each node: the state of its journal, and its next entries.
with {{entries}}
select
  r.expired,
  r.now::text as now,
  r.epoch::text as epoch,
  r.lsn::text as lsn,
  r.secrets,
  array_to_json(r.reach)::text as reach,
  exists (select from workgate.projects p {{^all}}where p.id = any (r.reach){{/all}}) as found,
  (select coalesce(json_agg(e order by e.xid, e.seq), '[]') from entries e)::text as entries
from reading r
