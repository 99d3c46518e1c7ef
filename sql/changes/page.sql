-- GET /changes: the page of these objects, and where the next one begins.
page as materialized (
  -- Up to the first object that does not fit, but with at least one.
  select coalesce(min(o.n) filter (where o.n > 1 and (o.bytes > :maxBytes or not o.may_fit)) - 1, :limit) as length
  from (select n, may_fit, sum(octet_length(object)) over (order by n) as bytes from shown) o
),
-- Where the next page begins: in which transaction, and after what in it.
rest as (
  select
    coalesce(next.xid, last_entry.xid) as xid,
    coalesce(last_shown.seq, last_entry.seq) as seq,
    coalesce(last_shown.project, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as project,
    coalesce(last_shown.rank, 1000) as rank,
    coalesce(last_shown.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id
  from page p
  left join named next on next.n = p.length + 1
  left join named last_shown on last_shown.n = p.length and last_shown.xid = next.xid
  left join lateral (
    select e.xid, e.seq
    from entries e
    where next.n is null
    order by e.xid, e.seq
    offset :limit
  ) last_entry on true
)
select
  r.expired,
  exists (select from workgate.projects p {{^all}}where p.id = any (r.reach){{/all}}) as found,
  r.now::text as now,
  r.epoch::text as epoch,
  r.lsn::text as lsn,
  r.secrets,
  '[' || coalesce((
    select string_agg(
      left((
        select row_to_json(f)::text
        from (
          select
            coalesce(workgate.kind_of(g.rank), 'project') as kind,
            case when g.object is not null then 'upsert' when g.rank = -2 then 'out_of_scope' else 'delete' end as op,
            g.project as "projectId",
            g.id,
            case when g.object is not null then g.event when g.rank <> -2 then 'deleted' end as event,
            workgate.iso(g.at) as at,
            (select row_to_json(w) from (select g.channel, g.actor) w where g.channel is not null) as by,
            case when g.object is not null and not g.is_whole then array(
              select distinct name from unnest(string_to_array(g.names, ',')) name where name <> '' order by name
            ) end as fields
        ) f
      ), -1) || ',"object":' || coalesce(g.object, 'null') || '}',
      ',' order by g.n)
    from (
      select
        s.project, s.rank, s.id, max(s.n) as n, max(s.object) as object,
        -- An update tells less than what happened before it.
        coalesce(
          (array_agg(s.event order by s.n desc) filter (where s.event not in ('updated', 'deleted')))[1],
          case when count(s.event) > 0 then 'updated' end) as event,
        (array_agg(s.at order by s.n desc))[1] as at,
        (array_agg(s.channel order by s.n desc))[1] as channel,
        (array_agg(s.actor order by s.n desc))[1] as actor,
        bool_or(s.fields is null) as is_whole,
        string_agg(array_to_string(s.fields, ','), ',') as names
      from shown s
      cross join page p
      where s.n <= p.length
      group by s.project, s.rank, s.id
    ) g
  ), '') || ']' as data,
  rest.xid::text as xid,
  rest.seq::text as seq,
  rest.project::text as project,
  rest.rank,
  rest.id::text as id
from reading r
cross join rest
