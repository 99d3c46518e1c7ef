-- GET /changes: the objects that the entries name, in their order, up to one more than the limit.
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
)
