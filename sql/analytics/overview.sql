-- GET /projects/:projectId/analytics/overview
-- Reads tallies: numbers of tasks or, with :measure, the sums of that own field, in units of 1/10,000. From other tables, it
-- reads only the project, its boards, stages and teams, the names of assignees, the declaration of the field, and the newest
-- updated_at.
with ranges (kinds, is_measured, since, until) as (
  values
    ('{state,stage,priority,assignee,type}'::text[], true, timestamptz '-infinity', timestamptz 'infinity'),
    ('{due,shared due}', true, '-infinity', date_trunc('day', now(), 'UTC')),
    ('{flow}', true, date_trunc('day', now(), 'UTC') - interval '6 days', date_trunc('day', now(), 'UTC') + interval '1 day'),
    -- With a measure, the state is also read for its seconds: the estimates.
    ('{time,effort,comments,documents,members{{#measure}},state{{/measure}}}', false, '-infinity', 'infinity')
),
figures as materialized (
  select
    c.kind, c.key, bool_or(c.part is null) as is_always_shown,
    coalesce(sum(c.n), 0) as total,
    coalesce(sum(c.n) filter (where c.part = 'open'), 0) as open,
    coalesce(sum(c.n) filter (where c.part = 'completed'), 0) as completed,
    coalesce(sum(c.n) filter (where c.part = 'cancelled'), 0) as cancelled,
    sum(c.seconds) as seconds,
    coalesce(sum(c.seconds) filter (where c.part = 'billable'), 0) as billable_seconds
  from (
    select
      {{^measure}}t.kind, t.key, t.part, t.n, t.seconds{{/measure}}
      {{#measure}}
      split_part(t.kind, ' of ', 1) as kind, t.key, t.part,
      case when r.is_measured then t.n * 0.0001 when t.kind <> 'state' then t.n end as n, t.seconds
      {{/measure}}
    from ranges r
    cross join lateral workgate.tallied(
      :projectId::uuid,
      {{^measure}}r.kinds{{/measure}}
      {{#measure}}case when r.is_measured then array(select kind || ' of ' || :measure::text from unnest(r.kinds) as kind) else r.kinds end{{/measure}},
      r.since, r.until) t
    union all
    -- Zeros for the figures that are always shown.
    select z.kind, z.key, null, 0, 0
    from (values
      ('state', ''), ('time', ''), ('effort', ''), ('comments', ''), ('documents', ''), ('members', ''),
      ('flow', 'created'), ('flow', 'completed')
    ) as z (kind, key)
    union all
    select 'priority', priority::text, null, 0, 0
    from unnest(enum_range(null::workgate.priority)) as priority
    union all
    select 'stage', s.id::text, null, 0, 0
    from workgate.stages s
    where s.project_id = :projectId
  ) c
  group by c.kind, c.key
),
groups as (
  select
    g.kind, nullif(g.key, '') as key, bool_or(g.is_always_shown) as is_always_shown, sum(g.total) as total, sum(g.open) as open,
    sum(g.completed) as completed, sum(g.cancelled) as cancelled, sum(g.overdue) as overdue
  from (
    select kind, key, is_always_shown, total, open, completed, cancelled, 0 as overdue
    from figures
    union all
    -- The overdue tasks of somebody can have a sum although all tasks of this person add up to 0.
    select d.kind, case d.kind when 'state' then '' else f.key end, false, 0, 0, 0, 0, f.total
    from figures f
    join (values ('due', 'state'), ('due', 'assignee'), ('shared due', 'assignee')) as d (part, kind) on d.part = f.kind
  ) g
  group by g.kind, g.key
  union all
  -- The rest has no type.
  select 'type', null, false, sum(f.total * s.sign), sum(f.open * s.sign), sum(f.completed * s.sign), sum(f.cancelled * s.sign), 0
  from figures f
  join (values ('state', 1), ('type', -1)) as s (kind, sign) on s.kind = f.kind
),
-- Place 51 has all assignees, or types, after the first 50. Tallies can also have a zero for a group without tasks.
shown as materialized (
  select
    p.kind, p.place, min(p.key) as key, count(*) as groups,
    trim_scale(sum(p.total)) as total, trim_scale(sum(p.open)) as open, trim_scale(sum(p.completed)) as completed,
    trim_scale(sum(p.cancelled)) as cancelled, trim_scale(sum(p.overdue)) as overdue
  from (
    select
      g.*,
      least(
        row_number() over (partition by g.kind order by g.total desc, g.key collate "C"),
        case when g.kind in ('assignee', 'type') then 51 end) as place
    from groups g
    where g.is_always_shown
      or (g.open, g.completed, g.cancelled, g.overdue) <> (0, 0, 0, 0)
  ) p
  group by p.kind, p.place
)
select
  {{^measure}}true{{/measure}}
  {{#measure}}
  (
    {{isNumber}}
  )
  {{/measure}} as "isNumber",
  row_to_json(overview)::text as data
from (
  select
    :measure::text as measure,
    array(
      select row_to_json(f)
      from (
        select distinct name, type
        from workgate.fields
        where project_id is null
          or project_id = :projectId
        order by name
      ) f
    ) as fields,
    (
      select row_to_json(f)
      from (
        select
          s.total, s.open, s.completed, s.cancelled, s.overdue,
          coalesce((select trim_scale(total) from figures where kind = 'assignee' and key = ''), 0) as unassigned
        from shown s
        where s.kind = 'state'
      ) f
    ) as tasks,
    (
      select case when open >= 0 and completed >= 0 then round(completed / nullif(open + completed, 0), 4) end
      from shown
      where kind = 'state'
    ) as progress,
    array(
      select row_to_json(f)
      from (
        select s.id as "stageId", s.board_id as "boardId", s.name, s.category, n.total, n.open, n.completed, n.cancelled
        from shown n
        left join workgate.stages s on s.project_id = :projectId
          and s.id = n.key::uuid
        left join workgate.boards b on b.project_id = :projectId
          and b.id = s.board_id
        where n.kind = 'stage'
        order by b.position, b.id, s.position, s.id
      ) f
    ) as "byStage",
    array(
      select row_to_json(f)
      from (
        select key as priority, total, open, completed, cancelled
        from shown
        where kind = 'priority'
        order by key::workgate.priority
      ) f
    ) as "byPriority",
    (
      select row_to_json(f)
      from (
        select
          array(
            select row_to_json(i)
            from (
              select a.key as "assigneeId", u.name, a.total, a.open, a.completed, a.cancelled, a.overdue
              from shown a
              left join workgate.users u on u.id = a.key::uuid
              where a.kind = 'assignee'
                and a.place <= 50
              order by a.place
            ) i
          ) as items,
          (
            select row_to_json(o)
            from (
              select
                coalesce(sum(groups), 0) as assignees,
                coalesce(sum(total), 0) as total, coalesce(sum(open), 0) as open,
                coalesce(sum(completed), 0) as completed, coalesce(sum(cancelled), 0) as cancelled,
                coalesce(sum(overdue), 0) as overdue
              from shown
              where kind = 'assignee'
                and place > 50
            ) o
          ) as other
      ) f
    ) as "byAssignee",
    (
      select row_to_json(f)
      from (
        select
          array(
            select row_to_json(i)
            from (
              select key as type, total, open, completed, cancelled
              from shown
              where kind = 'type'
                and place <= 50
              order by place
            ) i
          ) as items,
          (
            select row_to_json(o)
            from (
              select
                coalesce(sum(groups), 0) as types,
                coalesce(sum(total), 0) as total, coalesce(sum(open), 0) as open,
                coalesce(sum(completed), 0) as completed, coalesce(sum(cancelled), 0) as cancelled
              from shown
              where kind = 'type'
                and place > 50
            ) o
          ) as other
      ) f
    ) as "byType",
    (
      select row_to_json(f)
      from (
        select
          (select count(*) from workgate.boards where project_id = :projectId) as boards,
          (select total from figures where kind = 'members') as users,
          (select count(*) from workgate.project_teams where project_id = :projectId) as teams,
          (select total from figures where kind = 'comments') as comments,
          (select total from figures where kind = 'documents') as documents
      ) f
    ) as counts,
    (
      select row_to_json(f)
      from (
        select
          t.seconds as "totalSeconds", t.billable_seconds as "billableSeconds",
          (select seconds from figures where kind = 'state') as "estimateSeconds",
          (select seconds from figures where kind = 'effort') as "estimatedTaskSeconds"
        from figures t
        where t.kind = 'time'
      ) f
    ) as time,
    (select total from shown where kind = 'flow' and key = 'created') as "createdLast7Days",
    (select total from shown where kind = 'flow' and key = 'completed') as "completedLast7Days",
    workgate.iso(greatest(
      p.updated_at,
      (select max(updated_at) from workgate.tasks where project_id = :projectId),
      (select max(updated_at) from workgate.comments where project_id = :projectId),
      (select max(updated_at) from workgate.time_entries where project_id = :projectId),
      (select max(updated_at) from workgate.documents where project_id = :projectId)
    )) as "lastActivityAt"
  from workgate.projects p
  where p.id = :projectId
) overview
