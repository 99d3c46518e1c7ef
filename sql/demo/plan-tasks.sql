-- workgate demo: plans the whole life of each task of one batch, so that each row is written only once.
insert into planned_tasks
with numbered as materialized (
  select
    p.id as project_id, p.key, p.theme, p.archived, p.starts, p.last_task, p.ends, p.tasks, p.first_task,
    lead.user_id as owner_id, lead.workers, lead.members, k, k - p.first_task + 1 as number,
    case when place between 1 and children then place else 0 end as nth_child,
    place > 0 and place <= children as is_child, place = 0 and children > 0 as is_parent, oldest,
    case
      when pg_temp.dice(k - place, 'loose') < 0.03 then null
      when oldest and p.n % 12 = 1 and p.tasks > 200 then 3
      when t.side_board is not null and pg_temp.dice(k - place, 'board') < 0.3 then 2
      else 1
    end as board
  from planned_projects p
  join themes t using (theme)
  join planned_members lead on lead.project_id = p.id and lead.n = 1
  cross join lateral generate_series(
    greatest(p.first_task, :from::bigint), least(p.first_task + p.tasks, :to::bigint) - 1) as k
  -- Tasks are planned in blocks of eight: the first can be a parent, and some of the following ones its children.
  cross join lateral (
    select ((k - p.first_task) % 8)::integer as place, (k - p.first_task) / 8 * 80 < p.tasks as oldest
  ) as block
  cross join lateral (
    select case
      when pg_temp.dice(k - place, 'family') < 0.35 then 2 + floor(4 * pg_temp.dice(k - place, 'children'))
      else 0
    end as children
  ) as family
  where p.first_task < :to
    and p.first_task + p.tasks > :from
), lived as materialized (
  select *,
    -- Numbers follow the time of creation. Children are created shortly after their parent and finished before it.
    starts + (last_task - starts) * (number - 1 - nth_child + drawn + 0.01 * nth_child) / tasks as created,
    case when is_child then 20 + 400 * cube when is_parent then 560 + 1200 * cube else 20 + 1500 * cube end as life,
    pg_temp.dice(k, 'fate') as fate
  from numbered
  cross join lateral (
    select
      0.9 * pg_temp.dice(k - nth_child, 'created') as drawn,
      pg_temp.dice(k, 'life') * pg_temp.dice(k, 'life') * pg_temp.dice(k, 'life') as cube
  ) as luck
), ended as materialized (
  select *,
    case when archived then least(created + life, ends - case when is_parent then 1 else 5 + 90 * fate end)
      else created + life end as finish,
    case
      when archived then case when fate > 0.88 then 'cancelled' else 'completed' end
      when fate < 0.1 and not family and not oldest then 'shelved'
      when created + life >= ends then 'running'
      when fate < 0.11 and not family and not oldest then 'stuck'
      when fate > 0.94 then 'cancelled'
      else 'completed'
    end as outcome
  from lived
  cross join lateral (select is_child or is_parent as family) as relation
), told as materialized (
  select ended.*, coalesce(stages, 1) as stages,
    case
      when stages is null then 1
      when outcome = 'completed' then 2 + floor((stages - 2) * way)
      when outcome = 'cancelled' then 1 + floor((stages - 2) * way)
      when outcome = 'running' then 1 + floor((stages - 1) * (ends - created) / life)
      when outcome = 'stuck' then stages - 1 - floor(2 * way)
      else 1 + (way < 0.3)::integer
    end::integer as reached,
    pg_temp.dice(k, 'assigned') < case outcome
      when 'shelved' then 0.35 when 'cancelled' then 0.6 when 'running' then 0.93 else 0.97 end as assigned,
    pg_temp.dice(k, 'late') < 0.45 as late,
    pg_temp.dice(k, 'raised') < 0.1 as raised,
    outcome in ('completed', 'cancelled') as closed
  from ended
  left join planned_stages first_stage using (project_id, board)
  cross join lateral (select pg_temp.dice(k, 'way') as way) as luck
  where first_stage.position = 1
    or board is null
), changed as materialized (
  select *,
    case
      when closed then finish
      when version = 1 then created
      when outcome = 'running' then created + (ends - created) * (0.4 + 0.55 * pg_temp.dice(k, 'touched'))
      else created + least(life + 50, ends - created) * (0.2 + 0.75 * pg_temp.dice(k, 'touched'))
    end as updated
  from told
  cross join lateral (
    select 1 + (assigned and late)::integer + raised::integer + (reached - 1) + closed::integer as version
  ) as steps
)
select
  t.k, t.project_id, t.number, pg_temp.id(t.number, 'task ' || t.key || t.number), t.theme, t.nth_child,
  case when t.is_child then pg_temp.id(t.number - t.nth_child, 'task ' || t.key || t.number - t.nth_child) end,
  case when t.closed then t.outcome else 'open' end,
  pg_temp.pick(
    case when t.raised then '{high,high,high,urgent}'
      else '{none,none,none,low,low,low,low,medium,medium,medium,medium,medium,medium,high,high,urgent}' end::text[],
    pg_temp.dice(t.k, 'priority'))::workgate.priority,
  case
    when t.is_parent then 'epic'
    when t.is_child then 'task'
    else pg_temp.pick('{bug,bug,bug,story,story,story,task,task,task,null}', pg_temp.dice(t.k, 'type'))
  end,
  t.board, t.reached,
  case t.outcome when 'completed' then t.stages else t.reached end,
  t.assigned and t.late, t.raised, t.version, t.owner_id,
  case when creator.joined <= t.created and creator.gone > t.created then creator.user_id else t.owner_id end,
  case when t.assigned then
    case
      when assignee.joined <= t.created and assignee.gone > case when t.closed then t.finish else t.ends end
        then assignee.user_id
      else t.owner_id
    end
  end,
  t.workers, t.members, t.created, t.updated,
  least(case when t.closed then t.updated + 15 else greatest(t.created + t.life, t.updated + 30) end, t.ends),
  t.life, created_at, pg_temp.moment(updated_clock, t.updated)
from changed t
join clock created_clock on created_clock.tick = floor(t.created)
join clock updated_clock on updated_clock.tick = floor(t.updated)
join planned_members creator on creator.project_id = t.project_id
  and creator.n = 1 + floor(t.workers * pg_temp.dice(t.k, 'creator') * pg_temp.dice(t.k, 'creator'))::bigint
join planned_members assignee on assignee.project_id = t.project_id
  and assignee.n = 1 + floor(t.workers * pg_temp.dice(t.k, 'assignee'))::bigint
cross join lateral (select pg_temp.moment(created_clock, t.created) as created_at) as born
order by t.k
