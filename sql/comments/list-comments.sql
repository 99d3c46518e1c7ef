-- GET /projects/:projectId/comments, GET /projects/:projectId/comments/:commentId
-- Scans comments_by_created_at, _by_updated_at, _by_task or _by_author. A search uses comments_by_terms.
-- Builds no items after the one that ends the page by its bytes: page.sql would drop them.
select
  c.id,
  c.position,
  case when coalesce(sum(octet_length(c.body)) over before, 0) <= :maxBytes::integer then
    left((
      select row_to_json(f)::text
      from (
        select
          c.id, c.task_id as "taskId", c.author_id as "authorId", c.body,
          workgate.iso(c.created_at) as "createdAt", workgate.iso(c.updated_at) as "updatedAt"
      ) f
    ), -1)
    || case when :includeFiles::boolean then ',"files":[' || coalesce((
      select string_agg(row_to_json(f)::text, ',')
      from (
        select
          cf.id, cf.name, cf.mime_type as "mimeType", cf.size_bytes as "sizeBytes", cf.sha256, cf.url,
          workgate.iso(cf.created_at) as "createdAt"
        from workgate.comment_files cf
        where cf.project_id = :projectId::uuid
          and cf.comment_id = c.id
        order by cf.created_at, cf.id
      ) f
    ), '') || ']' else '' end
    || '}'
  end as item
from (
  select c.*, {{position}} as position
  from workgate.comments c
  where c.project_id = :projectId
    and (:id::uuid is null or c.id = :id)
    -- A comparison with one value preserves the index order of later columns; "= any" does not.
    and (:taskId::uuid[] is null
      or case cardinality(:taskId) when 1 then c.task_id = (:taskId)[1] else c.task_id = any (:taskId) end)
    and (:authorId::uuid[] is null
      or case cardinality(:authorId) when 1 then c.author_id = (:authorId)[1] else c.author_id = any (:authorId) end)
    and (:hasFiles::boolean is null
      or :hasFiles = exists (
        select
        from workgate.comment_files cf
        where cf.project_id = :projectId
          and cf.comment_id = c.id
        -- Without "offset 0" the planner might read all files of the project first.
        offset 0))
    and (:q::text is null or (workgate.folded(c.body) like all (workgate.word_patterns(:q)))::integer <> 0)
    and (workgate.short_word(:q) is null or (workgate.folded(c.body) ~ workgate.short_word(:q))::integer <> 0)
    and (:q::text is null or workgate.terms_in(c.project_id, c.body) @@ workgate.words_in(:projectId, :q))
    and (:createdAfter::timestamptz is null or c.created_at >= :createdAfter)
    and (:createdBefore::timestamptz is null or c.created_at < :createdBefore)
    and (:updatedAfter::timestamptz is null or c.updated_at >= :updatedAfter)
    and (:updatedBefore::timestamptz is null or c.updated_at < :updatedBefore)
    and {{keyset}}
  order by {{order}}
  limit :limit::integer + 1
) c
window before as (rows between unbounded preceding and 1 preceding)
