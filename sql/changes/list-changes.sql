-- GET /changes, GET /projects/:projectId/changes
-- Returns a page of changes as JSON text, and what to make the next cursor of, from one snapshot.
--
-- An entry of the journal is new to a reader if it is visible now, and was not in :base, the snapshot of the cursor. Entries
-- come in the order of their transactions, and name objects. Each object is shown once on a page, where it is named for
-- the last time, and as it is now. A page can end inside of a transaction, even of one entry that stands for many objects:
-- the next one then begins after :seq, :project, :rank and :id in the transaction :xid, and reads no other transaction.
-- With :filling, the only entry stands for everything in reach.
--
-- The reach is :projectIds, or the selection of the key :keyId as it is now, or, with :all, every project. What an entry
-- stands for depends on it, so a selection is read in the same snapshot as the entries that tell of its changes.
--
-- A rank is the place of a kind in the array of kinds: a reader first gets what others refer to. Rank -1 is the end of a
-- project and of everything in it, -2 the end of its being in reach.
with reading as materialized (
  select
    pg_current_snapshot() as now,
    workgate.current_epoch() as epoch,
    -- Read after the snapshot was taken, so every commit that it contains was written before. It may not be flushed yet.
    case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() - '0/0' end as lsn,
    {{^all}}reach.projects as reach, reach.projects || reach.others as scopes,{{/all}}
    {{#all}}null::uuid[] as reach,{{/all}}
    {{#base}}(
      pg_snapshot_xmax(:base::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
      -- The reader may know commits that were lost when a later epoch began, or is a reader of another database.
      or not exists (
        select
        from workgate.epochs e
        where e.id = :epoch::uuid
          and not exists (
            select from workgate.epochs later where later.n > e.n and later.lsn < '0/0'::pg_lsn + :lsn::numeric))
      or exists (
        select
        from workgate.journal_horizon h
        where h.xid >= pg_snapshot_xmin(:base)
          -- Later ones, here and below, were restored from another cluster.
          and h.xid < pg_snapshot_xmax(pg_current_snapshot()))
      or exists (
        select
        from workgate.journal j
        where j.kind = 'everything'
          and j.xid >= pg_snapshot_xmin(:base)
          and j.xid < pg_snapshot_xmax(pg_current_snapshot())
          and not pg_visible_in_snapshot(j.xid, :base))
    ){{/base}}{{^base}}false{{/base}} as expired
  {{^all}}
  from (
    {{^keyId}}select :projectIds::uuid[] as projects, array['00000000-0000-0000-0000-000000000000'::uuid] as others{{/keyId}}
    {{#keyId}}
    select
      coalesce(max(k.project_ids), '{}') as projects,
      array['00000000-0000-0000-0000-000000000000'::uuid, workgate.key_scope(coalesce(max(k.first_id), :keyId))] as others
    from workgate.api_keys k
    where k.id = :keyId
    {{/keyId}}
  ) reach
  {{/all}}
),
entries as materialized (
  {{#filling}}
  select
    xid8 '0' as xid, bigint '0' as seq, null::uuid as scope, 'contents' as kind, null::uuid as id, null as event,
    null::text[] as fields, null::timestamptz as at, null as channel, null::jsonb as actor
  from reading r
  where not r.expired
  {{/filling}}
  {{^filling}}
  select e.xid, e.seq, e.scope, e.kind, e.id, e.event, e.fields, e.at, e.channel, e.actor
  from reading r
  {{^all}}cross join unnest(r.scopes) s (scope){{/all}}
  cross join lateral (
    {{#xid}}
    (
      select j.*
      from workgate.journal j
      where {{^all}}j.scope = s.scope{{/all}}{{#all}}j.kind not in ('entered', 'left'){{/all}}
        and j.xid = :xid::xid8
        and j.seq >= :seq::bigint
      order by j.seq
      limit :limit::integer + 1
    )
    {{/xid}}
    {{^xid}}
    (
      select j.*
      from pg_snapshot_xip(:base::pg_snapshot) running (xid)
      cross join lateral (
        select j.*
        from workgate.journal j
        where {{^all}}j.scope = s.scope{{/all}}{{#all}}j.kind not in ('entered', 'left'){{/all}}
          and j.xid = running.xid
        order by j.seq
        limit :limit::integer + 1
      ) j
      where pg_visible_in_snapshot(running.xid, r.now)
      order by j.xid, j.seq
      limit :limit + 1
    )
    union all
    (
      select j.*
      from workgate.journal j
      where {{^all}}j.scope = s.scope{{/all}}{{#all}}j.kind not in ('entered', 'left'){{/all}}
        and j.xid >= pg_snapshot_xmax(:base)
        and j.xid < pg_snapshot_xmax(r.now)
      order by j.xid, j.seq
      limit :limit + 1
    )
    {{/xid}}
  ) e
  where not r.expired
  order by e.xid, e.seq
  limit :limit + 1
  {{/filling}}
),
named as materialized (
  select m.*, row_number() over (order by m.xid, m.seq, m.project, m.rank, m.id) as n
  from (
    select
      e.xid, e.seq, o.project, o.rank, o.id, o.event, o.fields, e.at,
      case when e.kind <> all ('{entered,left}') then e.channel end as channel,
      e.actor
    from entries e
    cross join reading r
    cross join lateral (
      select e.scope as project, array_position({{kinds}}, e.kind) - 1 as rank, e.id, e.event, e.fields
      where e.scope <> '00000000-0000-0000-0000-000000000000'
        and e.kind = any ({{kinds}})
        and (e.kind, e.event) <> ('project', 'deleted')
      union all
      select e.id, case e.kind when 'left' then -2 else -1 end, e.id, null, null
      where (e.kind, e.event) = ('project', 'deleted')
        or e.kind = 'left'
      union all
      select m.project_id, 1, m.user_id, e.event, e.fields
      from workgate.project_members m
      where e.scope = '00000000-0000-0000-0000-000000000000'
        and e.kind = 'user'
        and m.user_id = e.id
        {{^all}}and m.project_id = any (r.reach){{/all}}
      union all
      select w.project_id, 5, w.task_id, 'updated', array['watchers']
      from workgate.task_watchers w
      where e.scope = '00000000-0000-0000-0000-000000000000'
        and e.kind = 'user'
        and (e.fields is null or 'name' = any (e.fields))
        and w.user_id = e.id
        {{^all}}and w.project_id = any (r.reach){{/all}}
      union all
      select t.project_id, 2, t.team_id, e.event, e.fields
      from workgate.project_teams t
      where e.scope = '00000000-0000-0000-0000-000000000000'
        and e.kind = 'team'
        and t.team_id = e.id
        {{^all}}and t.project_id = any (r.reach){{/all}}
      union all
      select tt.project_id, 5, tt.task_id, 'updated', array['tags']
      from workgate.task_tags tt
      where e.kind = 'tag'
        and tt.project_id = e.scope
        and tt.tag_id = e.id
      union all
      select
        c.project, c.rank, c.id,
        case e.kind when 'tasks' then 'updated' end,
        case e.kind when 'tasks' then array['reference'] end
      from workgate.contents_of(
        {{#filling}}r.reach{{/filling}}{{^filling}}array(select e.id {{^all}}where e.id = any (r.reach){{/all}}){{/filling}},
        array(select r from unnest(:ranks::integer[]) r where e.kind <> 'tasks' or r = 5),
        case when e.seq = :seq::bigint then :project::uuid else '00000000-0000-0000-0000-000000000000' end,
        :rank::integer,
        :id::uuid,
        :limit::integer + 1) c
      where e.kind in ('contents', 'tasks', 'entered', 'left')
        or (e.kind, e.event) = ('project', 'deleted')
    ) o
    -- Replicated rows can outlive their project.
    where (o.rank < 0 or o.rank = any (:ranks) and (select true from workgate.projects p where p.id = o.project))
      and (e.seq, o.project, o.rank, o.id) > (:seq, :project, :rank, :id)
    order by e.xid, e.seq, o.project, o.rank, o.id
    limit :limit + 1
  ) m
),
-- With the object where it is named first. Objects that will hardly fit, as far as their long texts tell, are not built.
shown as materialized (
  select
    o.*,
    case when o.is_first and o.may_fit then (
      {{object}}
    ) end as object
  from (
    select
      o.*,
      coalesce(sum(o.length) filter (where o.is_first) over before, 0) <= :maxBytes::integer as may_fit
    from (
      select
        m.*,
        m.n = min(m.n) over (partition by m.project, m.rank, m.id) as is_first,
        case m.rank
          when 5 then (select 800 + octet_length(t.description) from workgate.tasks t where t.project_id = m.project and t.id = m.id)
          when 6 then (select 400 + octet_length(c.body) from workgate.comments c where c.project_id = m.project and c.id = m.id)
        end as length
      from named m
      where m.n <= :limit
    ) o
    window before as (order by o.n rows between unbounded preceding and 1 preceding)
  ) o
),
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
    coalesce(last_shown.rank, 9) as rank,
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
  '[' || coalesce((
    select string_agg(
      left((
        select row_to_json(f)::text
        from (
          select
            ({{kinds}})[greatest(g.rank, 0) + 1] as kind,
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
