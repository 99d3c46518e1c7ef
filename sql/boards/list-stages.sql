-- GET /projects/:projectId/stages
-- Scans stages_by_position. Task counts come from the tallies.
with counts as materialized (
  select nullif(t.key, '')::uuid as stage_id, t.n as tasks
  from workgate.tallied(:projectId::uuid, '{stage}', '-infinity', 'infinity') t
)
select
  s.id,
  {{sortKey}} as sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{stageFields}},
        (select coalesce(sum(c.tasks), 0) from counts c where c.stage_id = s.id) as "taskCount"
    ) f
  )::text as item
from workgate.stages s
where s.project_id = :projectId
  {{#boardId}}and s.board_id = any (:boardId::uuid[]){{/boardId}}
  {{#category}}and s.category = any (:category::text[]){{/category}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
