-- GET /changes in a cluster, in each place: the objects that these entries name.
with reading as materialized (
  select {{#all}}null{{/all}}{{^all}}:projectIds{{/all}}::uuid[] as reach
),
entries as materialized (
  select e.*
  from json_to_recordset(:entries::json) as e (
    xid xid8, seq bigint, scope uuid, kind text, id uuid, event text, fields text[], at timestamptz, channel text, actor jsonb)
),
{{named}}
select coalesce(json_agg(o), '[]')::text as objects
from (
  select m.xid, m.seq, m.project, m.rank, m.id, m.event, m.fields, m.at, m.channel, m.actor, s.may_fit, s.object
  from named m
  left join shown s on s.n = m.n
) o
