-- GET /projects/:projectId/tasks, GET /projects/:projectId/tasks/:taskId
-- Each sort order scans its own index. The default order has an index for each filter with one value: see
-- 0006-indexes.sql.
-- Builds no items after the one that ends the page by its bytes: page.sql would drop them.
select
  t.id,
  t.position,
  case when coalesce(sum(octet_length(t.description)) over before, 0) <= :maxBytes::integer then
    left((
      select row_to_json(f)
      from (
        select
          {{taskFields}}
      ) f
    )::text, -1)
    || case when :includeTags::boolean then ',"tags":' || (
      {{taskTags}}
    ) else '' end
    || case when :includeWatchers::boolean then ',"watchers":' || (
      {{taskWatchers}}
    ) else '' end
    || '}'
  end as item
from (
  select t.*, {{position}} as position
  from workgate.tasks t
  cross join lateral (
    -- Range conditions compare the same expression as the index of the sort, which puts nulls last in both directions.
    select
      case :sort when '-dueDate' then coalesce(t.due_date, '-infinity') else coalesce(t.due_date, 'infinity') end as due_date,
      case :sort when '-completedAt' then coalesce(t.completed_at, '-infinity') else coalesce(t.completed_at, 'infinity') end
        as completed_at
  ) nulls_last
  where t.project_id = :projectId
    and (:id::uuid is null or t.id = :id)
    -- A comparison with one value preserves the index order of later columns; "= any" does not.
    and (:state::text[] is null
      or case cardinality(:state) when 1 then t.state = (:state)[1] else t.state = any (:state) end)
    and (:stageId::uuid[] is null
      or case cardinality(:stageId) when 1 then t.stage_id = (:stageId)[1] else t.stage_id = any (:stageId) end)
    and (:boardId::uuid[] is null
      or case cardinality(:boardId) when 1 then t.board_id = (:boardId)[1] else t.board_id = any (:boardId) end)
    and (:assigneeId::text[] is null or case
      when :assigneeId = '{none}' then t.assignee_id is null
      when cardinality(:assigneeId) = 1 then t.assignee_id = (:assigneeId)[1]::uuid
      when 'none' = any (:assigneeId) then
        t.assignee_id is null or t.assignee_id = any (array_remove(:assigneeId, 'none')::uuid[])
      else t.assignee_id = any (:assigneeId::uuid[])
    end)
    and (:creatorId::uuid[] is null
      or case cardinality(:creatorId) when 1 then t.creator_id = (:creatorId)[1] else t.creator_id = any (:creatorId) end)
    and (:watcherId::uuid[] is null or exists (
      select
      from workgate.task_watchers w
      where w.project_id = :projectId
        and w.task_id = t.id
        and w.user_id = any (:watcherId)))
    and (:priority::workgate.priority[] is null
      or case cardinality(:priority) when 1 then t.priority = (:priority)[1] else t.priority = any (:priority) end)
    and (:parentId::text[] is null or case
      when :parentId = '{none}' then t.parent_id is null
      when cardinality(:parentId) = 1 then t.parent_id = (:parentId)[1]::uuid
      when 'none' = any (:parentId) then
        t.parent_id is null or t.parent_id = any (array_remove(:parentId, 'none')::uuid[])
      else t.parent_id = any (:parentId::uuid[])
    end)
    and (:tag::text[] is null or exists (
      select
      from workgate.task_tags tt
      join workgate.tags g on g.id = tt.tag_id
      where tt.project_id = :projectId
        and g.project_id = :projectId
        and tt.task_id = t.id
        and lower(g.name) in (select lower(name) from unnest(:tag) as name)))
    and (:number::bigint[] is null or t.number = any (:number))
    and (:dueAfter::date is null or (nulls_last.due_date >= :dueAfter and t.due_date is not null))
    and (:dueBefore::date is null or (nulls_last.due_date < :dueBefore and t.due_date is not null))
    and (:overdue::boolean is null or case
      when :overdue then
        t.state = 'open' and nulls_last.due_date < (now() at time zone 'UTC')::date and t.due_date is not null
      else t.state <> 'open' or t.due_date is null or t.due_date >= (now() at time zone 'UTC')::date
    end)
    and (:completedAfter::timestamptz is null
      or (nulls_last.completed_at >= :completedAfter and t.completed_at is not null))
    and (:completedBefore::timestamptz is null
      or (nulls_last.completed_at < :completedBefore and t.completed_at is not null))
    and (:q::text is null or (workgate.folded(t.title || ' ' || coalesce(t.description, '')) like all (workgate.word_patterns(:q)))::integer <> 0)
    and (workgate.short_word(:q) is null or (workgate.folded(t.title || ' ' || coalesce(t.description, '')) ~ workgate.short_word(:q))::integer <> 0)
    and (:q::text is null or
      workgate.terms_in(t.project_id, t.title || ' ' || coalesce(t.description, '')) @@ workgate.words_in(:projectId, :q))
    and (:createdAfter::timestamptz is null or t.created_at >= :createdAfter)
    and (:createdBefore::timestamptz is null or t.created_at < :createdBefore)
    and (:updatedAfter::timestamptz is null or t.updated_at >= :updatedAfter)
    and (:updatedBefore::timestamptz is null or t.updated_at < :updatedBefore)
    and {{keyset}}
  order by {{order}}
  limit :limit::integer + 1
) t
window before as (rows between unbounded preceding and 1 preceding)
