-- GET /changes: the objects that the entries name, in their order, up to one more than the limit.
named as materialized (
  select m.*, row_number() over (order by m.xid, m.seq, m.project, m.rank, m.id) as n
  from (
    select
      e.xid, e.seq, o.project, o.rank, o.object as id, o.change as event, o.changed as fields, e.at,
      case when e.kind <> all ('{entered,left}') then e.channel end as channel,
      e.actor
    from entries e
    cross join reading r
    cross join (select array_agg(workgate.rank_of(kind)) as ranks from unnest(:kinds::text[]) kind) chosen
    cross join lateral (
      select case when e.seq = :seq::bigint then :project::uuid else '00000000-0000-0000-0000-000000000000' end as project
    ) after
    cross join lateral {{#filling}}(
      select c.project, c.rank, c.id as object, null as change, null::text[] as changed
      from workgate.contents_of(r.reach, chosen.ranks, after.project, :rank::integer, :id::uuid, :limit::integer + 1) c
    ){{/filling}}{{^filling}}workgate.named_by(
      e.scope, e.kind, e.id, e.event, e.fields, r.reach, chosen.ranks, after.project, :rank::integer, :id::uuid, :limit::integer + 1){{/filling}} o
    -- Replicated rows can outlive their project.
    where (o.rank < 0 or o.rank = any (chosen.ranks) and (select true from workgate.projects p where p.id = o.project))
      and (e.seq, o.project, o.rank, o.object) > (:seq, :project, :rank, :id)
    order by e.xid, e.seq, o.project, o.rank, o.object
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
        case workgate.kind_of(m.rank)
          when 'task' then (select 800 + octet_length(t.description) from workgate.tasks t where t.project_id = m.project and t.id = m.id)
          when 'comment' then (select 400 + octet_length(c.body) from workgate.comments c where c.project_id = m.project and c.id = m.id)
        end as length
      from named m
      where m.n <= :limit
    ) o
    window before as (order by o.n rows between unbounded preceding and 1 preceding)
  ) o
)
