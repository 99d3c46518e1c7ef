-- GET /projects/:projectId/boards
-- Walks boards_by_position or boards_by_name.
select
  b.id,
  case ltrim(:sort::text, '-')
    when 'position' then b.position::text
    when 'name' then lower(b.name)
  end as position,
  (
    select row_to_json(f)
    from (
      select
        b.id, b.name, b.description, b.position, b.archived,
        (
          select count(*)
          from workgate.stages s
          where s.project_id = :projectId::uuid
            and s.board_id = b.id
        ) as "stageCount",
        workgate.iso(b.created_at) as "createdAt", workgate.iso(b.updated_at) as "updatedAt"
    ) f
  )::text as item
from workgate.boards b
where b.project_id = :projectId
  and (:archived::boolean is null or b.archived = :archived)
  and case when :afterId::uuid is null then true else
    case :sort::text
      when 'position' then (b.position, b.id) > (:after::text::integer, :afterId)
      when '-position' then (b.position, b.id) < (:after::text::integer, :afterId)
      when 'name' then (lower(b.name) collate "C", b.id) > (:after::text, :afterId)
      when '-name' then (lower(b.name) collate "C", b.id) < (:after::text, :afterId)
    end
  end
order by
  case when :sort = 'position' then b.position end,
  case when :sort = '-position' then b.position end desc,
  case when :sort = 'name' then lower(b.name) collate "C" end,
  case when :sort = '-name' then lower(b.name) collate "C" end desc,
  case when :sort like '-%' then b.id end desc,
  b.id
limit :limit::integer + 1
