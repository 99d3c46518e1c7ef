-- POST /projects/:projectId/tasks/:taskId/complete
-- Locks the task and reads its latest state: the first of several concurrent requests completes it, and the others find
-- it completed.
target as materialized (
  select t.*
  from workgate.tasks t
  where t.project_id = :projectId
    and t.id = :taskId::uuid
    and exists (select from may_write)
  for no key update
),
verdict as materialized (
  select
    case
      when t.id is null then 'NOT_FOUND'
      when p.status = 'archived' then 'PROJECT_ARCHIVED'
      when t.state = 'cancelled' then 'TASK_CANCELLED'
      when t.version <> all (:ifMatchVersions::bigint[]) then 'PRECONDITION_FAILED'
    end as refusal
  from may_write
  cross join project p
  left join target t on true
),
done as materialized (
  select s.id
  from target t
  join workgate.stages s on s.project_id = :projectId and s.board_id = t.board_id and s.category = 'done'
  -- A task that is already in a done stage stays there.
  order by s.id is distinct from t.stage_id, s.position, s.id
  limit 1
),
completed as (
  update workgate.tasks t
  set state = 'completed', stage_id = coalesce((select id from done), t.stage_id)
  from target, verdict v
  where t.project_id = :projectId
    and t.id = target.id
    and target.state = 'open'
    and v.refusal is null
  returning t.*
),
outcome as (
  select
    v.refusal, null::text[] as faults,
    case when t.id is not null then
      {{taskJson}}
      || '}'
    end as item
  from verdict v
  left join (
    select * from completed
    union all
    select * from target where not exists (select from completed)
  ) t on true
)
