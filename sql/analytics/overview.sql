-- GET /projects/:projectId/analytics/overview
-- Reads tallies. From other tables, it reads only the project, its boards, stages and teams, the names of assignees,
-- and the newest updated_at.
with ranges (kinds, since, until) as (
  values
    ('{state,stage,priority,assignee,type,time,effort,comments,documents,members}'::text[], timestamptz '-infinity', timestamptz 'infinity'),
    ('{due,shared due}', '-infinity', date_trunc('day', now(), 'UTC')),
    ('{flow}', date_trunc('day', now(), 'UTC') - interval '6 days', date_trunc('day', now(), 'UTC') + interval '1 day')
),
figures as materialized (
  select
    c.kind, c.key,
    sum(c.n) as total,
    coalesce(sum(c.n) filter (where c.part = 'open'), 0) as open,
    coalesce(sum(c.n) filter (where c.part = 'completed'), 0) as completed,
    coalesce(sum(c.n) filter (where c.part = 'cancelled'), 0) as cancelled,
    sum(c.seconds) as seconds,
    coalesce(sum(c.seconds) filter (where c.part = 'billable'), 0) as billable_seconds
  from (
    select t.kind, t.key, t.part, t.n, t.seconds
    from ranges r
    cross join lateral workgate.tallied(:projectId::uuid, r.kinds, r.since, r.until) t
    union all
    -- Zeros for the figures that are always shown.
    select z.kind, z.key, '', 0, 0
    from (values
      ('state', ''), ('due', ''), ('assignee', ''), ('time', ''), ('effort', ''), ('comments', ''), ('documents', ''),
      ('members', ''), ('flow', 'created'), ('flow', 'completed')
    ) as z (kind, key)
    union all
    select 'priority', priority::text, '', 0, 0
    from unnest(enum_range(null::workgate.priority)) as priority
    union all
    select 'stage', s.id::text, '', 0, 0
    from workgate.stages s
    where s.project_id = :projectId
  ) c
  group by c.kind, c.key
),
assignees as (
  select
    nullif(f.key, '')::uuid as id, f.total, f.open, f.completed, f.cancelled, coalesce(d.total, 0) as overdue,
    row_number() over (order by f.total desc, nullif(f.key, '')::uuid) as place
  from figures f
  left join (
    select key, sum(total) as total
    from figures
    where kind in ('due', 'shared due')
    group by key
  ) d on d.key = f.key
  where f.kind = 'assignee'
    and f.total > 0
),
types as (
  select t.*, row_number() over (order by t.total desc, t.type) as place
  from (
    select f.key as type, f.total, f.open, f.completed, f.cancelled
    from figures f
    where f.kind = 'type'
    union all
    -- The rest has no type.
    select null, sum(f.total * s.sign), sum(f.open * s.sign), sum(f.completed * s.sign), sum(f.cancelled * s.sign)
    from figures f
    join (values ('state', 1), ('type', -1)) as s (kind, sign) on s.kind = f.kind
  ) t
  where t.total > 0
)
select row_to_json(overview)::text as data
from (
  select
    (
      select row_to_json(f)
      from (
        select
          s.total, s.open, s.completed, s.cancelled,
          (select sum(total) from figures where kind = 'due') as overdue,
          (select total from figures where kind = 'assignee' and key = '') as unassigned
        from figures s
        where s.kind = 'state'
      ) f
    ) as tasks,
    (
      select round(completed / nullif(open + completed, 0), 4)
      from figures
      where kind = 'state'
    ) as progress,
    array(
      select row_to_json(f)
      from (
        select s.id as "stageId", s.board_id as "boardId", s.name, s.category, n.total, n.open, n.completed, n.cancelled
        from figures n
        left join workgate.stages s on s.project_id = :projectId
          and s.id = nullif(n.key, '')::uuid
        left join workgate.boards b on b.project_id = :projectId
          and b.id = s.board_id
        where n.kind = 'stage'
          and (s.id is not null or n.total > 0)
        order by b.position, b.id, s.position, s.id
      ) f
    ) as "byStage",
    array(
      select row_to_json(f)
      from (
        select key as priority, total, open, completed, cancelled
        from figures
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
              select a.id as "assigneeId", u.name, a.total, a.open, a.completed, a.cancelled, a.overdue
              from assignees a
              left join workgate.users u on u.id = a.id
              where a.place <= 50
              order by a.place
            ) i
          ) as items,
          (
            select row_to_json(o)
            from (
              select
                count(*) as assignees,
                coalesce(sum(total), 0) as total, coalesce(sum(open), 0) as open,
                coalesce(sum(completed), 0) as completed, coalesce(sum(cancelled), 0) as cancelled,
                coalesce(sum(overdue), 0) as overdue
              from assignees
              where place > 50
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
              select type, total, open, completed, cancelled
              from types
              where place <= 50
              order by place
            ) i
          ) as items,
          (
            select row_to_json(o)
            from (
              select
                count(*) as types,
                coalesce(sum(total), 0) as total, coalesce(sum(open), 0) as open,
                coalesce(sum(completed), 0) as completed, coalesce(sum(cancelled), 0) as cancelled
              from types
              where place > 50
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
    (select total from figures where kind = 'flow' and key = 'created') as "createdLast7Days",
    (select total from figures where kind = 'flow' and key = 'completed') as "completedLast7Days",
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
