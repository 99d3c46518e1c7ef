-- GET /changes: the page of the objects that the entries name, and where the next page begins. It uses
--   reading  the state of the journal
--   entries  what the page is made of, and one more if there are more: xid, seq
--   named    the objects that they name, and one more if there are more: n (from 1), xid, seq, project, rank, id
--   shown    all but the one more, with what is to be said of each, with the object itself, and with may_fit
page as materialized (
  -- Up to the first object that does not fit, but with at least one.
  select coalesce(min(o.n) filter (where o.n > 1 and (o.bytes > :maxBytes or not o.may_fit)) - 1, :limit) as length
  from (select n, may_fit, sum(octet_length(object)) over (order by n) as bytes from shown) o
),
changes as (
  select
    s.project, s.rank, s.id,
    max(s.n) as n,
    max(s.object) as object,
    -- An update tells less than what happened before it.
    coalesce(
      (array_agg(s.event order by s.n desc) filter (where s.event not in ('updated', 'deleted')))[1],
      case when count(s.event) > 0 then 'updated' end) as event,
    (array_agg(s.at order by s.n desc))[1] as at,
    (array_agg(s.channel order by s.n desc))[1] as channel,
    (array_agg(s.actor order by s.n desc))[1] as actor,
    -- Without names, all fields may have changed.
    case when bool_and(s.fields is not null) then string_agg(array_to_string(s.fields, ','), ',') end as names
  from shown s
  cross join page p
  where s.n <= p.length
  group by s.project, s.rank, s.id
),
-- The next page begins with the first object that is not on this one, after the last one on it if both are in the same
-- transaction. Without such an object, it begins after everything that the last of the entries names.
next as (
  select
    coalesce(first_object.xid, last_entry.xid) as xid,
    coalesce(last_object.seq, last_entry.seq) as seq,
    coalesce(last_object.project, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as project,
    coalesce(last_object.rank, 1000) as rank,
    coalesce(last_object.id, 'ffffffff-ffff-ffff-ffff-ffffffffffff') as id
  from page p
  left join named first_object on first_object.n = p.length + 1
  left join named last_object on last_object.n = p.length and last_object.xid = first_object.xid
  left join (select e.xid, e.seq from entries e order by e.xid, e.seq offset :limit) last_entry on first_object.n is null
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
            coalesce(workgate.kind_of(c.rank), 'project') as kind,
            case when c.object is not null then 'upsert' when c.rank = -2 then 'out_of_scope' else 'delete' end as op,
            c.project as "projectId",
            c.id,
            case when c.object is not null then c.event when c.rank <> -2 then 'deleted' end as event,
            workgate.iso(c.at) as at,
            (select row_to_json(w) from (select c.channel, c.actor) w where c.channel is not null) as by,
            case when c.object is not null and c.names is not null then array(
              select distinct name from unnest(string_to_array(c.names, ',')) name where name <> '' order by name
            ) end as fields
        ) f
      ), -1) || ',"object":' || coalesce(c.object, 'null') || '}',
      ',' order by c.n)
    from changes c
  ), '') || ']' as data,
  next.xid::text as xid,
  next.seq::text as seq,
  next.project::text as project,
  next.rank,
  next.id::text as id
from reading r
cross join next
