-- GET /projects/:projectId/boards
-- Scans boards_by_position or boards_by_name.
select
  b.id,
  {{sortKey}} as sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{boardFields}},
        (
          select count(*)
          from workgate.stages s
          where s.project_id = :projectId::uuid
            and s.board_id = b.id
        ) as "stageCount"
    ) f
  )::text as item
from workgate.boards b
where b.project_id = :projectId
  {{#archived}}and b.archived = :archived::boolean{{/archived}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
