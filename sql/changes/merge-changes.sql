-- GET /changes in a cluster: the page of the objects that were read in each place, all named by entries of one journal.
with reading as materialized (
  select
    null::text as expired, :now::pg_snapshot as now, :epoch::uuid as epoch, :lsn::numeric as lsn, null::text as secrets,
    {{#all}}null{{/all}}{{^all}}:projectIds{{/all}}::uuid[] as reach
),
entries as materialized (
  select e.*
  from json_to_recordset(:entries::json) as e (xid xid8, seq bigint)
),
named as materialized (
  select o.*, row_number() over (order by o.xid, o.seq, o.project, o.rank, o.id) as n
  from json_to_recordset(:objects::json) as o (
    xid xid8, seq bigint, project uuid, rank integer, id uuid, event text, fields text[], at timestamptz, channel text,
    actor jsonb, may_fit boolean, object text)
  order by n
  limit :limit::integer + 1
),
shown as materialized (
  select * from named where n <= :limit
),
{{page}}
